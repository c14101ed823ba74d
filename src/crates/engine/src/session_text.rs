//! Composes strings from the values of a [`Session`].

use pentarch_core::notation::parsing::nearest_known_word;
use pentarch_core::{Outcome, Point, Side};

use super::error::{EngineError, EngineFault};
use super::input_word::InputWord;
use super::session::{LegalMove, Session, StaticEvaluation};

impl dyn Session + '_ {
    /// Returns the FEN of the current position.
    pub fn position_fen(&self) -> String {
        self.position_notation().fen
    }

    /// Returns the legal moves in canonical notation, in sorted order.
    pub fn legal_move_strings(&self) -> Vec<String> {
        self.legal_moves().into_iter().map(|mv| mv.text).collect()
    }

    /// Returns the legal moves grouped by their kinds. Each group is sorted.
    pub fn legal_moves_by_kind(&self) -> Vec<(&'static str, Vec<String>)> {
        let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
        for LegalMove { text, kind, .. } in self.legal_moves() {
            match groups.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, moves)) => moves.push(text),
                None => groups.push((kind, vec![text])),
            }
        }
        groups
    }

    /// Returns an outcome in the words of the protocol, such as `win red fortress` or `draw
    /// repetition`.
    pub fn outcome_protocol_words(&self, outcome: Outcome) -> String {
        outcome.to_protocol_words(self.game_state().side_names)
    }

    /// Returns the outcome for error messages and GTP, such as `red has won (fortress)`.
    pub fn outcome_sentence(&self) -> String {
        let game_state = self.game_state();
        let sentence = |outcome: Outcome| outcome.sentence(game_state.side_names);
        game_state.outcome.map_or_else(|| "the game goes on".into(), sentence)
    }

    /// Returns the side that a word names. The word may also name a player of the side, and its
    /// case does not matter.
    ///
    /// # Errors
    /// If the word names neither a side nor a player.
    pub fn parse_side(&self, word: &str) -> Result<Side, EngineError> {
        let constants = self.game_constants();
        if let Some(side) = constants.sides.iter().position(|name| name.eq_ignore_ascii_case(word))
        {
            return Ok(Side::BOTH_SIDES[side]);
        }
        if let Some(player) = constants.players.iter().find(|name| name.eq_ignore_ascii_case(word))
        {
            let teams = self.game_status().teams;
            let team = teams.iter().position(|team| team.contains(player));
            // If players have no side, any side can be returned, because an end of the game by a
            // player is rejected later.
            return Ok(team.map_or(Side::First, |team| Side::BOTH_SIDES[team]));
        }
        let mut names = constants.players.to_vec();
        names.extend(constants.sides.into_iter().filter(|side| !constants.players.contains(side)));
        let nearest = nearest_known_word(word, names.iter().copied());
        Err(EngineError::new(EngineFault::UnknownSide { found: word.into(), names, nearest }))
    }

    /// Returns the current position as text for people: the board, the FEN, the key, the legal
    /// moves and the outcome.
    pub fn position_report_text(&self) -> String {
        let position = self.position_notation();
        let status = self.game_status();
        let moves = self.moves_in_published_notation();
        let moves = if moves.is_empty() { "none".into() } else { moves.join(" ") };
        let mut lines = vec![
            self.current_and_previous_diagrams(Side::First).0.to_string(),
            status.sentence,
            format!("Fen: {}", position.fen),
            format!("Key: {:016x}", position.key),
            format!("Legal: {moves}"),
            format!("Outcome: {}", status.outcome),
        ];
        lines.extend(position.published.map(|text| format!("Source: {text}")));
        lines.join("\n")
    }

    /// Returns the static evaluation and its features as a table for people.
    pub fn evaluation_table_text(&self) -> String {
        let Some(StaticEvaluation { score, features }) = self.static_evaluation() else {
            return format!("Eval: none, {}", self.outcome_sentence());
        };
        let width = features.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let width = width.max("centipawns".len());
        let game_state = self.game_state();
        let [first, second] = game_state.seen_names;
        let wide = (first.len() + 1).max(second.len() + 1).max(9);
        let mut lines = vec![format!("{:width$}{first:>wide$}{second:>wide$}", "centipawns")];
        for (name, [first, second]) in features {
            lines.push(format!("{name:width$}{first:>wide$}{second:>wide$}"));
        }
        let side = self.game_constants().players[game_state.player];
        lines.push(format!("Eval: cp {score} for {side}, to move"));
        lines.join("\n")
    }

    /// Returns the points of several consecutive moves on the board of a Go front end, move by
    /// move. The list ends before the first illegal move.
    pub fn go_board_points_of_moves(&self, line: &[String]) -> Vec<Point> {
        let mut points = Vec::new();
        let mut game: Option<Box<dyn Session>> = None;
        for (index, text) in line.iter().enumerate() {
            let word = InputWord::from_text(text);
            let Ok(details) = game.as_deref().unwrap_or(self).move_effect(&word) else { break };
            points.extend(details.points);
            if index + 1 < line.len() {
                let game = game.get_or_insert_with(|| self.copy_session());
                if game.play_moves(&[word]).is_err() {
                    break;
                }
            }
        }
        points
    }
}
