//! Game records: the rules, start, moves and result of a game as text. People can read a record,
//! and the engine can replay it. People can add variations, comments, marks, clock times and names.
//!
//! The format is PGN (Portable Game Notation, S. Edwards, 1994): first tags, then the moves. The
//! moves are in the engine's own notation.
//!
//! ```text
//! [Game "quoridor"]
//! [Option "Quoridor_Walls=3"]
//! [Fen "e2e8 - b 3/3 4"]
//! [Outcome "ongoing"]
//! 4... e7! 5. e3 { a comment } (5. e3h?! e6) e6 *
//! ```
//!
//! If the game begins at the start position, the tag `Fen` is omitted. An option with its default
//! value is also omitted. As in records of chess matches, a move may be followed by the score and
//! the depth of the search that chose it, in braces: `e6 {+0.35/12}`. The score is for the side
//! that moved; one centipawn is written as 0.01.
//!
//! | module | contents |
//! |---|---|
//! | [`checksum`] | the checksum of a record written by a program |
//! | `grammar` | the parser |
//! | `main_line` | replacing the main line of a record |
//! | [`notes`] | annotations of moves |
//! | [`unread_elements`] | the elements of a text that its reader did not store |
//! | `record_writer` | writing records |

pub mod checksum;
mod grammar;
mod main_line;
pub mod notes;
mod record_writer;
pub mod unread_elements;

use std::iter;
use std::str::FromStr;

use crate::notation::parsing::{next_full_move_number, parse_whole_string};
use crate::{Outcome, Side, SyntaxError};

use unread_elements::UnreadElements;

pub use notes::{
    CommentError, MAX_COMMENT_LENGTH, MOVE_QUALITY_MARKS, MoveAnnotations, RecordedMove,
    SearchEvaluation, escape_tag_value, normalise_comment, unescape_tag_value,
};

/// A parsed record. Moves and tags are plain strings that have not been checked against the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// The tags as pairs of name and value, in the order of the text. The values are still escaped.
    pub tags: Vec<(String, String)>,
    /// The comment before the first move; empty if there is none.
    pub comment: String,
    /// The moves of the main line.
    pub moves: Vec<RecordedMove>,
    /// The result stated in the record: `1-0`, `0-1`, `1/2-1/2` or `*`. The result `*` means that
    /// the game goes on, or that the record states no result.
    pub result: String,
    /// The elements of the text that the other fields do not contain.
    pub unread: UnreadElements,
}

/// The maximum nesting depth of variations. The limit bounds the depth of any recursion over a
/// record.
pub const MAX_VARIATION_NESTING: usize = 100;

/// The strings for the result at the end of a record.
const RECORD_RESULT_STRINGS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The results of finished games.
pub const FINISHED_GAME_RESULTS: [&str; 3] =
    [RECORD_RESULT_STRINGS[0], RECORD_RESULT_STRINGS[1], RECORD_RESULT_STRINGS[2]];

/// Returns the result of a game with this outcome, or `*` for a game without an outcome.
pub fn outcome_to_record_result(outcome: Option<Outcome>) -> &'static str {
    outcome.map_or(RECORD_RESULT_STRINGS[3], |outcome| winner_to_record_result(outcome.winner()))
}

/// Returns the result of a finished game with this winner; `None` stands for a draw.
pub fn winner_to_record_result(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::First) => RECORD_RESULT_STRINGS[0],
        Some(Side::Second) => RECORD_RESULT_STRINGS[1],
        None => RECORD_RESULT_STRINGS[2],
    }
}

/// Returns the winner of a game with this result, or `Some(None)` for a draw. Returns `None` if the
/// string is not the result of a finished game.
pub fn winner_from_record_result(result: &str) -> Option<Option<Side>> {
    let winners = [Some(Side::First), Some(Side::Second), None];
    winners.into_iter().find(|&winner| winner_to_record_result(winner) == result)
}

/// Returns the turns of a game for two players: pairs of the player's index and the full-move
/// number. `number` and `side` are the full-move number and the side of the first turn.
pub fn two_player_turns_from((number, side): (u32, Side)) -> impl Iterator<Item = (usize, u32)> {
    let turns = iter::successors(Some((side, number)), |&(side, number)| {
        Some((!side, next_full_move_number(number, side)))
    });
    turns.map(|(side, number)| (side.index(), number))
}

/// Returns the column, counted from 1, of the first comment that extends to the end of its line.
/// Such a comment begins with a `;` outside braces and quotes, or with a `#` or `%` at the
/// beginning of `text`. Returns `None` if there is no such comment.
pub fn find_line_comment_column(text: &str) -> Option<usize> {
    let begin = text.trim_start();
    if begin.starts_with(['#', '%']) {
        return Some(text.chars().count() - begin.chars().count() + 1);
    }
    let mut in_braces = false;
    let mut in_quotes = false;
    let mut escaped = false;
    let mut closed = false;
    let begins = |letter: char| {
        let was_escaped = std::mem::take(&mut escaped);
        let was_closed = std::mem::take(&mut closed);
        match letter {
            '\\' if in_quotes && !was_escaped => escaped = true,
            '"' if !in_braces && !was_escaped => in_quotes = !in_quotes,
            '{' if !in_quotes => in_braces = true,
            '}' => {
                // `}}` inside a comment stands for a single brace, so the comment continues after
                // it.
                closed = in_braces;
                in_braces = was_closed;
            }
            _ => {}
        }
        letter == ';' && !in_braces && !in_quotes
    };
    text.chars().position(begins).map(|at| at + 1)
}

impl FromStr for SearchEvaluation {
    type Err = SyntaxError;

    /// Parses the score and the depth of a search as written in a record, without the braces, such
    /// as `+0.35/12`.
    fn from_str(text: &str) -> Result<SearchEvaluation, SyntaxError> {
        parse_whole_string(grammar::parse_score_and_depth, text)
    }
}

impl GameRecord {
    /// Creates a record without moves.
    pub fn new(tags: Vec<(String, String)>) -> GameRecord {
        GameRecord {
            tags,
            comment: String::new(),
            moves: Vec::new(),
            result: RECORD_RESULT_STRINGS[3].into(),
            unread: UnreadElements::default(),
        }
    }

    /// Parses a text that contains one record.
    ///
    /// # Errors
    /// If the text has another form. The column of the error counts all characters of the text.
    pub fn parse(text: &str) -> Result<GameRecord, SyntaxError> {
        let mut record = parse_whole_string(grammar::parse_one_record, text)?;
        unread_elements::set_element_line_numbers([&mut record.unread], text);
        Ok(record)
    }

    /// Parses a text that contains any number of records, one after another.
    ///
    /// # Errors
    /// If a record has another form. The column of the error counts all characters of the text.
    pub fn parse_all(text: &str) -> Result<Vec<GameRecord>, SyntaxError> {
        let mut records = parse_whole_string(grammar::parse_all_records, text)?;
        unread_elements::set_element_line_numbers(
            records.iter_mut().map(|record| &mut record.unread),
            text,
        );
        Ok(records)
    }

    /// Returns whether the game begins with these moves.
    pub fn begins_with(&self, moves: &[String]) -> bool {
        self.moves.len() >= moves.len()
            && self.moves.iter().zip(moves).all(|(mv, text)| mv.text == *text)
    }

    /// Returns the values of all tags with this name, ignoring case.
    pub fn tag_values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.tags
            .iter()
            .filter(move |(tag, _)| tag.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Returns the number of moves, including all variations.
    pub fn len_with_variations(&self) -> usize {
        notes::count_moves_with_variations(&self.moves)
    }

    /// Returns the record as text. `turns` are the turns of the main line: pairs of the player's
    /// index and the full-move number. The full-move number is written before the first move,
    /// before each move with a new number, and after a comment or a variation.
    pub fn text(&self, turns: impl IntoIterator<Item = (usize, u32)>) -> String {
        record_writer::format_record(self, turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> GameRecord {
        GameRecord {
            tags: vec![
                ("Game".into(), "quoridor".into()),
                ("Fen".into(), "e2e8 - b 10/10 4".into()),
            ],
            moves: ["e7", "e3h", "e6"].map(|text| RecordedMove::from(text.to_string())).to_vec(),
            ..GameRecord::new(Vec::new())
        }
    }

    #[test]
    fn records_round_trip() {
        let text = record().text(two_player_turns_from((4, Side::Second)));
        assert_eq!(text, "[Game \"quoridor\"]\n[Fen \"e2e8 - b 10/10 4\"]\n4... e7 5. e3h e6 *");
        assert_eq!(GameRecord::parse(&text), Ok(record()));
        let long =
            GameRecord { moves: vec![RecordedMove::from("e3h".to_string()); 300], ..record() };
        let text = long.text(two_player_turns_from((1, Side::First)));
        assert!(text.lines().all(|line| line.len() < 80));
        assert_eq!(GameRecord::parse(&text), Ok(long));
    }

    #[test]
    fn records_follow_one_another() {
        let next = GameRecord { moves: vec![], result: "0-1".into(), ..record() };
        let text = format!(
            "{}\n\n{}\n",
            record().text(two_player_turns_from((4, Side::Second))),
            next.text(two_player_turns_from((4, Side::Second)))
        );
        assert_eq!(GameRecord::parse_all(&text), Ok(vec![record(), next]));
        assert_eq!(GameRecord::parse_all(" ; nothing"), Ok(vec![]));
        assert_eq!(GameRecord::parse_all("e2 1-0 [Game").unwrap_err().column, 13);
        assert_eq!(GameRecord::parse_all("e2 e8").unwrap(), [GameRecord::parse("e2 e8").unwrap()]);
    }

    #[test]
    fn the_number_1_after_an_empty_line_begins_a_game() {
        for (text, games) in [
            ("1. a b\n\n1. c d", vec![vec!["a", "b"], vec!["c", "d"]]),
            ("1. a (b) b {x}\r\n \t\r\n\r\n1.c", vec![vec!["a", "b"], vec!["c"]]),
            ("[A \"b\"]\n\n1. a\n\n1. c", vec![vec!["a"], vec!["c"]]),
            ("1. a\n\n; of c\n\n% x\n1. c", vec![vec!["a"], vec!["c"]]),
            ("1. a\n\n1... b\n\n2. c\n\n1. ... d", vec![vec!["a", "b", "c", "d"]]),
            ("5. a b\n\n6. c d\n\n11. e 1\u{2026} f", vec![vec!["a", "b", "c", "d", "e", "f"]]),
            ("1. a\n1. c", vec![vec!["a", "c"]]),
            ("1. a\n\n1.\n", vec![vec!["a"]]),
            ("1. a (1. b\n\n1. c)", vec![vec!["a"]]),
        ] {
            let read = GameRecord::parse_all(text).unwrap();
            let found: Vec<Vec<&str>> = read
                .iter()
                .map(|game| game.moves.iter().map(|mv| mv.text.as_str()).collect())
                .collect();
            assert_eq!(found, games, "{text}");
            assert_eq!(GameRecord::parse(text).is_ok(), games.len() == 1, "{text}");
            if text.contains("of c") {
                assert_eq!((&read[0].comment[..], &read[1].comment[..]), ("", "of c"));
                assert!(read[0].unread.is_empty() && !read[1].unread.is_empty());
            }
        }
    }

    #[test]
    fn all_move_numbers_and_comments_are_read() {
        for numbers in ["4...e7 {} 5.e3h", "4\u{2026} e7, 5. e3h,", "4. ... e7 5.\u{2026}e3h"] {
            let text =
                format!("\u{feff}[Game \"quoridor\"] [Fen \"e2e8 - b 10/10 4\"]\n\n{numbers} e6 *");
            assert_eq!(GameRecord::parse(&text), Ok(record()), "{text}");
        }
        let text = "\u{feff}; by hand\n[Game \"quoridor\"] {x} [Fen \"e2e8 - b 10/10 4\"]\n\
                    # y\n\n4... e7 e3h# e6 *\n# end\n";
        let mut read = GameRecord::parse(text).unwrap();
        assert_eq!(GameRecord::parse_all(text), Ok(vec![read.clone()]));
        assert_eq!(read.comment, "by hand x y");
        assert_eq!(read.moves[1].text_with_suffix_signs(), "e3h#");
        assert_eq!(read.moves.pop().unwrap().notes().comment, "end");
        let two = GameRecord::parse_all("e2 * {of the second} [Game \"x\"] * ; of it").unwrap();
        assert_eq!((two.len(), &two[1].comment[..]), (2, "of the second of it"));
        let quoted = GameRecord::parse("[Event \"a \\\"good\\\" one\"] [Game \"x\"]").unwrap();
        assert_eq!(quoted.tag_values("game").collect::<Vec<_>>(), ["x"]);
        assert_eq!(
            unescape_tag_value(quoted.tag_values("Event").next().unwrap()),
            "a \"good\" one"
        );
        assert_eq!(GameRecord::parse(""), Ok(GameRecord::new(vec![])));
        let coordinates = GameRecord::parse("1. (5,2)! ((5,8)?) *").unwrap();
        assert_eq!(
            (&coordinates.moves[0].text[..], coordinates.len_with_variations()),
            ("(5,2)", 2)
        );
    }

    #[test]
    fn annotations_belong_to_their_moves() {
        let text = "[A \"b\"] {before all} 1. a! {[%clk 0:01:02.5] one\n two} ; three\n\
                    (1. b $14 $2 b2 (c) {after c}) ({of d} d) 1... e??*";
        let read = GameRecord::parse(text.replace("??*", "?? *").as_str()).unwrap();
        assert_eq!(read.comment, "before all");
        let [a, e] = &read.moves[..] else { panic!("{read:?}") };
        let notes = a.notes();
        assert_eq!((&a.text[..], &notes.glyphs[..], notes.clock), ("a", &[1][..], Some(62_500)));
        assert_eq!(notes.comment, "one two three");
        let [b, d] = &notes.variations[..] else { panic!("{read:?}") };
        assert_eq!((b.len(), b[0].notes().glyphs.clone()), (2, vec![14, 2]));
        assert_eq!(
            (&b[1].notes().variations[0][0].text[..], &b[1].notes().comment[..]),
            ("c", "after c")
        );
        assert_eq!((&d[0].notes().comment[..], &e.notes().glyphs[..]), ("of d", &[4][..]));
        assert_eq!(read.len_with_variations(), 6);
        let written = read.text(two_player_turns_from((1, Side::First)));
        assert_eq!(
            written,
            "[A \"b\"]\n{before all} 1. a! {[%clk 0:01:02.500]} {one two three} (1. b $14 $2 b2\n\
             {after c} (1... c)) (1. d {of d}) 1... e?? *"
        );
        assert_eq!(GameRecord::parse(&written), Ok(read));
    }

    #[test]
    fn signs_are_separated_from_their_moves() {
        for (written, text, signs, glyphs) in [
            ("a+", "a", "+", &[][..]),
            ("a≡!", "a", "≡", &[1]),
            ("a=#≠+≡!?", "a", "=#≠+≡", &[5]),
            ("a???", "a", "???", &[]),
            ("a?!=", "a", "?!=", &[]),
            ("(5,2)?", "(5,2)", "", &[2]),
            ("!", "!", "", &[]),
        ] {
            let mv = RecordedMove::from(written.to_string());
            let notes = mv.notes();
            assert_eq!((&mv.text[..], &notes.signs[..], &notes.glyphs[..]), (text, signs, glyphs));
            let record = GameRecord { moves: vec![mv], ..GameRecord::new(Vec::new()) };
            assert_eq!(record.text([(0, 1)]), format!("1. {written} *"));
        }
    }

    #[test]
    fn a_mark_after_signs_alone_is_a_glyph() {
        for text in ["1. ! $1 *", "1. += $2 *"] {
            let record = GameRecord::parse(text).unwrap();
            assert_eq!(record.text([(0, 1)]), text);
        }
    }

    /// Every comment that is written can be read back unchanged.
    #[test]
    fn comments_round_trip() {
        for said in [
            "+0.35/12",
            "-1.00/3",
            "[%clk 0:00:01]",
            "a [[%clk 0:00:01] [%clk]",
            "}",
            "}}",
            "a } b }} c",
            "{",
            "; $1 (x) 1-0",
            "<b>&amp;</b>",
            "*/ \\ \" '",
            "Привет ≠ 🙂",
            "[Game \"x\"]",
            "\u{202e}abc",
        ] {
            let mut annotated = record();
            annotated.comment = said.into();
            annotated.moves[1].notes_mut().comment = said.into();
            let text = annotated.text(two_player_turns_from((4, Side::Second)));
            assert_eq!(GameRecord::parse(&text), Ok(annotated.clone()), "{text}");
            let one_line = text.replace('\n', " ");
            assert_eq!(GameRecord::parse(&one_line), Ok(annotated), "{text}");
            assert_eq!(find_line_comment_column(&one_line), None, "{text}");
        }
        assert_eq!(normalise_comment(" a\t b\r\nc "), Ok("a b c".into()));
        assert_eq!(normalise_comment("a\u{1b}[2Jb"), Err(CommentError::ControlCharacter { at: 2 }));
        assert!(
            normalise_comment(&"é".repeat(MAX_COMMENT_LENGTH)).is_ok()
                && normalise_comment(&"é".repeat(MAX_COMMENT_LENGTH + 1)).is_err()
        );
    }

    /// The fuzz target `records` found a record of this form whose comment was lost.
    #[test]
    fn a_comment_on_a_game_without_tags_is_preserved() {
        for text in ["{of all} 1. e2 *", "\u{feff} ; of all\n1. e2 *", "1.;of all"] {
            let read = GameRecord::parse(text).unwrap();
            assert_eq!(read.comment, "of all", "{text}");
            assert_eq!(
                GameRecord::parse(&read.text(two_player_turns_from((1, Side::First)))),
                Ok(read.clone()),
                "{text}"
            );
            assert_eq!(GameRecord::parse_all(text), Ok(vec![read]), "{text}");
        }
    }

    #[test]
    fn clock_times_may_be_anywhere_in_a_comment() {
        for (comment, clock, rest) in [
            ("{[%clk 0:48:15]}", Some(2_895_000), ""),
            ("{ [%eval 0.3] [%clk 0:48:15] }", Some(2_895_000), "[%eval 0.3]"),
            ("{one [%clk 0:00:01.5 ] two}", Some(1_500), "one two"),
            ("{[%emt 0:00:03]}", None, "[%emt 0:00:03]"),
            ("{[%clk 0:00:01] [%clk 0:00:02]}", Some(1_000), "[%clk 0:00:02]"),
            ("{[%clk 0:00:01]} {[%clk 0:00:02]}", Some(1_000), "[%clk 0:00:02]"),
            ("{[[%clk 0:00:01]}", None, "[%clk 0:00:01]"),
            ("{a[[[%clk 0:00:01]}", None, "a[[%clk 0:00:01]"),
            ("{[%clk 48:15]}", None, "[%clk 48:15]"),
            ("{[%clk 10000:00:00]}", None, "[%clk 10000:00:00]"),
        ] {
            let read = GameRecord::parse(&format!("e2 {comment} *")).unwrap();
            let notes = read.moves[0].notes();
            assert_eq!((notes.clock, &notes.comment[..]), (clock, rest), "{comment}");
            assert_eq!(
                GameRecord::parse(&read.text(two_player_turns_from((1, Side::First)))),
                Ok(read)
            );
        }
    }

    #[test]
    fn a_clock_time_before_a_variation_belongs_to_its_first_move() {
        let text = "{[%clk 0:00:09]} e2 ({a [%clk 0:00:01]} {[%clk 0:00:02]} e3) *";
        let read = GameRecord::parse(text).unwrap();
        assert_eq!(read.comment, "[%clk 0:00:09]");
        let notes = read.moves[0].notes().variations[0][0].notes();
        assert_eq!((notes.clock, &notes.comment[..]), (Some(1_000), "a [%clk 0:00:02]"));
        let written = read.text(two_player_turns_from((1, Side::First)));
        assert_eq!(GameRecord::parse(&written), Ok(read));
    }

    #[test]
    fn lines_for_other_programs_are_reported() {
        let text =
            "%one\n[Game \"x\"]\n% two\n1. e2 *\n\n\n% three\n[Game \"y\"] e2\n  %four\n*\n%";
        let all = GameRecord::parse_all(text).unwrap();
        let reports: Vec<String> = all.iter().map(|record| record.unread.to_string()).collect();
        let twice = "not read: a line that begins with % (2 times, first in line 1)";
        let thrice = "not read: a line that begins with % (3 times, first in line 7)";
        assert_eq!(reports, [twice, thrice]);
        assert!(GameRecord::parse("e2 %").is_err() && GameRecord::parse("e2 # x").is_err());
    }

    #[test]
    fn no_line_of_the_text_begins_inside_a_comment() {
        let mut annotated = record();
        annotated.moves[0].notes_mut().comment =
            "readyok bestmove e2 ".repeat(40).trim_end().into();
        let text = annotated.text(two_player_turns_from((4, Side::Second)));
        assert!(text.lines().skip(2).all(|line| line.starts_with(['{', '4', '5'])), "{text}");
    }

    #[test]
    fn a_new_main_line_preserves_annotations() {
        let parse = |text| GameRecord::parse(text).unwrap();
        let replaced = |text, moves: &str| {
            let moves =
                moves.split_whitespace().map(|text| RecordedMove::from(text.to_string())).collect();
            parse(text).with_main_line(moves).text(two_player_turns_from((1, Side::First)))
        };
        assert_eq!(replaced("a {x} b c *", "a b"), "1. a {x} 1... b *");
        // The old continuation was not annotated.
        assert_eq!(replaced("a {x} b c *", "a d e"), "1. a {x} 1... d 2. e *");
        assert_eq!(replaced("a b c! *", "a d"), "1. a d (1... b 2. c!) *");
        assert_eq!(
            replaced("a b (d e {y}) (f) c *", "a d e! g"),
            "1. a d (1... b 2. c) (1... f) 2. e! {y} 2... g *"
        );
        assert_eq!(replaced("a+ {x} b *", "a b!"), "1. a+ {x} 1... b! *");
        assert_eq!(replaced("a+ {x} b *", "a≠ b"), "1. a≠ {x} 1... b *");
        assert_eq!(replaced("a *", ""), "*");
    }

    /// A parser that scans the rest of the text at each token would need many minutes here.
    #[test]
    fn tokens_without_blanks_are_read_in_one_pass() {
        for token in [
            "1.",
            "$1",
            "1-0;\n",
            "e2{}",
            "e2{+0.1/1}",
            "1.{",
            "e2(e3)",
            "e2{}}x}",
            "e2 ",
            "e2;x\n",
            "e2\n\n{x}\n\n",
            "1. e2\n\n%\n\n",
        ] {
            let text = token.repeat(1 << 18);
            assert_ne!(GameRecord::parse(&text).map(|record| record.tags.len()), Ok(1), "{token}");
            assert_ne!(GameRecord::parse_all(&text).map(|records| records.len()), Ok(0), "{token}");
        }
    }

    #[test]
    fn comments_that_end_with_their_line_are_found() {
        assert_eq!(find_line_comment_column("[A \"a;\\\";b\"] {c;} e2 *"), None);
        assert_eq!(find_line_comment_column("[A \"b\"] ; c"), Some(9));
        assert_eq!(find_line_comment_column("{a \" b} e2 ;"), Some(12));
        assert_eq!(find_line_comment_column(" # e2"), Some(2));
        assert_eq!(find_line_comment_column("e2# %"), None);
        assert_eq!(find_line_comment_column("{a }} ; b} e2 ;"), Some(15));
    }

    #[test]
    fn evaluations_follow_their_moves() {
        let evaluated = |centipawns, depth| {
            let mut record = record();
            record.moves[1].evaluation = Some(SearchEvaluation { centipawns, depth });
            record
        };
        for (centipawns, depth, text) in
            [(35, 12, "{+0.35/12}"), (-1207, 0, "{-12.07/0}"), (0, 7, "{+0.00/7}")]
        {
            let written =
                evaluated(centipawns, depth).text(two_player_turns_from((4, Side::Second)));
            assert!(written.ends_with(&format!("4... e7 5. e3h {text} e6 *")), "{written}");
            assert_eq!(GameRecord::parse(&written), Ok(evaluated(centipawns, depth)));
        }
        for other in ["{0.35/12}", "{+0.3/12}", "{+0.35}", "{+99999999.00/1}", "{+0.35/12 }"] {
            let text =
                format!("[Game \"quoridor\"] [Fen \"e2e8 - b 10/10 4\"] e7 e3h {other} e6 *");
            let mut expected = record();
            expected.moves[1].notes_mut().comment = other[1..other.len() - 1].trim().into();
            assert_eq!(GameRecord::parse(&text), Ok(expected), "{other}");
        }
    }

    #[test]
    fn invalid_records_are_rejected_with_a_column() {
        let error = |text: &str| GameRecord::parse(text).unwrap_err().to_string();
        assert_eq!(error("[Game quoridor]"), "column 7: expected \", found 'quoridor]'");
        assert_eq!(error("[Game \"x\""), "column 10: expected ], found the end");
        assert_eq!(error("e2 1-0 e8"), "column 8: expected the end of the record, found 'e8'");
        assert_eq!(error("e2 { open"), "column 4: expected a comment that ends in }, found '{'");
        assert_eq!(
            error("e2 (e3"),
            "column 7: expected ) at the end of the variation, found the end"
        );
        assert_eq!(
            error("e2 (e3 1-0)"),
            "column 8: expected ) at the end of the variation, found '1-0)'"
        );
        assert_eq!(error("(e3)"), "column 1: expected a move before its variation, found '(e3)'");
        for glyph in ["$256", "$99999999999", "$", "$x"] {
            let error = error(&format!("e2 {glyph} e8"));
            let expected = format!("column 4: expected a glyph from $0 to $255, found '{glyph}'");
            assert_eq!(error, expected);
        }
        assert_eq!(
            error("[P1 \"a\"]\n[p1 \"b\"]"),
            "column 11: expected each tag only once, found 'p1'"
        );
        assert!(
            error("[Option \"A=1\"] [Option \"B=1\"] [Option \"a=2\"]")
                .contains("column 40: expected each option only once, found 'a=2")
        );
        assert_eq!(error("$1 e2"), "column 1: expected a move before its glyph, found '$1'");
        assert_eq!(error("e2 ()"), "column 5: expected a move of the variation, found ')'");
        assert_eq!(error("e2 )"), "column 4: expected a move or a result, found ')'");
        assert_eq!(
            error("e2 {a\u{7}b}"),
            "column 6: expected text without control characters, found '\\u{7}b}'"
        );
        assert!(
            error("[P1 \"\u{9b}\"]")
                .starts_with("column 6: expected text without control characters, found '")
        );
        let long = format!("e2 {{{}}}", "x".repeat(MAX_COMMENT_LENGTH + 1));
        assert!(
            error(&long)
                .starts_with("column 4: expected comments of at most 10000 characters together")
        );
    }

    /// Deeply nested variations cannot cause unlimited recursion.
    #[test]
    fn nesting_of_variations_is_limited() {
        let nested = |depth: usize| format!("{}a{} *", "a (".repeat(depth), ")".repeat(depth));
        let deepest = GameRecord::parse(&nested(MAX_VARIATION_NESTING)).unwrap();
        assert_eq!(deepest.len_with_variations(), MAX_VARIATION_NESTING + 1);
        assert_eq!(
            GameRecord::parse(&deepest.text(two_player_turns_from((1, Side::First)))),
            Ok(deepest.clone())
        );
        assert!(notes::is_variation_nesting_at_most(&deepest.moves, MAX_VARIATION_NESTING));
        let below =
            GameRecord { moves: [vec!["x".to_string().into()], deepest.moves].concat(), ..deepest };
        assert!(notes::is_variation_nesting_at_most(&below.moves, MAX_VARIATION_NESTING));
        // The old line would be nested too deeply as a variation.
        assert_eq!(below.with_main_line(vec!["b".to_string().into()]).len_with_variations(), 1);
        for depth in [MAX_VARIATION_NESTING + 1, 10_000, 1_000_000] {
            let error = GameRecord::parse(&nested(depth)).unwrap_err();
            assert_eq!((error.column, &error.expected[..]), (303, "at most 100 nested variations"));
        }
    }
}
