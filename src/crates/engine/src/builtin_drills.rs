//! Parses the built-in drills in `drills.txt` of each game's folder.

use serde::{Serialize, Serializer};

/// A drill: a won or drawn position. The player must keep the win or the draw to the end of the
/// game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Drill {
    /// The FEN of the position, under the default rules.
    #[serde(rename = "fen")]
    pub position: String,
    /// The value that the player must keep to the end of the game: a win or a draw.
    #[serde(rename = "value", serialize_with = "serialize_value_word")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = crate::requests::schema::DRILL_VALUES)))]
    pub is_win: bool,
    /// The grade from 1, easy, to 5. For a win, the grade depends on the number of plies to the end
    /// of the game with perfect play. For a draw, the grade depends on the number of plies to the
    /// end of the game after the wrong move that loses most slowly.
    pub grade: u32,
}

/// Returns the word for the value of a drill: `win` or `draw`.
pub fn drill_value_word(is_win: bool) -> &'static str {
    if is_win { "win" } else { "draw" }
}

fn serialize_value_word<S: Serializer>(is_win: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(drill_value_word(*is_win))
}

impl Drill {
    /// Converts the drill to its line in `drills.txt`.
    pub fn to_file_line(&self) -> String {
        format!("{} {} {}", drill_value_word(self.is_win), self.grade, self.position)
    }

    /// Parses a line of `drills.txt`.
    pub(crate) fn parse(line: &str) -> Option<Drill> {
        let (value, rest) = line.split_once(' ')?;
        let (grade, position) = rest.split_once(' ')?;
        Some(Drill {
            position: position.into(),
            is_win: value == drill_value_word(true),
            grade: grade.parse().ok()?,
        })
    }
}
