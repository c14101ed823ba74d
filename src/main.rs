//! The program: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    pentarch::run(&pentarch::builtin_games())
}
