//! Implements [`PositionInfo`]: describes the current position.

use pentarch_core::view::diagram::Diagram;
use pentarch_core::{MoveError, Side};
use pentarch_games::Game;

use crate::session::{LegalMove, PositionInfo, PositionNotation, StaticEvaluation};

use super::{GameSession, sorted_legal_moves};

impl<G: Game> PositionInfo for GameSession<G> {
    fn position_notation(&self) -> PositionNotation {
        let rules = self.history.rules();
        let position = self.history.position();
        PositionNotation {
            fen: rules.position_text(position),
            published: rules.position_in_published_notation(position),
            key: rules.search_key(position),
        }
    }

    fn legal_moves(&self) -> Vec<LegalMove> {
        let moves = sorted_legal_moves(&self.history).into_iter();
        moves.map(|(text, mv)| self.describe_legal_move(text, mv)).collect()
    }

    fn resolve_move(&self, text: &str) -> Result<LegalMove, MoveError> {
        let mv = self.history.resolve_move(text)?;
        Ok(self.describe_legal_move(self.history.rules().move_text(mv), mv))
    }

    fn rule_id_of_outcome(&self, reason: &str) -> Option<&'static str> {
        self.history.rules().rule_id_of_outcome(reason)
    }

    fn moves_in_published_notation(&self) -> Vec<String> {
        let rules = self.history.rules();
        let position = self.history.position();
        let mut history = self.history.clone();
        let mut annotated = Vec::new();
        for (_, mv) in sorted_legal_moves(&self.history) {
            history.push(mv);
            annotated.push(rules.move_in_published_notation(position, mv, history.outcome()));
            history.pop();
        }
        annotated
    }

    fn current_and_previous_diagrams(&self, viewer: Side) -> (Diagram, Option<Diagram>) {
        let rules = self.history.rules();
        let before = self
            .history
            .last_position_and_move()
            .map(|(before, _)| rules.board_diagram(before, viewer));
        (rules.board_diagram(self.history.position(), viewer), before)
    }

    fn static_evaluation(&self) -> Option<StaticEvaluation> {
        // In a program without the search, this would be the only use of the nets.
        if cfg!(not(feature = "search")) || self.history.outcome().is_some() {
            return None;
        }
        let rules = self.history.rules();
        let position = &rules.position_seen_by_mover(self.history.position());
        let eval_data = rules.compute_eval_data(position);
        let mut features: Vec<(&str, [i32; 2])> = Vec::new();
        let mut weights = G::FEATURE_WEIGHTS.iter();
        rules.visit_features(position, &eval_data, |amounts| {
            features.extend(
                weights
                    .next()
                    .map(|(name, weight)| (*name, amounts.map(|amount| amount * weight / 10))),
            );
        });
        features.retain(|(_, amounts)| *amounts != [0; 2]);
        Some(StaticEvaluation { score: rules.evaluate(position, &eval_data), features })
    }
}

impl<G: Game> GameSession<G> {
    /// Returns the data of a legal move with this notation.
    fn describe_legal_move(&self, text: String, mv: G::Move) -> LegalMove {
        let rules = self.history.rules();
        let position = self.history.position();
        LegalMove {
            text,
            kind: rules.move_kind_plural(position, mv),
            rule: rules.rule_id_of_move(position, mv),
        }
    }
}
