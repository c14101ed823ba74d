//! The boards of Go front ends. The tests check the points, clicks, captures and graphics of any
//! game. A game without such a board passes all tests.
//!
//! The tests of each game read its position strings and move strings as a [`BoardNotation`]. They
//! do so without the code of the program. [`check_board`] compares the pieces and clicks that
//! follow from the strings with the pieces and clicks that the program shows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pentarch::protocol::gtp::graphics::{self, GoBoardPointContent};
use pentarch::protocol::gtp::text::vertex_name;
use pentarch_core::view::go_board_projection::append_go_click_points;
use pentarch_core::{GameHistory, GoBoardShape, HasTurn, Point, Side};
use pentarch_engine::go_board::GoBoardScene;
use pentarch_games::Game;

use crate::common::*;

/// The contents of a game's board, derived from its strings.
pub(crate) trait BoardNotation<G: Game> {
    /// Whether the cells are hexagons.
    const IS_HEXAGONAL: bool = false;
    /// Whether pieces are captured.
    const HAS_CAPTURES: bool;
    /// Whether the clicks of one move may be the first clicks of another move.
    const CLICKS_MAY_BEGIN_OTHERS: bool = false;

    /// Returns whether the board has this point. The point is in the square around the board.
    /// `board` is the board field of the position string.
    fn has_point(board: &str, point: Point) -> bool {
        let _ = (board, point);
        true
    }

    /// Returns the pieces on the board. `board` is the board field of the position string.
    fn pieces(board: &str) -> BTreeMap<Point, Side>;

    /// Returns the points to click for a move string.
    fn clicks(text: &str) -> Vec<Point>;

    /// Checks the graphics on the board. `fields` are the fields of the position string. `size` is
    /// the number of points along each side of the square. `place` is for messages.
    fn check_graphics(drawn: &GoGraphics, fields: &[&str], size: u8, place: &str);
}

/// Compares the board that the program shows with the strings. The positions come from a [`SHORT`]
/// sample.
pub(crate) fn check_board<G: Game, R: BoardNotation<G>>() {
    let mut max_captures = [0; 2];
    SHORT.run(|history: &mut GameHistory<G>| {
        let rules = history.rules().clone();
        let text = rules.position_text(history.position());
        let fields: Vec<&str> = text.split(' ').collect();
        let place = format!("{} {text}", G::GAME_ID);
        let GoBoardShape { size, hexagonal } = rules.go_board_shape().expect("a board");
        assert_eq!(hexagonal, R::IS_HEXAGONAL);
        let has_point = |point| R::has_point(fields[0], point);
        let is_surrounding =
            |point: &Point| !has_point(*point) && (!hexagonal || has_point(transpose(*point)));
        for (point, field) in fields_of(rules.as_ref(), history.position()) {
            let is_on_board = has_point(point) || hexagonal && is_surrounding(&point);
            assert_eq!(
                field != GoBoardPointContent::Missing,
                is_on_board,
                "{place}: {}",
                vertex_name(point)
            );
        }
        let pieces = pieces(rules.as_ref(), history.position());
        assert_eq!(pieces, R::pieces(fields[0]), "{place}");
        let drawn = GoGraphics::parse(history);
        let surroundings = coordinates(square_points(size).filter(is_surrounding));
        assert_eq!(drawn.surroundings, surroundings, "{place}");
        R::check_graphics(&drawn, &fields, size, &place);
        let all = all_clicks(history);
        for (mv, points) in &all {
            assert_eq!(*points, R::clicks(mv), "{place}: {mv}");
        }
        if !R::CLICKS_MAY_BEGIN_OTHERS {
            assert_eq!(click_prefixes(&all), [], "{place}");
        }
        let opponent = !history.side_to_move();
        for (_, after) in successors(history) {
            let text = rules.position_text(&after);
            let left = R::pieces(text.split(' ').next().unwrap());
            assert_eq!(self::pieces(rules.as_ref(), &after), left, "{text}");
            let captures = count(&pieces, opponent).saturating_sub(count(&left, opponent));
            let max = &mut max_captures[opponent.index()];
            *max = captures.max(*max);
        }
    });
    assert_eq!(max_captures.map(|max| max > 0), [R::HAS_CAPTURES; 2], "{}", G::GAME_ID);
}

/// Returns the points of a square of this size.
pub(crate) fn square_points(size: u8) -> impl Iterator<Item = Point> {
    (0..size).flat_map(move |file| (0..size).map(move |rank| Point::new(file, rank)))
}

/// Returns the point in which file and rank are exchanged.
fn transpose(point: Point) -> Point {
    Point::new(point.rank, point.file)
}

/// Returns the points of a string. The string contains the points one after the other.
pub(crate) fn points(text: &str) -> Vec<Point> {
    let starts: Vec<usize> =
        text.match_indices(|c: char| c.is_ascii_lowercase()).map(|(start, _)| start).collect();
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let mut points = Vec::new();
    for (&start, end) in starts.iter().zip(ends) {
        let file = text.as_bytes()[start] - b'a';
        let rank = text[start + 1..end].parse::<u8>().unwrap() - 1;
        points.push(Point::new(file, rank));
    }
    points
}

/// Returns the letters of a board field with their points. `point` returns the point of a row and a
/// column. Rows are counted from the top.
pub(crate) fn letters(field: &str, point: impl Fn(usize, usize) -> Point) -> Vec<(Point, char)> {
    let mut found = Vec::new();
    for (row, text) in field.split('/').enumerate() {
        let mut column = 0;
        let mut digits = String::new();
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

/// Returns the [`letters`] of a board field. Its rows are the ranks, and its columns are the files.
pub(crate) fn letters_by_rank(field: &str) -> Vec<(Point, char)> {
    let ranks = field.split('/').count();
    letters(field, |row, column| Point::new(column as u8, (ranks - 1 - row) as u8))
}

/// Returns points as pairs of file and rank.
pub(crate) fn coordinates(points: impl IntoIterator<Item = Point>) -> BTreeSet<(u8, u8)> {
    points.into_iter().map(|Point { file, rank }| (file, rank)).collect()
}

/// Returns the string and the clicks of each legal move.
pub(crate) fn all_clicks<G: Game>(history: &GameHistory<G>) -> Vec<(String, Vec<Point>)> {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let mut all = Vec::new();
    for mv in moves {
        let mut points = Vec::new();
        append_go_click_points(history.rules().as_ref(), history.position(), mv, &mut points);
        all.push((history.rules().move_text(mv), points));
    }
    all
}

/// Returns the pairs of moves in which the clicks of the first move are the beginning of those of
/// the second.
pub(crate) fn click_prefixes(all: &[(String, Vec<Point>)]) -> Vec<(&str, &str)> {
    let by_clicks: HashMap<&[Point], &str> =
        all.iter().map(|(text, clicks)| (&clicks[..], &text[..])).collect();
    let mut found = Vec::new();
    for (longer, clicks) in all {
        for length in 1..clicks.len() {
            if let Some(&shorter) = by_clicks.get(&clicks[..length]) {
                found.push((shorter, longer.as_str()));
            }
        }
    }
    found
}

/// Returns the contents of the points of the board. If the game has no board, there are no points.
pub(crate) fn fields_of<G: Game>(
    rules: &G,
    position: &G::Position,
) -> BTreeMap<Point, GoBoardPointContent> {
    GoBoardScene::new(rules, position)
        .map_or_else(BTreeMap::new, |scene| graphics::go_board_point_contents(&scene))
}

/// Returns the lines of graphics. If the game has no board, there are no lines.
pub(crate) fn graphics_of<G: Game>(rules: &G, position: &G::Position) -> Vec<String> {
    GoBoardScene::new(rules, position)
        .map_or_else(Vec::new, |scene| graphics::gogui_graphics_lines(&scene))
}

/// Returns the pieces on the board, as the program shows them.
fn pieces<G: Game>(rules: &G, position: &G::Position) -> BTreeMap<Point, Side> {
    let mut pieces = BTreeMap::new();
    for (point, field) in fields_of(rules, position) {
        match field {
            GoBoardPointContent::Piece(side) => drop(pieces.insert(point, side)),
            GoBoardPointContent::Empty | GoBoardPointContent::Missing => {}
        }
    }
    pieces
}

/// Returns the points that the board has.
fn board_points<G: Game>(rules: &G, position: &G::Position) -> BTreeSet<Point> {
    let fields = fields_of(rules, position).into_iter();
    fields
        .filter(|(_, field)| *field != GoBoardPointContent::Missing)
        .map(|(point, _)| point)
        .collect()
}

/// Returns the number of pieces that each side has captured.
fn captured_counts<G: Game>(rules: &G, position: &G::Position) -> [u32; 2] {
    let scene = rules.position_scene(position);
    [1, 0].map(|player| scene.lost_count(player))
}

/// Returns the number of pieces of this side.
fn count(pieces: &BTreeMap<Point, Side>, side: Side) -> usize {
    pieces.values().filter(|&&piece| piece == side).count()
}

/// Returns up to five legal moves as strings, with the positions after them. They are spread evenly
/// over all legal moves.
fn successors<G: Game>(history: &GameHistory<G>) -> Vec<(String, G::Position)> {
    let rules = history.rules();
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    let stride = moves.len().div_ceil(5).max(1);
    let mut found = Vec::new();
    for mv in moves.into_iter().step_by(stride) {
        found.push((rules.move_text(mv), rules.play(history.position(), mv)));
    }
    found
}

/// The colour of points that do not belong to the board of the game.
const SURROUNDINGS: &str = "#202020";

/// The graphics of a position. Points are pairs of file and rank.
#[derive(Default)]
pub(crate) struct GoGraphics {
    /// The points that have the colour [`SURROUNDINGS`].
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

impl GoGraphics {
    /// Parses the graphics of a position. Every line must have the right form, and all points must
    /// be on the board. No point may get two colours or two labels.
    fn parse<G: Game>(history: &GameHistory<G>) -> GoGraphics {
        let mut drawn = GoGraphics::default();
        let board = board_points(history.rules().as_ref(), history.position());
        for text in graphics_of(history.rules().as_ref(), history.position()) {
            drawn.parse_line(&text, &board, G::GAME_ID);
        }
        drawn
    }

    /// Parses a line of graphics. `game` is for messages.
    fn parse_line(&mut self, text: &str, board: &BTreeSet<Point>, game: &str) {
        let at = |name: &&str| {
            let point = parse_vertex(name, text);
            assert!(board.contains(&point) || text.contains(SURROUNDINGS), "{game} {text}: {name}");
            (point.file, point.rank)
        };
        let words: Vec<&str> = text.split(' ').collect();
        assert!(
            words.iter().all(|word| !word.is_empty() && !word.contains(char::is_control)),
            "{text:?}"
        );
        match words[..] {
            ["COLOR", SURROUNDINGS, ref names @ ..] if !names.is_empty() => {
                self.surroundings = names.iter().map(at).collect();
            }
            ["COLOR", colour, ref names @ ..] if !names.is_empty() => {
                let digits = colour.strip_prefix('#').unwrap();
                assert!(digits.len() == 6 && u32::from_str_radix(digits, 16).is_ok(), "{text}");
                for name in names {
                    let previous = self.colours.insert(at(name), colour.into());
                    assert_eq!(previous, None, "{text}: {name}");
                }
            }
            ["LABEL", ref pairs @ ..] if !pairs.is_empty() && pairs.len().is_multiple_of(2) => {
                for pair in pairs.chunks(2) {
                    let previous = self.labels.insert(at(&pair[0]), pair[1].into());
                    assert_eq!(previous, None, "{text}: {}", pair[0]);
                }
            }
            [verb @ ("CIRCLE" | "SQUARE" | "TRIANGLE" | "MARK"), ref names @ ..]
                if !names.is_empty() =>
            {
                let marked = names.iter().map(at).collect();
                assert!(self.shapes.insert(verb.into(), marked).is_none(), "{text}");
            }
            ["TEXT", _, ..] => {
                let previous = std::mem::replace(&mut self.text, text.into());
                assert_eq!(previous, "", "a second text: {text}");
            }
            _ => panic!("{game}: no graphics: {text:?}"),
        }
    }

    /// Returns the points that have a colour.
    pub(crate) fn coloured(&self) -> BTreeSet<(u8, u8)> {
        self.colours.keys().copied().collect()
    }

    /// Returns the points of this colour.
    pub(crate) fn coloured_in(&self, colour: &str) -> BTreeSet<(u8, u8)> {
        self.colours.iter().filter(|(_, other)| *other == colour).map(|(&point, _)| point).collect()
    }

    /// Returns the points of this shape.
    pub(crate) fn shaped(&self, verb: &str) -> BTreeSet<(u8, u8)> {
        self.shapes.get(verb).cloned().unwrap_or_default()
    }
}

/// Parses the name of a point in GTP. Files have no letter I there. `text` is for messages.
fn parse_vertex(name: &str, text: &str) -> Point {
    let (letter, number) = name.split_at(1);
    let file = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter);
    let file = file.unwrap_or_else(|| panic!("{text}: {name}"));
    Point::new(file as u8, number.parse::<u8>().unwrap() - 1)
}

/// Returns labels on points. `word` returns the word for a letter, or `None` if the points with
/// this letter get no label.
pub(crate) fn labels(
    letters: &[(Point, char)],
    word: impl Fn(char) -> Option<String>,
) -> BTreeMap<(u8, u8), String> {
    let mut labels = BTreeMap::new();
    for (point, letter) in letters {
        if let Some(word) = word(*letter) {
            labels.insert((point.file, point.rank), word);
        }
    }
    labels
}

for_all_games!(a_board_is_a_constant_square_of_points, G, SHORT, |history| {
    let rules = history.rules();
    let text = rules.position_text(history.position());
    let size = rules.go_board_shape().map_or(0, |grid| grid.size);
    let points: Vec<Point> =
        rules.go_board_shape().into_iter().flat_map(GoBoardShape::points).collect();
    let different: BTreeSet<Point> = points.iter().copied().collect();
    assert_eq!(different, square_points(size).collect(), "{}", G::GAME_ID);
    assert_eq!(points.len(), usize::from(size).pow(2), "{}", G::GAME_ID);
    let now = board_points(rules.as_ref(), history.position());
    let before = board_points(rules.as_ref(), history.start_position());
    assert!(now.iter().all(|point| points.contains(point)), "{} {text}", G::GAME_ID);
    assert_eq!(now, before, "{} {text}", G::GAME_ID);
});

// GoGui draws the point `(x, y)` of a hexagonal board at `x + y / 2` cells from the left. `y` is
// counted from the top. The rows are as far apart as rows of hexagons. GoGui draws a point if the
// board has the point with row and column exchanged.
for_all_games!(gogui_draws_hexagons_where_the_game_has_them, G, SAMPLE, |history| {
    let rules = history.rules();
    let Some(GoBoardShape { size, hexagonal: true }) = rules.go_board_shape() else { return };
    let board = board_points(rules.as_ref(), history.position());
    assert_eq!(board, board.iter().copied().map(transpose).collect(), "{}", G::GAME_ID);
    let in_gogui = |site| {
        let point = rules.go_points_of_site(site)[0];
        let [x, y] = [point.file, size - 1 - point.rank].map(f64::from);
        [x + y / 2.0, -y * 0.75_f64.sqrt()]
    };
    let sites = rules.board_geometry().sites;
    for from in &sites {
        for to in &sites {
            let [gogui_from, gogui_to] = [from, to].map(|drawn| in_gogui(drawn.site));
            for axis in [0, 1] {
                let gogui_distance = gogui_to[axis] - gogui_from[axis];
                let distance = to.centre[axis] - from.centre[axis];
                let difference = (gogui_distance - distance).abs();
                assert!(difference < 0.01, "{}: {} and {}", G::GAME_ID, from.site, to.site);
            }
        }
    }
});

for_all_games!(only_games_with_a_board_have_a_scene, G, SAMPLE, |history| {
    let scene = GoBoardScene::new(history.rules().as_ref(), history.position());
    assert_eq!(scene.map(|scene| scene.grid), history.rules().go_board_shape(), "{}", G::GAME_ID);
});

for_all_games!(each_move_has_different_clicks_on_the_board, G, SAMPLE, |history| {
    if history.rules().go_board_shape().is_none() {
        return;
    }
    let text = history.rules().position_text(history.position());
    let all = all_clicks(history);
    let board = board_points(history.rules().as_ref(), history.position());
    for (mv, points) in &all {
        assert!(!points.is_empty(), "{} {text}: {mv} without a click", G::GAME_ID);
        assert!(points.iter().all(|point| board.contains(point)), "{} {text}: {mv}", G::GAME_ID);
    }
    let different: BTreeSet<&[Point]> = all.iter().map(|(_, points)| &points[..]).collect();
    assert_eq!(different.len(), all.len(), "{} {text}", G::GAME_ID);
});

for_all_games!(captured_counts_grow_as_pieces_disappear, G, SHORT, |history| {
    let rules = history.rules();
    let before = *history.position();
    if rules.go_board_shape().is_none() {
        return;
    }
    let text = rules.position_text(&before);
    let captured_before = captured_counts(rules.as_ref(), &before);
    assert!(
        !history.is_empty() || captured_before == [0; 2],
        "{}: captured at the start",
        G::GAME_ID
    );
    let mover = before.side_to_move();
    let enemies_before = count(&pieces(rules.as_ref(), &before), !mover);
    for (mv, after) in successors(history) {
        let enemies_after = count(&pieces(rules.as_ref(), &after), !mover);
        let captures = enemies_before
            .checked_sub(enemies_after)
            .unwrap_or_else(|| panic!("{} {text}: {mv} gives the opponent a piece", G::GAME_ID));
        let mut expected = captured_before;
        expected[mover.index()] += captures as u32;
        assert_eq!(
            captured_counts(rules.as_ref(), &after),
            expected,
            "{} {text}: {mv}",
            G::GAME_ID
        );
    }
});

for_all_games!(symmetries_preserve_counts_of_pieces_captures_and_clicks, G, SHORT, |history| {
    let rules = history.rules().clone();
    let position = *history.position();
    let piece_counts = |position: &G::Position| {
        let pieces = pieces(rules.as_ref(), position);
        Side::BOTH_SIDES.map(|side| count(&pieces, side) as u32)
    };
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    for symmetry in rules.symmetries() {
        let place = format!("{} {}", G::GAME_ID, symmetry.name);
        let image = (symmetry.position)(&rules, &position);
        let map_pair = |mut pair: [u32; 2]| {
            if symmetry.swaps_sides {
                pair.reverse();
            }
            pair
        };
        assert_eq!(piece_counts(&image), map_pair(piece_counts(&position)), "{place}");
        let captured = captured_counts(rules.as_ref(), &image);
        assert_eq!(captured, map_pair(captured_counts(rules.as_ref(), &position)), "{place}");
        for &mv in moves.iter().take(20) {
            let mut clicks = Vec::new();
            let mut image_clicks = Vec::new();
            append_go_click_points(rules.as_ref(), &position, mv, &mut clicks);
            append_go_click_points(
                rules.as_ref(),
                &image,
                (symmetry.mv)(&rules, mv),
                &mut image_clicks,
            );
            assert_eq!(clicks.len(), image_clicks.len(), "{place}");
        }
    }
});

for_all_games!(graphics_are_well_formed_and_name_the_stones_of_each_side, G, SHORT, |history| {
    if history.rules().go_board_shape().is_none() {
        return;
    }
    let drawn = GoGraphics::parse(history);
    for (side, stones) in G::SIDE_NAMES.into_iter().zip(["black", "white"]) {
        assert!(
            drawn.text.contains(&format!("{side} ({stones} stones)")),
            "{}: {}",
            G::GAME_ID,
            drawn.text
        );
    }
});
