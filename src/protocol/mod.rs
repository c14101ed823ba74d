//! The line protocols: the Universal Game Interface (UGI), which is UCI for any two-player game with `query`; UCI
//! itself; and the Go Text Protocol (GTP).
//!
//! | module | what it holds |
//! |---|---|
//! | [`ugi`] | UGI and UCI: the grammar of commands, the event loop, the answers |
//! | [`gtp`] | GTP, for Go front ends |
//! | [`uci_lines`] | the lines of UCI for options and reports |

pub mod gtp;
pub mod uci_lines;
pub mod ugi;
