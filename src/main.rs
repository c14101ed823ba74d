//! The program: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    pentarch::run(&pentarch_games::BuiltinRules::list_games())
}
