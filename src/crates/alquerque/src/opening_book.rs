//! The opening books by which Light wins from the start under the presets `modern` and `bell`, by `c2c3`; and the
//! openings for matches.
//!
//! The books are proofs, made and checked by `pentarch prove`.
//!
//! A book has Light's reply to everything that Dark can do; `docs/games/alquerque.md` says how far each goes.
//!
//! The book of `modern` never makes a step that `Retreat player` forbids to Light, and it wins even if nothing is
//! forbidden to Dark. It is therefore right with `Retreat player` and with `Retreat free`.
//!
//! Under `bell` a game always ends, and never in a draw. A checker that must not take its last step back goes one way
//! along each rank, only a capture takes it back, and a side that cannot move has lost.
//!
//! # How they were made
//!
//! These commands make the books:
//!
//! ```text
//! $ pentarch --game alquerque prove --side light --tables 8 --memory 3000 --book modern.book startpos moves c2c3
//! light wins in at most 130 plies: 204779 replies, 415450 positions checked
//! Nodes: 18743865
//! ...
//! $ pentarch --game alquerque --set Alquerque_Ruleset=bell prove --side light --memory 8000 --book bell.book \
//!     startpos moves c2c3
//! light wins in at most 104 plies: 2136920 replies, 3345492 positions checked
//! Nodes: 95340809
//! ...
//! ```
//!
//! The first line of each answer is about the proof. The book wins a little sooner, because positions that differ only
//! in their past share the move of the shortest win.
//!
//! | book | proof | book | numbers | size |
//! |---|---|---|---|---|
//! | `modern` | 5 minutes of computing, 3.4 GB | 5 minutes | 775,974 | 954,484 bytes |
//! | `bell` | 6 minutes, 9.1 GB | half a minute | 790,498 | 972,349 bytes |
//!
//! # The other first moves
//!
//! Each was settled by `prove` with `--tables 8 --memory 2500` under `modern`, and with `--memory 8000` under `bell`:
//!
//! | preset | first move | asked with | answer | nodes |
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
    Exercises, LoadableFile, MatchOpenings, OpeningBook, Options, SearchFile, SearchFiles,
};

use super::Alquerque;
use super::position::Position;
use super::rules::{BaseRow, MissedCapture, Movement, MultiCapture, RULESET, Removal, Retreat};

/// The book of the preset modern, up to the positions that the tablebases hold.
static MODERN: SearchFile<[u8]> = search_file!("modern.book");
/// The book of the preset bell, up to the end of the game.
static BELL: SearchFile<[u8]> = search_file!("bell.book");

impl Alquerque {
    /// The book for these rules. That of modern is proved for rules that bind Light by REQ.25.ALT.3 but not Dark. So it
    /// wins whether that rule holds or not.
    fn book(&self) -> Option<&'static SearchFile<[u8]>> {
        let is_usual = self.multi_capture == MultiCapture::Complete
            && self.removal == Removal::Instant
            && self.missed_capture == MissedCapture::Illegal
            && self.blocked_loses;
        match (self.movement, self.retreat) {
            (Movement::Free, Retreat::Free | Retreat::Player) if is_usual => Some(&MODERN),
            (Movement::Bell(BaseRow::Free), Retreat::Checker) if is_usual => Some(&BELL),
            _ => None,
        }
    }
}

impl OpeningBook for Alquerque {
    fn opening_book(&self, position: &Position) -> Option<&'static [u8]> {
        let is_beyond_tables =
            position.occupied().count_ones() as usize > self.max_exact_checkers();
        self.book().filter(|_| self.movement != Movement::Free || is_beyond_tables)?.contents()
    }
}

impl SearchFiles for Alquerque {
    fn files(&self) -> Vec<&'static dyn LoadableFile> {
        self.book().into_iter().map(|book| book as &dyn LoadableFile).collect()
    }
}

impl MatchOpenings for Alquerque {
    /// There are openings for each preset, whether or not repetitions draw besides.
    fn openings(&self) -> Option<&'static str> {
        let lists = [
            ("modern", include_str!("../openings/modern.txt")),
            ("alfonso", include_str!("../openings/alfonso.txt")),
            ("bell", include_str!("../openings/bell.txt")),
        ];
        let is_preset = |name| {
            let mut options = Options::default();
            let is_set = options.set(&RULESET, name).is_ok();
            is_set
                && Alquerque { repetition_draws: self.repetition_draws, ..Alquerque::new(&options) }
                    == *self
        };
        lists.into_iter().find(|&(name, _)| is_preset(name)).map(|(_, list)| list)
    }
}

impl Exercises for Alquerque {
    const PROBLEMS: &'static str = include_str!("../problems.txt");
    const DRILLS: &'static str = include_str!("../drills.txt");
}
