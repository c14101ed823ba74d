//! Draws the graph of the winning chances over the moves of a reviewed game.

use pentarch_core::Side;
use pentarch_diagram::line_chart::{ChartPoint, LineChart};
use pentarch_engine::review::{Review, ReviewedMove};

/// Returns the graph of a game. The graph shows the first side's chance of winning at the beginning
/// and after each move, and marks the mistakes and blunders. An unknown chance is drawn as one
/// half.
pub(crate) fn win_chance_chart(Review { moves, summary }: &Review) -> LineChart {
    let for_first_side = |mv: &ReviewedMove, chance: Option<f64>| match chance {
        Some(chance) if mv.mover == Side::First => chance,
        Some(chance) => 1.0 - chance,
        None => 0.5,
    };
    let mut chances: Vec<f64> =
        moves.first().into_iter().map(|mv| for_first_side(mv, mv.chances[0])).collect();
    chances.extend(moves.iter().map(|mv| for_first_side(mv, mv.chances[1])));
    let amounts = chances.into_iter().map(|value| ChartPoint { value, shaded: [0.0, value] });
    let marked = moves.iter().filter(|mv| !mv.mark.is_empty());
    let first = summary.sides[0].side;
    LineChart {
        title: format!("{first}'s chance of winning after each move; outcome: {}", summary.outcome),
        axes: ["ply".into(), format!("{first}'s chance of winning")],
        first: 0,
        points: amounts.collect(),
        marked: marked.map(|mv| (mv.ply, format!("{}{}", mv.numbered_move(), mv.mark))).collect(),
    }
}
