//! The access of a session to files and resources.

use pentarch_core::rules::options::TABLE_PATH_OPTION;
use pentarch_core::{OptionKind, OptionSpec, Options, SpinOption};
use pentarch_engine::options::{HASH_OPTION, THREADS_OPTION};

use super::command::Command;
use super::error::{CommandError, CommandFault};

/// The access of a session, which depends on the sender of its commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionAccess {
    /// The person who started the program, or one of that person's programs: no restrictions.
    Full,
    /// A page in a browser. It cannot name files, and it gets a limited share of the machine. So a
    /// malicious page can do little harm.
    Page,
}

/// The maximum number of moves in a game of a page. Each search thread has a copy of them.
pub const MAX_PAGE_MOVES: usize = 10_000;
/// The maximum value that a page may set an option to, unless the command line has set it to a
/// higher one.
const PAGE_LIMITS: [(SpinOption, i64); 2] = [(HASH_OPTION, 256), (THREADS_OPTION, 8)];

impl SessionAccess {
    /// Checks that the session may give this command. `made` returns the number of moves of the
    /// current game.
    ///
    /// # Errors
    /// If the session may not name files and the command does, or if the game would become too
    /// long.
    pub fn check(self, command: &Command, made: impl Fn() -> usize) -> Result<(), CommandError> {
        if self == SessionAccess::Full {
            return Ok(());
        }
        let moves = match command {
            Command::Load(_) | Command::Record(Some(_)) => {
                return Err(CommandFault::NoFiles { what: "the name of a file" }.into());
            }
            Command::Play(moves) => made() + moves.len(),
            Command::Position { moves, .. } => moves.len(),
            // Each move is a word, so there are at most as many moves as words.
            Command::LoadText(record) => record.split_whitespace().count(),
            _ => 0,
        };
        if moves > MAX_PAGE_MOVES {
            return Err(CommandFault::TooManyMoves.into());
        }
        Ok(())
    }

    /// Returns an option with the values that the session may set it to. `initial` are the options
    /// before the first command.
    ///
    /// # Errors
    /// If the session may not set the option at all.
    pub fn limited_option(
        self,
        spec: &OptionSpec,
        initial: &Options,
    ) -> Result<OptionSpec, CommandError> {
        let limit = PAGE_LIMITS.iter().find(|(limited, _)| limited.spec == *spec);
        match (self, spec.kind, limit) {
            (SessionAccess::Page, ..) if *spec == TABLE_PATH_OPTION.spec => {
                Err(CommandFault::NoFiles { what: spec.name }.into())
            }
            (SessionAccess::Page, OptionKind::Spin { default, min, max }, Some((option, most))) => {
                let max = max.min(*most.max(&initial.number(option)));
                Ok(OptionSpec { kind: OptionKind::Spin { default, min, max }, ..*spec })
            }
            _ => Ok(*spec),
        }
    }
}
