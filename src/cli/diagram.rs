//! The subcommand `diagram`: a position as a picture.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::Failure;
use crate::io::files::{check_output, write_output};
use crate::io::output::Output;
use pentarch_core::Options;
use pentarch_diagram::board::View;
use pentarch_diagram::style::Theme;
use pentarch_engine::engine_state::new_session;
use pentarch_engine::input_word::Word;
use pentarch_system::ErrorContext;

/// Draws a position as a picture in SVG, which needs no other file.
///
/// It shows the board, what stands on it, the last of --moves, whose turn it is, and what the sides have beside the
/// board.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DiagramArguments {
    /// The position: 'startpos' or a position text; then perhaps 'moves' and moves [default: startpos]
    #[arg(value_name = "POSITION")]
    pub position: Vec<String>,
    /// Make these moves first
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// Show this legal move, without making it; may be given more than once
    #[arg(long, value_name = "MOVE")]
    arrow: Vec<String>,
    /// Draw the board with the second side below
    #[arg(long)]
    flip: bool,
    /// Write the picture to this new file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The colours
    #[arg(long, value_enum, default_value_t = Colours::Auto)]
    theme: Colours,
}

/// The colours of the picture.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Colours {
    /// Light or dark, as the reader prefers
    Auto,
    Light,
    Dark,
    /// Black, white and greys
    Print,
}

const EXAMPLES: &str = "\
Examples:
  The start position of Bushka:
    pentarch --game bushka diagram --output bushka.svg
  A position of Quoridor after two moves, seen by Black, with a move that is proposed:
    pentarch --game quoridor diagram 'e4e6 - w 10/10 4' \\
      --moves e3h d6 --arrow c3h --flip > quoridor.svg
  For a book that is printed:
    pentarch --game roses diagram startpos moves d3 b4 c3 --theme print \\
      > roses.svg

Any program for SVG makes other formats of it.";

impl DiagramArguments {
    /// Writes the picture.
    ///
    /// # Errors
    /// If the position is none of the game's, a move is not legal, or the file is there already or cannot be written.
    pub fn run(&self, options: &Options, out: &Output) -> Result<(), Failure> {
        let text = self.position.join(" ");
        let mut words: Vec<Word> = text.split_whitespace().map(Word::alone).collect();
        let split = words.iter().position(|word| word.text.eq_ignore_ascii_case("moves"));
        let mut moves = split.map_or_else(Vec::new, |at| words.split_off(at));
        let moves: Vec<Word> = moves
            .drain(..)
            .skip(1)
            .chain(self.moves.iter().map(|text| Word::alone(text)))
            .collect();
        let is = |word: Option<&Word>, text: &str| {
            word.is_some_and(|word| word.text.eq_ignore_ascii_case(text))
        };
        if is(words.first(), "fen") {
            words.remove(0);
        }
        let is_start = words.is_empty() || (words.len() == 1 && is(words.first(), "startpos"));
        let fen = (!is_start).then_some(words.as_slice());
        let shown: Vec<Word> = self.arrow.iter().map(|text| Word::alone(text)).collect();
        let theme = match self.theme {
            Colours::Auto => Theme::Auto,
            Colours::Light => Theme::Light,
            Colours::Dark => Theme::Dark,
            Colours::Print => Theme::Print,
        };
        let view = View { flipped: self.flip, theme };
        let mut game = new_session(options);
        let svg = game.set_position(fen, &moves).and_then(|()| game.diagram(&shown, view));
        let svg = svg.map_err(super::bad_arguments)?;
        match &self.output {
            Some(path) => {
                check_output(path).map_err(Failure::failed)?;
                write_output(path, svg.as_bytes()).in_file(path).map_err(Failure::failed)?;
            }
            None => out.raw(&svg),
        }
        Ok(())
    }
}
