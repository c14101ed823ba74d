//! The texts of a game in play.

use pentarch_core::rules::options::REPETITION_DRAW;
use pentarch_core::view::diagram::Diagram;
use pentarch_core::view::lesson::Task;
use pentarch_core::view::rules_page;
use pentarch_core::view::rules_text::RulesText;
use pentarch_core::{MoveError, MoveStyle, Options, Outcome, Side, SyntaxError, Turn};
use pentarch_games::Game;

use crate::error::{EngineError, Fault};
use crate::session::{Features, Lesson, LessonTask, Texts};

use super::{GameSession, sorted_moves};

impl<G: Game> Texts for GameSession<G> {
    fn position_text(&self) -> String {
        self.history.rules().position_text(self.history.position())
    }

    fn legal_moves(&self) -> Vec<String> {
        self.history.move_texts()
    }

    fn canonical_move(&self, text: &str) -> Result<String, MoveError> {
        self.history.find_move(text).map(|mv| self.history.rules().move_text(mv))
    }

    fn outcome_words(&self, outcome: Outcome) -> String {
        self.history.outcome_words(outcome)
    }

    fn outcome_sentence(&self) -> String {
        let sentence = |outcome| self.history.outcome_sentence(outcome);
        self.history.outcome().map_or_else(|| "the game goes on".into(), sentence)
    }

    fn side_words(&self) -> ([&'static str; 2], Side) {
        let rules = self.history.rules();
        let seen = rules.seen_by_mover(self.history.position());
        (Side::BOTH.map(|side| rules.side_name(&seen, side).1), seen.side_to_move())
    }

    fn rules_text(&self) -> Result<RulesText<'static>, EngineError> {
        Ok(rules_page::rules_text::<G>()?)
    }

    fn lesson(&self) -> Result<Lesson, EngineError> {
        if G::LESSON.is_empty() {
            return Err(Fault::NoLesson { game: G::NAME }.into());
        }
        let (usual, rules) = (Options::default(), G::OPTIONS.iter().chain([&REPETITION_DRAW.spec]));
        let task = |&Task { text, fen, moves, hint, done }: &Task| LessonTask {
            text,
            fen,
            moves,
            hint,
            done,
        };
        Ok(Lesson {
            options: rules.map(|spec| (spec.name, usual.value(spec).to_string())).collect(),
            tasks: G::LESSON.iter().map(task).collect(),
        })
    }

    fn rules(&self, topic: Option<&str>) -> Result<String, EngineError> {
        Ok(rules_page::page::<G>(topic)?)
    }

    fn rules_in_short(&self) -> Option<String> {
        rules_page::summary(self.history.rules().as_ref())
    }

    fn board_text(&self) -> String {
        let (rules, position) = (self.history.rules(), self.history.position());
        let mut history = self.history.clone();
        let mut annotated = |(_, mv)| {
            history.push(mv);
            let after = history.outcome();
            history.pop();
            rules.annotated_move(position, mv, after)
        };
        let moves: Vec<String> =
            sorted_moves(&self.history).into_iter().map(&mut annotated).collect();
        let moves = if moves.is_empty() { "none".into() } else { moves.join(" ") };
        let mut lines = vec![
            rules.diagram(position, Side::First).to_string(),
            self.history.status(),
            format!("Fen: {}", self.position_text()),
            format!("Key: {:016x}", rules.search_key(position)),
            format!("Legal: {moves}"),
            format!("Outcome: {}", self.history.outcome_text()),
        ];
        lines.extend(rules.source_text(position).map(|text| format!("Source: {text}")));
        lines.join("\n")
    }

    fn source_text(&self) -> Option<String> {
        self.history.rules().source_text(self.history.position())
    }

    fn annotated_move(&self, text: &str) -> Result<String, MoveError> {
        let mv = self.history.find_move(text)?;
        let mut after = self.history.clone();
        after.push(mv);
        Ok(self.history.rules().annotated_move(self.history.position(), mv, after.outcome()))
    }

    fn move_styles(&self) -> &'static [MoveStyle] {
        G::MOVE_STYLES
    }

    fn read_styled(&self, style: &MoveStyle, text: &str) -> Result<String, SyntaxError> {
        self.history.rules().read_styled(style, text)
    }

    fn styled(&self, style: &MoveStyle, text: &str) -> String {
        self.history.rules().styled(style, text)
    }

    fn diagrams(&self, viewer: Side) -> (Diagram, Option<Diagram>) {
        let rules = self.history.rules();
        let before = self.history.last().map(|(before, _)| rules.diagram(before, viewer));
        (rules.diagram(self.history.position(), viewer), before)
    }

    fn move_groups(&self) -> Vec<(&'static str, Vec<String>)> {
        let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
        for (text, mv) in sorted_moves(&self.history) {
            let kind = self.history.rules().move_kind(self.history.position(), mv);
            match groups.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, moves)) => moves.push(text),
                None => groups.push((kind, vec![text])),
            }
        }
        groups
    }

    fn features(&self) -> Option<(i32, Features)> {
        if self.history.outcome().is_some() {
            return None;
        }
        let rules = self.history.rules();
        let position = &rules.seen_by_mover(self.history.position());
        let cache = rules.eval_cache(position);
        let mut rows: Vec<(&str, [i32; 2])> = Vec::new();
        let mut weights = G::FEATURE_WEIGHTS.iter();
        rules.features(position, &cache, |amounts| {
            rows.extend(
                weights
                    .next()
                    .map(|(name, weight)| (*name, amounts.map(|amount| amount * weight / 10))),
            );
        });
        rows.retain(|(_, amounts)| *amounts != [0; 2]);
        Some((rules.evaluate(position, &cache), rows))
    }

    fn evaluation(&self) -> String {
        let Some((score, rows)) = self.features() else {
            return format!("Eval: none, {}", self.outcome_sentence());
        };
        let width =
            rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("centipawns".len());
        let ([first, second], _) = self.side_words();
        let wide = [first, second].iter().map(|word| word.len() + 1).max().unwrap_or(0).max(9);
        let mut lines = vec![format!("{:width$}{first:>wide$}{second:>wide$}", "centipawns")];
        lines.extend(
            rows.iter().map(|(name, [first, second])| {
                format!("{name:width$}{first:>wide$}{second:>wide$}")
            }),
        );
        let side = G::PLAYERS[self.history.player_to_move()];
        lines.push(format!("Eval: cp {score} for {side}, to move"));
        lines.join("\n")
    }
}
