//! The boards of Go front ends: what must hold of any game's fields, clicks, captures and graphics. A game without such
//! a board passes.
//!
//! Where a game's men stand, and what its moves are clicked by, its own tests know: they read the texts of positions
//! and moves once more without the program's help, as a [`Reading`], which [`check`] compares with what the program
//! shows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pentarch::protocol::gtp::graphics::{self, Field};
use pentarch::protocol::gtp::text::vertex;
use pentarch_core::view::projection::click_points;
use pentarch_core::{GameHistory, GoGrid, Point, Side, Turn};
use pentarch_engine::go_board::GoScene;
use pentarch_games::Game;

use crate::common::*;

/// What the texts of a game say of its board.
pub trait Reading<G: Game> {
    /// Whether the cells are hexagons.
    const IS_HEXAGONAL: bool = false;
    /// Whether men are captured.
    const HAS_CAPTURES: bool;
    /// Whether the clicks of a move may begin those of another one.
    const HAS_BEGINNINGS: bool = false;

    /// Whether the board has this point of the square, by the board field of the position text.
    fn has_point(board: &str, point: Point) -> bool {
        let _ = (board, point);
        true
    }

    /// Where men stand, by the board field of the position text.
    fn men(board: &str) -> BTreeMap<Point, Side>;

    /// The points to be clicked, by the move text.
    fn clicks(text: &str) -> Vec<Point>;

    /// Checks what is drawn beside the men, by the fields of the position text. The square has so many points along
    /// each side. `place` is for messages.
    fn check_drawn(drawn: &Drawn, fields: &[&str], size: u8, place: &str);
}

/// Compares all that the program shows of a game's board in a [`SHORT`] with what its texts say.
pub fn check<G: Game, R: Reading<G>>() {
    let mut most = [0; 2];
    SHORT.run(|history: &mut GameHistory<G>| {
        let rules = history.rules().clone();
        let text = rules.position_text(history.position());
        let fields: Vec<&str> = text.split(' ').collect();
        let place = format!("{} {text}", G::ID);
        let GoGrid { size, hexagonal } = rules.grid().expect("a board");
        assert_eq!(hexagonal, R::IS_HEXAGONAL);
        let has_point = |point| R::has_point(fields[0], point);
        let is_surrounding =
            |point: &Point| !has_point(*point) && (!hexagonal || has_point(transposed(*point)));
        for (point, field) in fields_of(rules.as_ref(), history.position()) {
            let is_there = has_point(point) || hexagonal && is_surrounding(&point);
            assert_eq!(field != Field::Missing, is_there, "{place}: {}", vertex(point));
        }
        let men = men(rules.as_ref(), history.position());
        assert_eq!(men, R::men(fields[0]), "{place}");
        let drawn = Drawn::of(history);
        assert_eq!(drawn.surroundings, pairs(square(size).filter(is_surrounding)), "{place}");
        R::check_drawn(&drawn, &fields, size, &place);
        let all = all_clicks(history);
        for (mv, points) in &all {
            assert_eq!(*points, R::clicks(mv), "{place}: {mv}");
        }
        if !R::HAS_BEGINNINGS {
            assert_eq!(beginnings(&all), [], "{place}");
        }
        let opponent = !history.side_to_move();
        for (_, after) in successors(history) {
            let text = rules.position_text(&after);
            let left = R::men(text.split(' ').next().unwrap());
            assert_eq!(self::men(rules.as_ref(), &after), left, "{text}");
            let most = &mut most[opponent.index()];
            *most = count(&men, opponent).saturating_sub(count(&left, opponent)).max(*most);
        }
    });
    assert_eq!(most.map(|most| most > 0), [R::HAS_CAPTURES; 2], "{}", G::ID);
}

/// The points of a square of this size.
pub fn square(size: u8) -> impl Iterator<Item = Point> {
    (0..size).flat_map(move |file| (0..size).map(move |rank| Point::new(file, rank)))
}

/// The point with file and rank exchanged.
fn transposed(point: Point) -> Point {
    Point::new(point.rank, point.file)
}

/// The points written one after the other in a text.
pub fn points(text: &str) -> Vec<Point> {
    let starts: Vec<usize> =
        text.match_indices(|c: char| c.is_ascii_lowercase()).map(|(at, _)| at).collect();
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let point = |(from, to): (usize, usize)| {
        Point::new(text.as_bytes()[from] - b'a', text[from + 1..to].parse::<u8>().unwrap() - 1)
    };
    starts.iter().copied().zip(ends).map(point).collect()
}

/// The letters of a board field, and where each stands: `point` gives the point of a row from the top and a column.
pub fn letters(field: &str, point: impl Fn(usize, usize) -> Point) -> Vec<(Point, char)> {
    let mut found = Vec::new();
    for (row, text) in field.split('/').enumerate() {
        let (mut column, mut digits) = (0, String::new());
        for letter in text.chars() {
            if letter.is_ascii_digit() {
                digits.push(letter);
                continue;
            }
            column += std::mem::take(&mut digits).parse().unwrap_or(0);
            found.push((point(row, column), letter));
            column += 1;
        }
    }
    found
}

/// The same where the rows are the ranks, as many as the field has, and the columns the files.
pub fn letters_of_ranks(field: &str) -> Vec<(Point, char)> {
    let ranks = field.split('/').count();
    letters(field, |row, column| Point::new(column as u8, (ranks - 1 - row) as u8))
}

/// Points as pairs of file and rank.
pub fn pairs(points: impl IntoIterator<Item = Point>) -> BTreeSet<(u8, u8)> {
    points.into_iter().map(|Point { file, rank }| (file, rank)).collect()
}

/// Each legal move's text and clicks.
pub fn all_clicks<G: Game>(history: &GameHistory<G>) -> Vec<(String, Vec<Point>)> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let clicks = |mv| {
        let mut points = Vec::new();
        click_points(history.rules().as_ref(), history.position(), mv, &mut points);
        (history.rules().move_text(mv), points)
    };
    moves.into_iter().map(clicks).collect()
}

/// The pairs of moves of which the clicks of the first begin those of the second.
pub fn beginnings(all: &[(String, Vec<Point>)]) -> Vec<(&str, &str)> {
    let by_clicks: HashMap<&[Point], &str> =
        all.iter().map(|(text, clicks)| (&clicks[..], &text[..])).collect();
    let mut found = Vec::new();
    for (longer, clicks) in all {
        let shorter = (1..clicks.len()).filter_map(|length| by_clicks.get(&clicks[..length]));
        found.extend(shorter.map(|&shorter| (shorter, longer.as_str())));
    }
    found
}

/// What the points of the board show; nothing if the game has no board.
pub fn fields_of<G: Game>(rules: &G, position: &G::Position) -> BTreeMap<Point, Field> {
    GoScene::of(rules, position).map_or_else(BTreeMap::new, |scene| graphics::fields(&scene))
}

/// The lines of graphics; none if the game has no board.
pub fn graphics_of<G: Game>(rules: &G, position: &G::Position) -> Vec<String> {
    GoScene::of(rules, position).map_or_else(Vec::new, |scene| graphics::lines(&scene))
}

/// Where men stand, as the program shows it.
fn men<G: Game>(rules: &G, position: &G::Position) -> BTreeMap<Point, Side> {
    let man = |(point, field)| match field {
        Field::Man(side) => Some((point, side)),
        Field::Empty | Field::Missing => None,
    };
    fields_of(rules, position).into_iter().filter_map(man).collect()
}

/// The points that the board has.
fn there<G: Game>(rules: &G, position: &G::Position) -> BTreeSet<Point> {
    let fields = fields_of(rules, position).into_iter();
    fields.filter(|(_, field)| *field != Field::Missing).map(|(point, _)| point).collect()
}

/// How many men each side has captured.
fn captured<G: Game>(rules: &G, position: &G::Position) -> [u32; 2] {
    let [first, second] = rules.scene(position).lost;
    [second, first]
}

/// How many of the men are of this side.
fn count(men: &BTreeMap<Point, Side>, side: Side) -> usize {
    men.values().filter(|&&man| man == side).count()
}

/// Up to five of the legal moves, spread evenly, as texts, with the positions after them.
fn successors<G: Game>(history: &GameHistory<G>) -> Vec<(String, G::Position)> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let after = |mv| (history.rules().move_text(mv), history.rules().play(history.position(), mv));
    let stride = moves.len().div_ceil(5).max(1);
    moves.into_iter().step_by(stride).map(after).collect()
}

/// The colour of points that the game's board lacks.
const SURROUNDINGS: &str = "#202020";

/// What lines of graphics draw, each point by its file and rank.
#[derive(Default)]
pub struct Drawn {
    /// The points that have the colour of what is no part of the board.
    surroundings: BTreeSet<(u8, u8)>,
    /// The colours of the other points.
    pub colours: BTreeMap<(u8, u8), String>,
    /// The words on points.
    pub labels: BTreeMap<(u8, u8), String>,
    /// The points of each shape.
    shapes: BTreeMap<String, BTreeSet<(u8, u8)>>,
    /// The line of text below the board.
    pub text: String,
}

impl Drawn {
    /// Reads the graphics of a position: every line must be of the form, its points on the board, and no point may get
    /// two colours or labels.
    fn of<G: Game>(history: &GameHistory<G>) -> Drawn {
        let mut drawn = Drawn::default();
        let there = there(history.rules().as_ref(), history.position());
        for text in graphics_of(history.rules().as_ref(), history.position()) {
            let at = |name: &str| {
                let (letter, number) = name.split_at(1);
                let file = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
                    .find(letter)
                    .unwrap_or_else(|| panic!("{text}: {name}"));
                let point = Point::new(file as u8, number.parse::<u8>().unwrap() - 1);
                assert!(
                    there.contains(&point) || text.contains(SURROUNDINGS),
                    "{} {text}: {name}",
                    G::ID
                );
                (point.file, point.rank)
            };
            let words: Vec<&str> = text.split(' ').collect();
            assert!(
                words.iter().all(|word| !word.is_empty() && !word.contains(char::is_control)),
                "{text:?}"
            );
            match words[..] {
                ["COLOR", SURROUNDINGS, ref names @ ..] if !names.is_empty() => {
                    drawn.surroundings = names.iter().map(|name| at(name)).collect();
                }
                ["COLOR", colour, ref names @ ..] if !names.is_empty() => {
                    let digits = colour.strip_prefix('#').unwrap();
                    assert!(digits.len() == 6 && u32::from_str_radix(digits, 16).is_ok(), "{text}");
                    for name in names {
                        assert_eq!(
                            drawn.colours.insert(at(name), colour.into()),
                            None,
                            "{text}: {name}"
                        );
                    }
                }
                ["LABEL", ref pairs @ ..] if !pairs.is_empty() && pairs.len().is_multiple_of(2) => {
                    for pair in pairs.chunks(2) {
                        assert_eq!(
                            drawn.labels.insert(at(pair[0]), pair[1].into()),
                            None,
                            "{text}: {}",
                            pair[0]
                        );
                    }
                }
                [verb @ ("CIRCLE" | "SQUARE" | "TRIANGLE" | "MARK"), ref names @ ..]
                    if !names.is_empty() =>
                {
                    let marked = names.iter().map(|name| at(name)).collect();
                    assert!(drawn.shapes.insert(verb.into(), marked).is_none(), "{text}");
                }
                ["TEXT", _, ..] => {
                    assert_eq!(
                        std::mem::replace(&mut drawn.text, text.clone()),
                        "",
                        "a second text: {text}"
                    );
                }
                _ => panic!("{}: no graphics: {text:?}", G::ID),
            }
        }
        drawn
    }

    /// The points that have a colour.
    pub fn coloured(&self) -> BTreeSet<(u8, u8)> {
        self.colours.keys().copied().collect()
    }

    /// The points of this colour.
    pub fn coloured_in(&self, colour: &str) -> BTreeSet<(u8, u8)> {
        self.colours.iter().filter(|(_, other)| *other == colour).map(|(&point, _)| point).collect()
    }

    /// The points of this shape.
    pub fn shaped(&self, verb: &str) -> BTreeSet<(u8, u8)> {
        self.shapes.get(verb).cloned().unwrap_or_default()
    }
}

/// Labels on the points that have a letter for which there is a word.
pub fn labels(
    letters: &[(Point, char)],
    word: impl Fn(char) -> Option<String>,
) -> BTreeMap<(u8, u8), String> {
    let label = |&(point, letter): &(Point, char)| Some(((point.file, point.rank), word(letter)?));
    letters.iter().filter_map(label).collect()
}

for_all_games!(a_board_is_a_square_of_points_that_are_always_the_same, G, SHORT, |history| {
    let (rules, text) = (history.rules(), history.rules().position_text(history.position()));
    let size = rules.grid().map_or(0, |grid| grid.size);
    let points: Vec<Point> = rules.grid().into_iter().flat_map(GoGrid::points).collect();
    assert_eq!(
        points.iter().copied().collect::<BTreeSet<_>>(),
        square(size).collect(),
        "{}",
        G::ID
    );
    assert_eq!(points.len(), usize::from(size).pow(2), "{}", G::ID);
    let there =
        [history.position(), history.start()].map(|position| there(rules.as_ref(), position));
    assert!(there[0].iter().all(|point| points.contains(point)), "{} {text}", G::ID);
    assert_eq!(there[0], there[1], "{} {text}", G::ID);
});

// GoGui draws the point `(x, y)` of a hexagonal board, y counted from the top, at `x + y / 2` cells from the left, and
// its rows as far apart as those of hexagons are. A point is drawn if the one with row and column exchanged is not
// missing.
for_all_games!(hexagons_are_drawn_where_the_game_has_them, G, SAMPLE, |history| {
    let rules = history.rules();
    let Some(GoGrid { size, hexagonal: true }) = rules.grid() else { return };
    let there = there(rules.as_ref(), history.position());
    assert_eq!(there, there.iter().copied().map(transposed).collect(), "{}", G::ID);
    let drawn = |point: Point| {
        let [x, y] = [point.file, size - 1 - point.rank].map(f64::from);
        [x + y / 2.0, -y * 0.75_f64.sqrt()]
    };
    let sites = rules.geometry().sites;
    for (from, to) in sites.iter().flat_map(|from| sites.iter().map(move |to| (from, to))) {
        let [here, there] = [from, to].map(|drawn_site| drawn(rules.points(drawn_site.site)[0]));
        for axis in [0, 1] {
            let [in_gogui, in_rules] =
                [there[axis] - here[axis], to.centre[axis] - from.centre[axis]];
            assert!((in_gogui - in_rules).abs() < 0.01, "{}: {} and {}", G::ID, from.site, to.site);
        }
    }
});

for_all_games!(only_a_game_with_a_board_shows_something_there, G, SAMPLE, |history| {
    let (scene, grid) =
        (GoScene::of(history.rules().as_ref(), history.position()), history.rules().grid());
    assert_eq!(scene.map(|scene| scene.grid), grid, "{}", G::ID);
});

for_all_games!(each_move_has_clicks_of_its_own_on_the_board, G, SAMPLE, |history| {
    if history.rules().grid().is_none() {
        return;
    }
    let text = history.rules().position_text(history.position());
    let all = all_clicks(history);
    let there = there(history.rules().as_ref(), history.position());
    for (mv, points) in &all {
        assert!(!points.is_empty(), "{} {text}: {mv} without a click", G::ID);
        assert!(points.iter().all(|point| there.contains(point)), "{} {text}: {mv}", G::ID);
    }
    let different: BTreeSet<&[Point]> = all.iter().map(|(_, points)| &points[..]).collect();
    assert_eq!(different.len(), all.len(), "{} {text}", G::ID);
});

for_all_games!(captured_men_are_those_that_disappear_in_play, G, SHORT, |history| {
    let (rules, before) = (history.rules(), *history.position());
    if rules.grid().is_none() {
        return;
    }
    let text = rules.position_text(&before);
    assert!(
        !history.is_empty() || captured(rules.as_ref(), &before) == [0; 2],
        "{}: captured at the start",
        G::ID
    );
    let mover = before.side_to_move();
    let there = men(rules.as_ref(), &before);
    for (mv, after) in successors(history) {
        let left = count(&men(rules.as_ref(), &after), !mover);
        let gone = count(&there, !mover).checked_sub(left);
        let gone =
            gone.unwrap_or_else(|| panic!("{} {text}: {mv} gives the opponent a man", G::ID));
        let mut expected = captured(rules.as_ref(), &before);
        expected[mover.index()] += gone as u32;
        assert_eq!(captured(rules.as_ref(), &after), expected, "{} {text}: {mv}", G::ID);
    }
});

for_all_games!(symmetries_keep_men_captures_and_numbers_of_clicks, G, SHORT, |history| {
    let rules = history.rules().clone();
    let position = *history.position();
    let men = |position: &G::Position| {
        let men = men(rules.as_ref(), position);
        Side::BOTH.map(|side| count(&men, side) as u32)
    };
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    for symmetry in rules.symmetries() {
        let image = (symmetry.position)(&rules, &position);
        let swapped = |mut pair: [u32; 2]| {
            if symmetry.swaps_sides {
                pair.reverse();
            }
            pair
        };
        assert_eq!(men(&image), swapped(men(&position)), "{} {}", G::ID, symmetry.name);
        assert_eq!(
            rules.scene(&image).lost,
            swapped(rules.scene(&position).lost),
            "{} {}",
            G::ID,
            symmetry.name
        );
        for &mv in moves.iter().take(20) {
            let (mut here, mut there) = (Vec::new(), Vec::new());
            click_points(rules.as_ref(), &position, mv, &mut here);
            click_points(rules.as_ref(), &image, (symmetry.mv)(&rules, mv), &mut there);
            assert_eq!(here.len(), there.len(), "{} {}", G::ID, symmetry.name);
        }
    }
});

for_all_games!(graphics_are_of_the_form_and_say_who_plays_which_stones, G, SHORT, |history| {
    if history.rules().grid().is_none() {
        return;
    }
    let drawn = Drawn::of(history);
    for (side, stones) in G::SIDES.into_iter().zip(["black", "white"]) {
        assert!(
            drawn.text.contains(&format!("{side} ({stones} stones)")),
            "{}: {}",
            G::ID,
            drawn.text
        );
    }
});
