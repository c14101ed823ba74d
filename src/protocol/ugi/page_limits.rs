//! What a session may reach beside its games.

use pentarch_core::rules::options::TABLE_PATH;
use pentarch_core::{OptionKind, OptionSpec, Options, SpinOption};
use pentarch_engine::options::{HASH, THREADS};

use super::command::Command;
use super::error::{CommandError, CommandFault};

/// Who gives the commands of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The person who has started the program, or a program of theirs: nothing is refused.
    Full,
    /// A page in a browser. It names no files, and takes a limited share of the machine, so that a
    /// page that is not what it seems can do little harm.
    Page,
}

/// The most moves that a game of a page may have: each thread of a search has a copy of them.
pub const MOST_MOVES: usize = 10_000;
/// The most that a page may set an option to, unless the command line has set it to more.
const PAGE_LIMITS: [(SpinOption, i64); 2] = [(HASH, 256), (THREADS, 8)];

impl Access {
    /// Checks that the session may give this command. `made` says how many moves the game has.
    ///
    /// # Errors
    /// If the command names a file, or makes the game too long, and the session may not.
    pub fn check(self, command: &Command, made: impl Fn() -> usize) -> Result<(), CommandError> {
        if self == Access::Full {
            return Ok(());
        }
        let moves = match command {
            Command::Load(_) | Command::Record(Some(_)) => {
                return Err(CommandFault::NoFiles { what: "the name of a file" }.into());
            }
            Command::Play(moves) => made() + moves.len(),
            Command::Position { moves, .. } => moves.len(),
            // Each move is a word, so that there are not more moves than words.
            Command::LoadText(record) => record.split_whitespace().count(),
            _ => 0,
        };
        if moves > MOST_MOVES {
            return Err(CommandFault::TooManyMoves.into());
        }
        Ok(())
    }

    /// An option with the values that the session may set it to. `initial` are the options before
    /// the first command.
    ///
    /// # Errors
    /// If the session may not set it at all.
    pub fn option(self, spec: &OptionSpec, initial: &Options) -> Result<OptionSpec, CommandError> {
        let limit = PAGE_LIMITS.iter().find(|(limited, _)| limited.spec == *spec);
        match (self, spec.kind, limit) {
            (Access::Page, ..) if *spec == TABLE_PATH.spec => {
                Err(CommandFault::NoFiles { what: spec.name }.into())
            }
            (Access::Page, OptionKind::Spin { default, min, max }, Some((option, most))) => {
                let max = max.min(*most.max(&initial.number(option)));
                Ok(OptionSpec { kind: OptionKind::Spin { default, min, max }, ..*spec })
            }
            _ => Ok(*spec),
        }
    }
}
