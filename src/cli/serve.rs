//! The subcommand `serve`: serves a page for a browser.

use clap::Args;

use crate::cli::arguments::number_parser;
use crate::serve::ServeOptions;

/// Serves a page on which a browser on this machine plays all games.
///
/// It prints the address of the page, and serves it until Ctrl-C. Each tab of the browser is a
/// separate session. You can reach the server only from this machine, and only with the address.
/// The address stays the same at the next start.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct ServeArguments {
    /// The port to listen on [default: 29405, or the first free port after it]
    #[arg(long, value_name = "N", value_parser = number_parser::<u16>(1024, 65_535))]
    port: Option<u16>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Give the page a new secret address
    #[arg(long)]
    new_token: bool,
}

impl ServeArguments {
    /// Returns the options of the server.
    pub(super) fn serve_options(&self) -> ServeOptions {
        ServeOptions { port: self.port, new_token: self.new_token, open: self.open }
    }
}

const EXAMPLES_HELP: &str = "\
Examples:
  pentarch serve                    prints an address to open in a browser
  pentarch serve --open             also opens it
  pentarch serve --port 8000        on this port
  pentarch serve --new-token        at an address that nobody has seen before
  pentarch --set Threads=4 serve    every session begins with these options

A browser stores the games of the page by address and port: on another port you have other games.
docs/page-server.md says which requests the server rejects, and where it stores the address.";
