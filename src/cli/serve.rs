//! The subcommand `serve`: a page for a browser.

use clap::Args;

use crate::cli::arguments::number_parser;
use crate::serve::Plan;

/// Serves a page on which you play all games in a browser on this machine.
///
/// It prints the address of the page, and serves it until Ctrl-C. Each tab of the browser has a
/// separate session. The server is reachable only from this machine, and only with the address,
/// which stays the same at the next start.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArguments {
    /// The port to listen on [default: 29405, or the first free one after it]
    #[arg(long, value_name = "N", value_parser = number_parser::<u16>(1024, 65_535))]
    port: Option<u16>,

    /// Open the page in the browser also
    #[arg(long)]
    open: bool,

    /// Give the page a new address; the old one stops working
    #[arg(long)]
    new_token: bool,
}

impl ServeArguments {
    /// Returns the settings of the server.
    pub fn plan(&self) -> Plan {
        Plan { port: self.port, new_token: self.new_token, open: self.open }
    }
}

const EXAMPLES: &str = "\
Examples:
  pentarch serve                    prints an address to open in a browser
  pentarch serve --open             opens the page also
  pentarch serve --port 8000        on this port
  pentarch serve --new-token        at a new address
  pentarch --set Threads=4 serve    every session begins with these options

A browser stores the games of the page for the address with its port: on another port there are others.
docs/page-server.md says what the server rejects, and where it stores the address.";
