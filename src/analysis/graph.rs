//! The chances of winning over the moves of a reviewed game, as a graph.

use pentarch_core::Side;
use pentarch_diagram::graph::{Graph, GraphPoint};
use pentarch_engine::review::{Review, ReviewedMove};

use super::review::named;

/// The graph of a game: the first side's chance of winning at the beginning and after each move, with the mistakes and
/// blunders marked. A chance that is not known is drawn as one half.
pub fn of_game(Review { moves, summary }: &Review) -> Graph {
    let for_the_first = |mv: &ReviewedMove, chance: Option<f64>| match chance {
        Some(chance) if mv.mover == Side::First => chance,
        Some(chance) => 1.0 - chance,
        None => 0.5,
    };
    let begin = moves.first().map(|mv| for_the_first(mv, mv.chances[0]));
    let after = moves.iter().map(|mv| for_the_first(mv, mv.chances[1]));
    let points =
        begin.into_iter().chain(after).map(|value| GraphPoint { value, shaded: [0.0, value] });
    let marked = moves.iter().filter(|mv| !mv.mark.is_empty());
    let first = summary.sides[0].side;
    Graph {
        title: format!("{first}'s chance of winning after each move; outcome: {}", summary.outcome),
        axes: ["ply".into(), format!("{first}'s chance of winning")],
        first: 0,
        points: points.collect(),
        marked: marked.map(|mv| (mv.ply, format!("{}{}", named(mv), mv.mark))).collect(),
    }
}
