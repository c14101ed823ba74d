//! A table of the numbers by which players assess a position.

use pentarch_engine::error::EngineError;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::scene::LabelledCountFields;
use pentarch_engine::session::Session;

/// Returns the numbers of the position as a table with a column for each player, and the paths
/// below. With a move, the numbers and paths are those after the move, with the difference that the
/// move makes.
///
/// # Errors
/// If the move is not legal.
pub fn counts_text(session: &dyn Session, mv: Option<&str>) -> Result<String, EngineError> {
    let word = mv.map(InputWord::from_text);
    let counts = session.position_counts(word.as_ref())?;
    let players = session.game_constants().players;
    let to_move = session.game_state().player;
    let heading = mv.map_or_else(String::new, |mv| format!("after {mv}"));
    let labels = counts.iter().map(|count| count.label.len());
    let label_width = labels.chain([heading.len()]).max().unwrap_or(0);
    let cell_width = players.iter().map(|name| name.len() + 2).fold(11, usize::max);
    let mut rows =
        vec![Row { label: &heading, cells: players.iter().map(|name| (*name).into()).collect() }];
    for count in &counts {
        if rows.last().is_none_or(|row| row.label != count.label) {
            rows.push(Row { label: count.label, cells: vec![String::new(); players.len()] });
        }
        if let Some(row) = rows.last_mut() {
            row.cells[count.side.unwrap_or(to_move)] = count_cell(count);
        }
    }
    let mut lines = Vec::new();
    for row in rows {
        let mut line = format!("{:label_width$}", row.label);
        for cell in row.cells {
            line += &format!("  {cell:cell_width$}");
        }
        lines.push(line.trim_end().to_string());
    }
    for count in counts.iter().filter(|count| count.path) {
        let sites = count.after.as_ref().map_or(&count.sites, |after| &after.sites);
        let player = players[count.side.unwrap_or(to_move)];
        if sites.len() > 1 {
            lines.push(format!("{player}: {}", sites.join(" ")));
        }
    }
    Ok(lines.join("\n"))
}

/// A row of the table.
struct Row<'a> {
    label: &'a str,
    /// The cells of the players.
    cells: Vec<String>,
}

/// Returns the number of a count, with the difference that a move makes: `10 (+2)`, or
/// `none (from 8)`.
fn count_cell(count: &LabelledCountFields) -> String {
    let number =
        |value: Option<u32>| value.map_or_else(|| "none".into(), |value| value.to_string());
    match &count.after {
        None => number(count.value),
        Some(after) => match after.added {
            // A wall can close or open the only path.
            None if after.value.is_some() != count.value.is_some() => {
                format!("{} (from {})", number(after.value), number(count.value))
            }
            None | Some(0) => number(after.value),
            Some(added) => format!("{} ({added:+})", number(after.value)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_engine::scene::CountAfter;

    #[test]
    fn a_cell_shows_what_a_move_changes() {
        for (before, after, added, expected) in [
            (Some(8), Some(10), Some(2), "10 (+2)"),
            (Some(8), Some(7), Some(-1), "7 (-1)"),
            (Some(8), Some(8), Some(0), "8"),
            (Some(8), None, None, "none (from 8)"),
            (None, Some(8), None, "8 (from none)"),
            (None, None, None, "none"),
        ] {
            let after = Some(CountAfter { value: after, added, sites: Vec::new() });
            let count = LabelledCountFields {
                label: "steps",
                side: Some(0),
                value: before,
                sites: Vec::new(),
                path: true,
                after,
            };
            assert_eq!(count_cell(&count), expected);
        }
    }
}
