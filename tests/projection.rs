//! The games on the board of a Go front end: every point, click and line of graphics is compared with what the texts of
//! positions and moves say, read here once more without the program's help.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use common::*;
use pentarch::core::projection::vertex;
use pentarch::core::{Complete, Field, Line, Notation, Point, Side};
use pentarch::games::Visitor;
use pentarch::games::alquerque::Alquerque;
use pentarch::games::alquerque::rules::MultiCapture;

/// The cells of Guerre des Deux Roses, the top row first, as its rules draw them.
const ROSES: [&[&str]; 6] = [
    &["b5"],
    &["a3", "b4", "c5", "d6"],
    &["a2", "b3", "c4", "d5", "e6"],
    &["b2", "c3", "d4", "e5", "f6"],
    &["c2", "d3", "e4", "f5"],
    &["e3"],
];

/// The points written one after the other in a text.
fn points(text: &str) -> Vec<Point> {
    let starts: Vec<usize> = text.match_indices(|c: char| c.is_ascii_lowercase()).map(|(at, _)| at).collect();
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let point = |(from, to): (usize, usize)| {
        Point::new(text.as_bytes()[from] - b'a', text[from + 1..to].parse::<u8>().unwrap() - 1)
    };
    starts.iter().copied().zip(ends).map(point).collect()
}

/// Where a point of a game's texts is on the front end's board.
fn projected(id: &str, point: Point) -> Point {
    match id {
        "quoridor" => Point::new(2 * point.file, 2 * point.rank),
        "roses" => {
            let row = ROSES.iter().position(|row| row.contains(&point.to_string().as_str())).unwrap();
            Point::new(point.file, 5 - row as u8)
        }
        _ => point,
    }
}

/// The letters of a board field and where they stand on the front end's board.
fn letters(id: &str, field: &str) -> Vec<(Point, char)> {
    let rows: Vec<&str> = field.split('/').collect();
    let mut found = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        let (mut column, mut digits) = (0, String::new());
        for letter in text.chars() {
            if letter.is_ascii_digit() {
                digits.push(letter);
                continue;
            }
            column += std::mem::take(&mut digits).parse().unwrap_or(0);
            let point = match id {
                "roses" => projected(id, points(ROSES[row][column])[0]),
                _ => Point::new(column as u8, (rows.len() - 1 - row) as u8),
            };
            found.push((point, letter));
            column += 1;
        }
    }
    found
}

/// Where men stand on the front end's board, by the position text.
fn men(id: &str, text: &str) -> BTreeMap<Point, Side> {
    let board = text.split(' ').next().unwrap();
    let first = |letter: char| match id {
        "alquerque" => letter == 'o',
        "bushka" => letter.eq_ignore_ascii_case(&'w'),
        _ => letter.is_ascii_uppercase(),
    };
    match id {
        "alcaxar" | "quoridor" => points(board).into_iter().map(|point| projected(id, point)).zip(Side::BOTH).collect(),
        _ => {
            let side = |letter| if first(letter) { Side::First } else { Side::Second };
            letters(id, board).into_iter().map(|(point, letter)| (point, side(letter))).collect()
        }
    }
}

/// The walls in a position text of Quoridor: each a letter, digits, and the letter that ends it.
fn walls(field: &str) -> Vec<&str> {
    let is_last = |&(at, letter): &(usize, char)| {
        letter.is_ascii_lowercase() && at > 0 && field.as_bytes()[at - 1].is_ascii_digit()
    };
    let mut walls = Vec::new();
    let mut from = 0;
    for (at, _) in field.char_indices().filter(is_last) {
        walls.push(&field[from..=at]);
        from = at + 1;
    }
    walls
}

/// The points of the front end's board on which a wall of Quoridor stands, the one that is clicked first.
fn wall(text: &str) -> [(u8, u8); 3] {
    let (square, direction) = text.split_at(text.len() - 1);
    let Point { file, rank } = projected("quoridor", points(square)[0]);
    match direction {
        "h" => [(file, rank + 1), (file + 1, rank + 1), (file + 2, rank + 1)],
        "v" => [(file + 1, rank), (file + 1, rank + 1), (file + 1, rank + 2)],
        other => panic!("{other} is no direction"),
    }
}

/// What is to be clicked, by the move text.
fn clicks(id: &str, text: &str) -> Vec<Point> {
    if id == "quoridor" && text.ends_with(['h', 'v']) {
        let (file, rank) = wall(text)[0];
        return vec![Point::new(file, rank)];
    }
    let written = match id {
        "alcaxar" => text.trim_start_matches('K'),
        "alquerque" => text.trim_start_matches('h'),
        _ => text,
    };
    points(written).into_iter().map(|point| projected(id, point)).collect()
}

/// Each legal move's text and clicks.
fn all_clicks<G: Complete>(line: &Line<G>) -> Vec<(String, Vec<Point>)> {
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    let clicks = |mv| {
        let mut points = Vec::new();
        line.game().clicks(line.position(), mv, &mut points);
        (line.game().move_text(mv), points)
    };
    moves.into_iter().map(clicks).collect()
}

/// The pairs of moves of which the clicks of the first begin those of the second.
fn beginnings(all: &[(String, Vec<Point>)]) -> Vec<(&str, &str)> {
    let by_clicks: HashMap<&[Point], &str> = all.iter().map(|(text, clicks)| (&clicks[..], &text[..])).collect();
    let mut found = Vec::new();
    for (longer, clicks) in all {
        let shorter = (1..clicks.len()).filter_map(|length| by_clicks.get(&clicks[..length]));
        found.extend(shorter.map(|&shorter| (shorter, longer.as_str())));
    }
    found
}

/// What lines of graphics draw, each point by its file and rank.
#[derive(Default)]
struct Drawn {
    colours: BTreeMap<(u8, u8), String>,
    labels: BTreeMap<(u8, u8), String>,
    shapes: BTreeMap<String, BTreeSet<(u8, u8)>>,
    text: String,
}

impl Drawn {
    /// Reads the graphics of a position: every line must be of the form, its points on the board, and no point may get
    /// two colours or labels.
    fn of<G: Complete>(line: &Line<G>) -> Drawn {
        let mut drawn = Drawn::default();
        for text in line.game().graphics(line.position()) {
            let at = |name: &str| {
                let (letter, number) = name.split_at(1);
                let file = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter).unwrap_or_else(|| panic!("{text}: {name}"));
                let point = Point::new(file as u8, number.parse::<u8>().unwrap() - 1);
                assert_ne!(line.game().field(line.position(), point), Field::Missing, "{} {text}: {name}", G::ID);
                (point.file, point.rank)
            };
            let words: Vec<&str> = text.split(' ').collect();
            assert!(words.iter().all(|word| !word.is_empty() && !word.contains(char::is_control)), "{text:?}");
            match words[..] {
                ["COLOR", colour, ref names @ ..] if !names.is_empty() => {
                    let digits = colour.strip_prefix('#').unwrap();
                    assert!(digits.len() == 6 && u32::from_str_radix(digits, 16).is_ok(), "{text}");
                    for name in names {
                        assert_eq!(drawn.colours.insert(at(name), colour.into()), None, "{text}: {name}");
                    }
                }
                ["LABEL", ref pairs @ ..] if !pairs.is_empty() && pairs.len().is_multiple_of(2) => {
                    for pair in pairs.chunks(2) {
                        assert_eq!(drawn.labels.insert(at(pair[0]), pair[1].into()), None, "{text}: {}", pair[0]);
                    }
                }
                [verb @ ("CIRCLE" | "SQUARE" | "TRIANGLE" | "MARK"), ref names @ ..] if !names.is_empty() => {
                    let marked = names.iter().map(|name| at(name)).collect();
                    assert!(drawn.shapes.insert(verb.into(), marked).is_none(), "{text}");
                }
                ["TEXT", _, ..] => {
                    assert_eq!(std::mem::replace(&mut drawn.text, text.clone()), "", "a second text: {text}");
                }
                _ => panic!("{}: no graphics: {text:?}", G::ID),
            }
        }
        drawn
    }

    /// The points of a colour.
    fn coloured(&self, colour: &str) -> BTreeSet<(u8, u8)> {
        self.colours.iter().filter(|(_, other)| *other == colour).map(|(&point, _)| point).collect()
    }

    fn shaped(&self, verb: &str) -> BTreeSet<(u8, u8)> {
        self.shapes.get(verb).cloned().unwrap_or_default()
    }
}

fn pairs(points: impl IntoIterator<Item = Point>) -> BTreeSet<(u8, u8)> {
    points.into_iter().map(|Point { file, rank }| (file, rank)).collect()
}

/// The position text in its fields.
fn fields<G: Complete>(line: &Line<G>) -> Vec<String> {
    line.game().position_text(line.position()).split(' ').map(String::from).collect()
}

#[test]
fn vertices_skip_the_letter_i() {
    let names = [(0, 0), (7, 8), (8, 1), (9, 9), (20, 20)].map(|(file, rank)| vertex(Point::new(file, rank)));
    assert_eq!(names, ["A1", "H9", "J2", "K10", "V21"]);
}

for_all_games!(men_stand_where_the_position_text_says, SAMPLE, |line: &mut Line<G>| {
    let (game, text) = (line.game(), line.game().position_text(line.position()));
    let grid = game.grid();
    assert_eq!(grid.hexagonal, G::ID == "roses");
    let here = grid.points().filter_map(|point| match game.field(line.position(), point) {
        Field::Man(side) => Some((point, side)),
        _ => None,
    });
    assert_eq!(here.collect::<BTreeMap<_, _>>(), men(G::ID, &text), "{} {text}", G::ID);
});

for_all_games!(only_what_the_rules_draw_is_on_the_board, SAMPLE, |line: &mut Line<G>| {
    let (game, text) = (line.game(), line.game().position_text(line.position()));
    let size = game.grid().size;
    assert_eq!(game.grid().points().collect::<BTreeSet<_>>().len(), usize::from(size).pow(2));
    let ranks = if G::ID == "bushka" { text.split('/').count() as u8 } else { size };
    let cells: Vec<Point> = ROSES.concat().into_iter().map(|cell| projected("roses", points(cell)[0])).collect();
    for file in 0..size + 3 {
        for rank in 0..size + 3 {
            let point = Point::new(file, rank);
            let there = file < size && rank < ranks && (G::ID != "roses" || cells.contains(&point));
            let field = game.field(line.position(), point);
            assert_eq!(field != Field::Missing, there, "{} {text}: {}", G::ID, vertex(point));
        }
    }
    assert_eq!(game.field(line.position(), Point::new(25, 98)), Field::Missing, "{}", G::ID);
});

for_all_games!(a_move_is_clicked_as_its_text_says, SAMPLE, |line: &mut Line<G>| {
    let text = line.game().position_text(line.position());
    for (mv, points) in all_clicks(line) {
        assert_eq!(points, clicks(G::ID, &mv), "{} {text}: {mv}", G::ID);
        let missing = points.iter().find(|&&point| line.game().field(line.position(), point) == Field::Missing);
        assert_eq!(missing, None, "{} {text}: {mv}", G::ID);
    }
});

for_all_games!(no_two_moves_have_the_same_clicks_and_none_begins_another, SAMPLE, |line: &mut Line<G>| {
    let text = line.game().position_text(line.position());
    let all = all_clicks(line);
    let different: BTreeSet<&[Point]> = all.iter().map(|(_, points)| &points[..]).collect();
    assert_eq!(different.len(), all.len(), "{} {text}", G::ID);
    assert!(!different.contains(&[][..]), "{} {text}: a move without a click", G::ID);
    if G::ID != "alquerque" {
        assert_eq!(beginnings(&all), [], "{} {text}", G::ID);
    }
});

#[test]
fn only_captures_that_may_stop_begin_others() {
    let mut found = 0;
    SAMPLE.run(|line: &mut Line<Alquerque>| {
        let all = all_clicks(line);
        let beginnings = beginnings(&all);
        let may_stop = line.game().multi_capture == MultiCapture::Stop;
        let text = line.game().position_text(line.position());
        assert!(may_stop || beginnings.is_empty(), "{:?} {text}: {beginnings:?}", line.game());
        assert!(beginnings.iter().all(|(shorter, longer)| longer.starts_with(shorter)), "{text}: {beginnings:?}");
        found += beginnings.len();
    });
    assert!(found > 0);
}

#[test]
fn captured_men_are_those_that_disappear_in_play() {
    #[derive(Clone)]
    struct Check;
    impl Visitor for Check {
        type Output = ();
        fn visit<G: Complete>(self) {
            let mut most = [0; 2];
            let counts = |line: &Line<G>, position: &G::Position| {
                let men = men(G::ID, &line.game().position_text(position));
                Side::BOTH.map(|side| men.values().filter(|&&man| man == side).count() as i64)
            };
            let captured = |line: &Line<G>, position: &G::Position| line.game().captured(position).map(i64::from);
            SAMPLE.run(|line: &mut Line<G>| {
                let before = *line.position();
                assert!(!line.is_empty() || captured(line, &before) == [0; 2], "{}: captured at the start", G::ID);
                let mover = line.game().side_to_move(&before).index();
                let mut moves = Vec::new();
                line.legal_moves(&mut moves);
                for mv in moves.into_iter().take(30) {
                    let after = line.game().play(&before, mv);
                    let gone = counts(line, &before)[1 - mover] - counts(line, &after)[1 - mover];
                    let mut expected = captured(line, &before);
                    expected[mover] += gone;
                    let text = line.game().position_text(&before);
                    let mv = line.game().move_text(mv);
                    assert_eq!(captured(line, &after), expected, "{} {text}: {mv}", G::ID);
                    most[mover] = most[mover].max(gone);
                }
            });
            let takes = !["alcaxar", "quoridor"].contains(&G::ID);
            assert_eq!(most.map(|most| most > 0), [takes; 2], "{}", G::ID);
        }
    }
    for_each_game(Check);
}

for_all_games!(symmetries_keep_men_captures_and_numbers_of_clicks, SAMPLE, |line: &mut Line<G>| {
    let game = line.game().clone();
    let position = *line.position();
    let men = |position: &G::Position| {
        let fields: Vec<Field> = game.grid().points().map(|point| game.field(position, point)).collect();
        Side::BOTH.map(|side| fields.iter().filter(|&&field| field == Field::Man(side)).count() as u32)
    };
    let mut moves = Vec::new();
    line.legal_moves(&mut moves);
    for symmetry in game.symmetries() {
        let image = (symmetry.position)(&game, &position);
        let swapped = |mut pair: [u32; 2]| {
            if symmetry.swaps_sides {
                pair.reverse();
            }
            pair
        };
        assert_eq!(men(&image), swapped(men(&position)), "{} {}", G::ID, symmetry.name);
        assert_eq!(game.captured(&image), swapped(game.captured(&position)), "{} {}", G::ID, symmetry.name);
        for &mv in moves.iter().take(20) {
            let (mut here, mut there) = (Vec::new(), Vec::new());
            game.clicks(&position, mv, &mut here);
            game.clicks(&image, (symmetry.mv)(&game, mv), &mut there);
            assert_eq!(here.len(), there.len(), "{} {}", G::ID, symmetry.name);
        }
    }
});

for_all_games!(graphics_are_of_the_form_and_show_what_fields_cannot, SAMPLE, |line: &mut Line<G>| {
    let (drawn, fields) = (Drawn::of(line), fields(line));
    let place = format!("{} {}", G::ID, fields.join(" "));
    for (side, stones) in G::SIDES.into_iter().zip(["black", "white"]) {
        assert!(drawn.text.contains(&format!("{side} ({stones} stones)")), "{place}: {}", drawn.text);
    }
    let labels = |letters: &[(Point, char)], wanted: &[char], word: &str| -> BTreeMap<(u8, u8), String> {
        let wanted = letters.iter().filter(|(_, letter)| wanted.contains(letter));
        wanted.map(|(point, _)| ((point.file, point.rank), word.into())).collect()
    };
    match G::ID {
        "alcaxar" => check_alcaxar(&drawn, &fields, &place),
        "alquerque" => {
            let set = |field: &str| if field == "-" { BTreeSet::new() } else { pairs(points(field)) };
            assert_eq!(drawn.shaped("TRIANGLE"), set(&fields[3]), "{place}");
            assert_eq!(drawn.shaped("MARK"), set(&fields[4]), "{place}");
            assert_eq!(drawn.text.contains("no step back"), fields[2] != "-", "{place}: {}", drawn.text);
            let diagonals = line.game().grid().points().filter(|point| (point.file + point.rank) % 2 == 0);
            assert_eq!(drawn.colours.keys().copied().collect::<BTreeSet<_>>(), pairs(diagonals), "{place}");
        }
        "roses" => {
            assert_eq!(drawn.labels, labels(&letters(G::ID, &fields[0]), &['C', 'c'], "C"), "{place}");
            let red = points("c4d4").into_iter().map(|cell| projected("roses", cell));
            assert_eq!(drawn.colours.keys().copied().collect::<BTreeSet<_>>(), pairs(red), "{place}");
            let (white, black) = fields[2].split_once('/').unwrap();
            for (count, side) in [(white, "(black stones)"), (black, "(white stones)")] {
                let told = drawn.text.contains(&format!("{side} has {count} in reserve"));
                assert_eq!(told, count != "0", "{place}: {}", drawn.text);
            }
        }
        "quoridor" => check_quoridor(&drawn, &fields, line.game().grid().size, &place),
        _ => {
            assert_eq!(drawn.labels, labels(&letters(G::ID, &fields[0]), &['W', 'B'], "K"), "{place}");
            let dark = line.game().grid().points().filter(|point| {
                let there = line.game().field(line.position(), *point) != Field::Missing;
                there && (point.file + point.rank) % 2 == 0
            });
            assert_eq!(drawn.colours.keys().copied().collect::<BTreeSet<_>>(), pairs(dark), "{place}");
        }
    }
});

#[test]
fn graphics_of_one_position_of_each_game() {
    #[derive(Clone)]
    struct Check;
    impl Visitor for Check {
        type Output = ();
        fn visit<G: Complete>(self) {
            let cases: &[(&[&str], &str, &[&str])] = match G::ID {
                "alcaxar" => &[(
                    &[],
                    "b8h2 b5b7d7d9e2f3g4h5 r b7 2",
                    &[
                        "COLOR #606080 A7 B7 C7 D7 E7",
                        "COLOR #e08080 B8",
                        "COLOR #80c080 H2",
                        "TEXT red (black stones), green (white stones); walls on A7 and C7 are blocked",
                    ],
                )],
                "alquerque" => &[
                    (&["Alquerque_Ruleset=alfonso"], "x4/5/2o2/5/4o d - - c3 1", &["MARK C3"]),
                    (
                        &["Alquerque_Ruleset=bell", "Alquerque_BaseRow=spent"],
                        "5/x4/2o2/5/4o d c3b3 c3 - 1",
                        &["TRIANGLE C3", "TEXT light (black stones), dark (white stones); no step back: C3 to B3"],
                    ),
                ],
                "roses" => &[(
                    &[],
                    "c/4/5/5/1S2/C b 3/4 1",
                    &[
                        "COLOR #d04040 C4 D3",
                        "LABEL B6 C E1 C",
                        "TEXT white (black stones) has 3 in reserve, black (white stones) has 4 in reserve",
                    ],
                )],
                "quoridor" => &[(
                    &[],
                    "e1e9 d5ve3h w 9/9 2",
                    &[
                        "COLOR #803010 H9 H10 H11 J6 K6 L6",
                        "TEXT white (black stones) has 9 walls left, black (white stones) has 9 walls left",
                    ],
                )],
                _ => &[(&[], "10/10/10/10/5W4/10/10/b9/10/10 w 1", &["LABEL F6 K"])],
            };
            for (settings, fen, lines) in cases {
                let rules = rules::<G>(settings);
                let position = rules.parse_position(fen).unwrap_or_else(|error| panic!("{} {fen}: {error}", G::ID));
                let graphics = rules.graphics(&position);
                for line in *lines {
                    assert!(graphics.iter().any(|other| other == line), "{} {fen}: {line}\n{graphics:#?}", G::ID);
                }
            }
        }
    }
    for_each_game(Check);
}

/// Walls have the colour of their kind, with their towers; squares, towers and fortresses have their own, slots none.
fn check_alcaxar(drawn: &Drawn, fields: &[String], place: &str) {
    const ALONG: [(i8, i8); 2] = [(0, 1), (1, 0)];
    let towers = |slot: Point| {
        let (files, ranks) = ALONG[usize::from(slot.file % 2)];
        [slot.step(-files, -ranks).unwrap(), slot.step(files, ranks).unwrap()]
    };
    let walls = points(&fields[1]);
    let blocking = if fields[3] == "-" { Vec::new() } else { towers(points(&fields[3])[0]).to_vec() };
    let (blocked, free): (Vec<Point>, Vec<Point>) =
        walls.iter().copied().partition(|&slot| towers(slot).iter().any(|tower| blocking.contains(tower)));
    let covered = |walls: &[Point]| pairs(walls.iter().flat_map(|&slot| [vec![slot], towers(slot).to_vec()].concat()));
    let colours = |set: BTreeSet<(u8, u8)>| -> BTreeSet<&String> {
        set.iter().map(|point| drawn.colours.get(point).unwrap_or_else(|| panic!("{place}: {point:?}"))).collect()
    };
    let (free_points, all) = (covered(&free), covered(&walls));
    let blocked_points: BTreeSet<_> = all.difference(&free_points).copied().collect();
    assert!(pairs(blocked.iter().copied()).is_subset(&blocked_points), "{place}");
    assert!(pairs(blocking).is_subset(&blocked_points), "{place}");
    let parity = |files: u8, ranks: u8| -> BTreeSet<(u8, u8)> {
        let points = (0..9).flat_map(|file| (0..9).map(move |rank| (file, rank)));
        points.filter(|(file, rank)| (file % 2, rank % 2) == (files, ranks)).collect()
    };
    let fortresses = pairs(points("b8h2"));
    let kinds = [
        free_points.clone(),
        blocked_points,
        &parity(0, 0) - &all,
        &parity(1, 1) - &fortresses,
        pairs(points("b8")),
        pairs(points("h2")),
    ];
    for (kind, points) in kinds.iter().enumerate() {
        let own = colours(points.clone());
        assert_eq!(own.len(), usize::from(!points.is_empty()), "{place}: kind {kind}");
        for colour in own {
            assert_eq!(&drawn.coloured(colour), points, "{place}: kind {kind}");
        }
    }
    for slot in &(&parity(0, 1) | &parity(1, 0)) - &all {
        assert_eq!(drawn.colours.get(&slot), None, "{place}");
    }
    assert_eq!(drawn.text.contains("blocked"), fields[3] != "-", "{place}: {}", drawn.text);
}

/// Each wall is three points of one colour, which nothing else has; each side's goal rank has a colour of its own.
fn check_quoridor(drawn: &Drawn, fields: &[String], size: u8, place: &str) {
    let walls = walls(&fields[1]);
    let standing: BTreeSet<(u8, u8)> = walls.iter().flat_map(|&text| wall(text)).collect();
    assert_eq!(standing.len(), 3 * walls.len(), "{place}");
    let squares = |rank: u8| -> BTreeSet<(u8, u8)> { (0..size).step_by(2).map(|file| (file, rank)).collect() };
    let inner = (2..size - 1).step_by(2).flat_map(squares).collect();
    let mut painted = 0;
    for kind in [standing, squares(size - 1), squares(0), inner] {
        if let Some(point) = kind.iter().next() {
            assert_eq!(drawn.coloured(&drawn.colours[point]), kind, "{place}");
        }
        painted += kind.len();
    }
    assert_eq!(drawn.colours.len(), painted, "{place}");
    let (white, black) = fields[3].split_once('/').unwrap();
    for (count, side) in [(white, "(black stones)"), (black, "(white stones)")] {
        assert!(drawn.text.contains(&format!("{side} has {count} walls left")), "{place}: {}", drawn.text);
    }
}

/// The neighbours on a hexagonal board, on its rows, its columns and one diagonal, are the six neighbours in the rules,
/// each direction always the same one. That the program puts every cell where [`projected`] does is what the other
/// tests find out.
#[test]
fn hexagonal_neighbours_are_the_neighbours_of_the_game() {
    let cells: Vec<Point> = ROSES.concat().into_iter().map(|cell| points(cell)[0]).collect();
    let offset = |from: Point, to: Point| (to.file as i8 - from.file as i8, to.rank as i8 - from.rank as i8);
    let mut pairs = 0;
    for &from in &cells {
        for &to in &cells {
            let on_hex = offset(projected("roses", from), projected("roses", to));
            // Letter and number in the rules: left and right, up left and down right, up right and down left.
            let expected = match offset(from, to) {
                (-1, -1) => Some((-1, 0)),
                (1, 1) => Some((1, 0)),
                (-1, 0) => Some((-1, 1)),
                (1, 0) => Some((1, -1)),
                (0, 1) => Some((0, 1)),
                (0, -1) => Some((0, -1)),
                _ => None,
            };
            let neighbours = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
            assert_eq!(expected, neighbours.contains(&on_hex).then_some(on_hex), "{from} {to}");
            pairs += usize::from(expected.is_some());
        }
    }
    assert_eq!(pairs, 2 * 43);
}
