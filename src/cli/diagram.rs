//! The subcommand `diagram`: draws a position as an image.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::CliError;
use crate::io::output::Output;
use crate::io::whole_files::{check_output_path, write_output_file};
use pentarch_core::Options;
use pentarch_diagram::board::ImageOptions;
use pentarch_diagram::stylesheet::ColourScheme;
use pentarch_engine::engine_state::new_game_session;
use pentarch_engine::input_word::InputWord;
use pentarch_system::WithErrorLocation;

/// Draws a position as an image in SVG, which needs no other file.
///
/// The image shows the board, its pieces, the last move of --moves, and the side to move. The
/// reserves of the sides are next to the board.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_HELP)]
pub(super) struct DiagramArguments {
    /// The position: 'startpos' or a FEN; then optionally 'moves' and moves [default: startpos]
    #[arg(value_name = "POSITION")]
    pub position: Vec<String>,
    /// Play these moves first
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// Show this legal move, without playing it; may be given more than once
    #[arg(long, value_name = "MOVE")]
    arrow: Vec<String>,
    /// Draw the board with the second side at the bottom
    #[arg(long)]
    flip: bool,
    /// Write the image to this new file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The colours
    #[arg(long, value_enum, default_value_t = ImageThemeArgument::Auto)]
    theme: ImageThemeArgument,
}

/// The theme of the image.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ImageThemeArgument {
    /// Light or dark, by the reader's preference
    Auto,
    Light,
    Dark,
    /// Black, white and greys
    Print,
}

const EXAMPLES_HELP: &str = "\
Examples:
  The start position of Bushka:
    pentarch --game bushka diagram --output bushka.svg
  A position of Quoridor after two moves, from Black's side, with an arrow for another move:
    pentarch --game quoridor diagram 'e4e6 - w 10/10 4' \\
      --moves e3h d6 --arrow c3h --flip > quoridor.svg
  For a printed book:
    pentarch --game roses diagram startpos moves d3 b4 c3 --theme print \\
      > roses.svg

Any program for SVG can convert it to other formats.";

impl DiagramArguments {
    /// Writes the image.
    ///
    /// # Errors
    /// If the position is invalid in the game, a move is not legal, the file exists, or the file
    /// cannot be written.
    pub(super) fn run(&self, options: &Options, out: &Output) -> Result<(), CliError> {
        let text = self.position.join(" ");
        let mut words: Vec<InputWord> = text.split_whitespace().map(InputWord::from_text).collect();
        let split = words.iter().position(|word| word.text.eq_ignore_ascii_case("moves"));
        let mut moves = split.map_or_else(Vec::new, |index| words.split_off(index));
        let moves: Vec<InputWord> = moves
            .drain(..)
            .skip(1)
            .chain(self.moves.iter().map(|text| InputWord::from_text(text)))
            .collect();
        let is = |word: Option<&InputWord>, text: &str| {
            word.is_some_and(|word| word.text.eq_ignore_ascii_case(text))
        };
        if is(words.first(), "fen") {
            words.remove(0);
        }
        let is_start = words.is_empty() || (words.len() == 1 && is(words.first(), "startpos"));
        let fen = (!is_start).then_some(words.as_slice());
        let arrows: Vec<InputWord> =
            self.arrow.iter().map(|text| InputWord::from_text(text)).collect();
        let colours = match self.theme {
            ImageThemeArgument::Auto => ColourScheme::Auto,
            ImageThemeArgument::Light => ColourScheme::Light,
            ImageThemeArgument::Dark => ColourScheme::Dark,
            ImageThemeArgument::Print => ColourScheme::Print,
        };
        let image = ImageOptions { flipped: self.flip, colours };
        let mut game = new_game_session(options);
        let svg = game.set_position(fen, &moves).and_then(|()| game.svg_image(&arrows, image));
        let svg = svg.map_err(super::invalid_arguments_error)?;
        match &self.output {
            Some(path) => {
                check_output_path(path).map_err(CliError::command_failed)?;
                write_output_file(path, svg.as_bytes())
                    .with_file_path(path)
                    .map_err(CliError::command_failed)?;
            }
            None => out.write_unchanged(&svg),
        }
        Ok(())
    }
}
