//! The opening books of the presets `modern` and `bell`, and the openings for matches. Light
//! follows the books to win from the start with `c2c3`.
//!
//! The books are proofs. `pentarch prove` generates and checks these proofs. A book has Light's
//! reply to every move of Dark. `docs/games/alquerque.md` describes where each book ends.
//!
//! The book of `modern` never makes a step that `Retreat player` forbids to Light, and the book
//! wins even if Dark may make every step. Therefore the book is valid with `Retreat player` and
//! with `Retreat free`.
//!
//! Under `bell` every game ends, and no game is a draw. There are three reasons. A checker that
//! must not take back its last step moves along each rank in one direction only. A checker can go
//! backwards only by a capture. A side that cannot move has lost.
//!
//! # How to generate them
//!
//! These commands generate the books:
//!
//! ```text
//! $ pentarch --game alquerque prove --side light --tables 8 --memory 3000 --book modern.book \
//!     startpos moves c2c3
//! light wins in at most 130 plies: 204779 replies, 415450 positions checked
//! Nodes: 18743865
//! ...
//! $ pentarch --game alquerque --set Alquerque_Ruleset=bell prove --side light --memory 8000 \
//!     --book bell.book startpos moves c2c3
//! light wins in at most 104 plies: 2136920 replies, 3345492 positions checked
//! Nodes: 95340809
//! ...
//! ```
//!
//! The first line of each output describes the proof. The book wins a little sooner than the proof,
//! because positions that differ only in their past share the move of the shortest win.
//!
//! | book | proof | book | numbers | size |
//! |---|---|---|---|---|
//! | `modern` | 5 minutes of computing, 3.4 GB | 5 minutes | 775,974 | 954,504 bytes |
//! | `bell` | 6 minutes, 9.1 GB | half a minute | 790,498 | 972,369 bytes |
//!
//! # The other first moves
//!
//! `prove` also determined the results of the other first moves. The options were `--tables 8
//! --memory 2500` under `modern` and `--memory 8000` under `bell`:
//!
//! | preset | first move | option | result | nodes |
//! |---|---|---|---|---|
//! | `modern` | `d2c3` | `--side dark` | dark wins in at most 135 plies | 1,328,692 |
//! | `modern` | `d3c3` | `--side dark` | dark wins in at most 135 plies | 7,464,508 |
//! | `modern` | `b2c3` | `--side light` | light does not win | 3,891,212 |
//! | `modern` | `b2c3` | `--side dark` | dark does not win | 813,819 |
//! | `bell` | `d2c3` | `--side dark` | dark wins in at most 77 plies | 4,124,480 |
//! | `bell` | `d3c3` | `--side dark` | dark wins in at most 103 plies | 53,266,783 |
//! | `bell` | `b2c3` | `--side dark` | dark wins in at most 107 plies | 34,063,536 |

use pentarch_core::search_file;
use pentarch_core::{
    Exercises, Handicap, LoadableFile, MatchOpenings, OpeningBook, Options, SearchDataFile,
    SearchDataFiles,
};

use super::Alquerque;
use super::position::Position;
use super::rules::{
    BaseRowRule, CaptureRemovalRule, MissedCaptureRule, MovementRule, MultiCaptureRule,
    RULESET_OPTION, RetreatBanRule,
};

/// The book of the preset `modern`. The book ends at positions that are in the tablebases.
static MODERN_OPENING_BOOK: SearchDataFile<[u8]> = search_file!("modern.book");
/// The book of the preset `bell`. The book continues to the end of the game.
static BELL_OPENING_BOOK: SearchDataFile<[u8]> = search_file!("bell.book");

impl Alquerque {
    /// Returns the book for these rules. The book of `modern` is proved for rules in which
    /// REQ.25.ALT.3 binds Light but not Dark. Therefore the book wins with and without that rule.
    fn opening_book_file(&self) -> Option<&'static SearchDataFile<[u8]>> {
        let has_book_rules = self.multi_capture == MultiCaptureRule::Complete
            && self.removal == CaptureRemovalRule::Instant
            && self.missed_capture == MissedCaptureRule::Illegal
            && self.blocked_loses;
        match (self.movement, self.retreat) {
            (MovementRule::Free, RetreatBanRule::Free | RetreatBanRule::Player)
                if has_book_rules =>
            {
                Some(&MODERN_OPENING_BOOK)
            }
            (MovementRule::Bell(BaseRowRule::Free), RetreatBanRule::Checker) if has_book_rules => {
                Some(&BELL_OPENING_BOOK)
            }
            _ => None,
        }
    }
}

impl OpeningBook for Alquerque {
    fn opening_book(&self, position: &Position) -> Option<&'static [u8]> {
        let checkers = position.occupied_points().count_ones() as usize;
        if self.movement == MovementRule::Free && checkers <= self.max_checkers_of_exact_tables() {
            return None;
        }
        self.opening_book_file()?.contents()
    }
}

impl SearchDataFiles for Alquerque {
    fn search_data_files(&self) -> Vec<&'static dyn LoadableFile> {
        self.opening_book_file().into_iter().map(|book| book as &dyn LoadableFile).collect()
    }
}

impl MatchOpenings for Alquerque {
    /// Returns the match openings of the preset with these rules. The rule for draws by repetition
    /// may differ.
    fn match_openings(&self) -> Option<&'static str> {
        for (preset, openings) in [
            ("modern", include_str!("../openings/modern.txt")),
            ("alfonso", include_str!("../openings/alfonso.txt")),
            ("bell", include_str!("../openings/bell.txt")),
        ] {
            let mut options = Options::default();
            if options.set(&RULESET_OPTION, preset).is_err() {
                continue;
            }
            let rules = Alquerque::new(&options);
            if (Alquerque { repetition_draws: self.repetition_draws, ..rules }) == *self {
                return Some(openings);
            }
        }
        None
    }

    fn handicaps(&self) -> Vec<Handicap> {
        let handicap = |count| Handicap::without_pieces(self, ['o', 'x'], count, "checkers");
        (1..=2).map(handicap).collect()
    }
}

impl Exercises for Alquerque {
    const PROBLEM_RECORDS: &'static str = include_str!("../problems.txt");
    const DRILL_POSITIONS: &'static str = include_str!("../drills.txt");
}
