//! The subcommand `serve`: a page for a browser.

use clap::Args;

use crate::io::arguments::number;

/// Serves a page on which a browser on this machine plays all games.
///
/// It prints the address of the page, and serves it until Ctrl-C. Each tab of the browser is a session of its own. Only
/// this machine reaches the server, and only who knows the address, which is another one at every start.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArguments {
    /// The port to listen on [default: one that is free]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1024, 65_535))]
    pub port: Option<u16>,

    /// Open the page in the browser, too
    #[arg(long)]
    pub open: bool,
}

const EXAMPLES: &str = "\
Examples:
  pentarch serve                    prints an address to open in a browser
  pentarch serve --open             opens it, too
  pentarch serve --port 8000        on this port
  pentarch --set Threads=4 serve    every session begins with these options

docs/page-server.md says what the server refuses.";
