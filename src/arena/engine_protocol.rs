//! The protocols of engines, UGI and UCI, and the words in which they differ.

/// The protocol that an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineProtocol {
    /// The Universal Game Interface.
    Ugi,
    /// The Universal Chess Interface.
    Uci,
}

impl EngineProtocol {
    /// Returns the names that a `go` command has for the clock and the increment of each side, such
    /// as `wtime` and `winc`. The first side comes first.
    pub fn go_clock_argument_names(self) -> [(&'static str, &'static str); 2] {
        match self {
            EngineProtocol::Ugi => [("p1time", "p1inc"), ("p2time", "p2inc")],
            EngineProtocol::Uci => [("wtime", "winc"), ("btime", "binc")],
        }
    }
}
