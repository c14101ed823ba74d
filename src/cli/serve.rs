//! The subcommand `serve`: a page for a browser.

use clap::Args;

use crate::cli::arguments::number;
use crate::serve::Plan;

/// Serves a page on which a browser on this machine plays all games.
///
/// It prints the address of the page, and serves it until Ctrl-C. Each tab of the browser is a session of its own. Only
/// this machine reaches the server, and only who knows the address. The address is the same at the next start.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArguments {
    /// The port to listen on [default: 29405, or the first after it that is not taken]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1024, 65_535))]
    port: Option<u16>,

    /// Open the page in the browser, too
    #[arg(long)]
    open: bool,

    /// Give the page another address than before, which who knows the old one does not know
    #[arg(long)]
    new_token: bool,
}

impl ServeArguments {
    /// How the page is served.
    pub fn plan(&self) -> Plan {
        Plan { port: self.port, new_token: self.new_token, open: self.open }
    }
}

const EXAMPLES: &str = "\
Examples:
  pentarch serve                    prints an address to open in a browser
  pentarch serve --open             opens it, too
  pentarch serve --port 8000        on this port
  pentarch serve --new-token        at an address that nobody has seen before
  pentarch --set Threads=4 serve    every session begins with these options

A browser keeps the games of the page for the address with its port: on another port there are others.
docs/page-server.md says what the server refuses, and where it keeps the address.";
