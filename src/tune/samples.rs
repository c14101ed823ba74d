//! Collects the quiet positions of games as training [samples](pentarch_training::samples).

use pentarch_training::samples::{FeatureSamples, NetSamples};

use pentarch_core::{HasTurn, MIN_NOISY_ORDERING_SCORE, QuiescenceState, Side};
use pentarch_games::Game;

use super::selfplay_file::SelfPlayGame;

/// A position of a game that can be evaluated without a search.
#[derive(Debug)]
pub struct QuietPosition<'a, G: Game> {
    /// The position to evaluate.
    pub position: &'a G::Position,
    /// The evaluation cache of the position.
    pub cache: G::PositionEvalData,
    /// The score of the search in this position, in centipawns for the side to move.
    pub score: i32,
    /// The result of the game for the first side: 1, 0.5 or 0.
    pub result: f64,
}

/// Calls `visit` with the quiet positions of a game after its random opening. In a quiet position
/// the side to move is not forced to act, and the played move is a quiet move that a search chose.
///
/// A later random move makes the result a little less certain for the positions before it. These
/// positions are used nevertheless, because nearly all early positions precede a random move.
pub fn for_each_quiet_position<G: Game>(
    rules: &G,
    game: &SelfPlayGame<G::Move>,
    mut visit: impl FnMut(QuietPosition<G>),
) {
    let result = match game.winner {
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
        None => 0.5,
    };
    let mut position = rules.start_position();
    for &(mv, evaluation) in &game.moves {
        if let Some(evaluation) = evaluation {
            let cache = rules.compute_eval_data(&position);
            let is_quiet =
                rules.move_ordering_scores(&position, &cache)(mv) < MIN_NOISY_ORDERING_SCORE;
            if is_quiet && rules.quiescence_state(&position, &cache) != QuiescenceState::Forced {
                visit(QuietPosition {
                    position: &position,
                    cache,
                    score: evaluation.centipawns.clamp(-9999, 9999),
                    result,
                });
            }
        }
        position = rules.play(&position, mv);
    }
}

/// Adds the [quiet positions](for_each_quiet_position) of a game, one sample for each.
pub fn add_game_samples<G: Game>(
    samples: &mut FeatureSamples,
    rules: &G,
    game: &SelfPlayGame<G::Move>,
) {
    samples.begin_game();
    for_each_quiet_position(rules, game, |quiet| {
        let mut features = Vec::with_capacity(samples.width);
        rules.visit_features(quiet.position, &quiet.cache, |[first, second]| {
            features.push(first - second)
        });
        samples.push(features, quiet.result);
    });
}

/// Adds the [quiet positions](for_each_quiet_position) of a game as inputs of the net.
pub fn add_net_samples<G: Game>(samples: &mut NetSamples, rules: &G, game: &SelfPlayGame<G::Move>) {
    samples.searched.begin_game();
    samples.evaluated.begin_game();
    for_each_quiet_position(rules, game, |quiet| {
        let side = quiet.position.side_to_move();
        let result = if side == Side::First { quiet.result } else { 1.0 - quiet.result };
        rules.visit_net_inputs(quiet.position, &quiet.cache, |input| {
            samples.inputs.push(input as u16)
        });
        samples.ends.push(samples.inputs.len());
        samples.buckets.push(rules.net_output_bucket(quiet.position) as u8);
        samples.targets.push([quiet.score as f32, result as f32]);
        let evaluation = rules.evaluate(quiet.position, &quiet.cache);
        samples.searched.push([10 * quiet.score * side.sign()], quiet.result);
        samples.evaluated.push([10 * evaluation * side.sign()], quiet.result);
    });
}
