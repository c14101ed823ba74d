//! The restrictions of a session on file names, memory and threads.

use pentarch_core::rules::options::TABLE_PATH_OPTION;
use pentarch_core::{OptionKind, OptionSpec, Options, SpinOption};
use pentarch_engine::engine_options::{HASH_OPTION, THREADS_OPTION};

use super::command::Command;
use super::error::{CommandError, CommandFault};

/// The restrictions of a session. The restrictions depend on the sender of the commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionPermissions {
    /// Access without restrictions, for the person who started the program and for that person's
    /// programs.
    Full,
    /// Access for a page in a browser. The page cannot name files, and gets a limited share of the
    /// machine. So a malicious page can do little harm.
    Page,
}

/// The maximum number of moves in a game that a page in a browser sends. Each search thread has a
/// copy of these moves.
pub const MAX_PAGE_GAME_MOVES: usize = 10_000;
/// The maximum values that a page may set. A higher value from the command line replaces the
/// maximum.
const PAGE_OPTION_VALUE_LIMITS: [(SpinOption, i64); 2] = [(HASH_OPTION, 256), (THREADS_OPTION, 8)];

impl SessionPermissions {
    /// Checks that the session may give this command. `made` returns the number of moves of the
    /// current game.
    ///
    /// # Errors
    /// If the command names a file and the session may not name files, or if the game would become
    /// too long.
    pub fn check_command(
        self,
        command: &Command,
        made: impl Fn() -> usize,
    ) -> Result<(), CommandError> {
        if self == SessionPermissions::Full {
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
        if moves > MAX_PAGE_GAME_MOVES {
            return Err(CommandFault::TooManyMoves.into());
        }
        Ok(())
    }

    /// Returns an option with the range of values that the session may set. `initial` contains the
    /// options before the first command.
    ///
    /// # Errors
    /// If the session may not set the option at all.
    pub fn permitted_option_range(
        self,
        spec: &OptionSpec,
        initial: &Options,
    ) -> Result<OptionSpec, CommandError> {
        let limit = PAGE_OPTION_VALUE_LIMITS.iter().find(|(limited, _)| limited.spec == *spec);
        match (self, spec.kind, limit) {
            (SessionPermissions::Page, ..) if *spec == TABLE_PATH_OPTION.spec => {
                Err(CommandFault::NoFiles { what: spec.name }.into())
            }
            (
                SessionPermissions::Page,
                OptionKind::Spin { default, min, max },
                Some((option, most)),
            ) => {
                let max = max.min(*most.max(&initial.spin_value(option)));
                Ok(OptionSpec { kind: OptionKind::Spin { default, min, max }, ..*spec })
            }
            _ => Ok(*spec),
        }
    }
}
