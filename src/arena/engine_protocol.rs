//! The protocols of engines.

/// The protocol that an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineProtocol {
    /// The Universal Game Interface.
    Ugi,
    /// The Universal Chess Interface.
    Uci,
}

impl EngineProtocol {
    /// Returns the names of the clock and the increment of each side in a `go` command. The first
    /// side comes first.
    pub fn go_clock_names(self) -> [(&'static str, &'static str); 2] {
        match self {
            EngineProtocol::Ugi => [("p1time", "p1inc"), ("p2time", "p2inc")],
            EngineProtocol::Uci => [("wtime", "winc"), ("btime", "binc")],
        }
    }
}
