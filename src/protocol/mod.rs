//! The line protocols:
//!
//! - The Universal Game Interface (UGI) is UCI for any two-player game, with the additional command
//!   `query`.
//! - UCI is the Universal Chess Interface.
//! - GTP is the Go Text Protocol.
//!
//! | module | contents |
//! |---|---|
//! | [`ugi`] | UGI and UCI: the grammar of commands, the event loop, the responses |
//! | [`gtp`] | GTP, for Go front ends |
//! | [`uci_lines`] | the lines of UCI for options and reports |

pub mod gtp;
pub mod uci_lines;
pub mod ugi;

use thiserror::Error;

use crate::io::output::InputOutputError;
use pentarch_system::memory::ThreadError;

/// An error that ends a session.
#[derive(Debug, Error)]
pub enum ProtocolRunError {
    /// No thread can be started to read the input.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// The input cannot be read, or the output cannot be written.
    #[error(transparent)]
    Stream(#[from] InputOutputError),
}
