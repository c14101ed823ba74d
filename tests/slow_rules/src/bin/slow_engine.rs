//! An engine that speaks UGI and knows only the slow rules. It does not search, and checks neither
//! FENs nor the forms of moves.

fn main() {
    pentarch_slow_rules::ugi::run();
}
