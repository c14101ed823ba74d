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
    /// Returns the names of each side's clock and increment in a `go` command, the first side's
    /// first.
    pub fn go_clock_names(self) -> [(&'static str, &'static str); 2] {
        match self {
            EngineProtocol::Ugi => [("p1time", "p1inc"), ("p2time", "p2inc")],
            EngineProtocol::Uci => [("wtime", "winc"), ("btime", "binc")],
        }
    }
}
