//! Remembers the win that a hint has promised, so that the next hint does not take it back.

use pentarch_engine::session::{GameMoves, Session};
use pentarch_search::score::{is_proven_score, mate_distance_in_moves, mate_score};

use super::local_game::SearchSummary;

/// A proven win of the side to move.
pub struct PromisedWin {
    /// The game up to the position of the hint.
    game: GameMoves,
    /// The line of the hint.
    line: Vec<String>,
    /// The maximum number of moves to the win.
    moves: i32,
}

impl PromisedWin {
    /// Returns the win that a hint promises; `None` if it promises none.
    pub fn from_hint(hint: &SearchSummary, session: &dyn Session) -> Option<PromisedWin> {
        let score = hint.score.filter(|&score| score > 0 && is_proven_score(score))?;
        if hint.move_score.is_some() {
            return None;
        }
        let moves = mate_distance_in_moves(score);
        Some(PromisedWin { game: session.game_moves(), line: hint.line.clone(), moves })
    }

    /// Adds the promised win to a later hint if the player has followed the promised line. The
    /// opponent may have left the line with the last move.
    pub fn add_to_hint(&self, hint: &mut SearchSummary, session: &dyn Session) {
        let game = session.game_moves();
        let Some(played) = game.moves_since(&self.game) else { return };
        let followed = played.iter().zip(&self.line).take_while(|(mv, line)| mv == line).count();
        let is_followed = followed == played.len();
        let has_left_last = followed + 1 == played.len() && followed % 2 == 1;
        let moves = self.moves - (played.len() / 2) as i32;
        let found = hint.score.filter(|&score| score > 0 && is_proven_score(score));
        let is_near = found.is_some_and(|score| mate_distance_in_moves(score) <= moves);
        if played.len() % 2 == 1 || moves < 1 || is_near || !(is_followed || has_left_last) {
            return;
        }
        if is_followed && let [best, ..] = &self.line[followed..] {
            hint.best = best.clone();
            hint.line = self.line[followed..].to_vec();
            hint.move_score = None;
        } else if found.is_none() {
            hint.move_score = hint.score;
        } else {
            return;
        }
        hint.score = Some(mate_score(moves));
        hint.rank = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pentarch_core::Options;
    use pentarch_engine::engine_state::new_game_session;
    use pentarch_engine::games::GAME_OPTION;
    use pentarch_engine::input_word::InputWord;

    fn hint(best: &str, score: i32) -> SearchSummary {
        SearchSummary {
            best: best.into(),
            line: vec![best.into()],
            score: Some(score),
            rank: None,
            move_score: None,
            is_exact: false,
            is_stopped: false,
            faults: Vec::new(),
        }
    }

    #[test]
    fn later_hints_keep_a_promised_win() {
        let mut options = Options::default();
        options.set(&GAME_OPTION, "quoridor").unwrap();
        let session_after = |moves: &str| {
            let mut session = new_game_session(&options);
            session.play_moves(&InputWord::split_into_words(moves)).unwrap();
            session
        };
        let promise = SearchSummary {
            line: ["e2", "e8", "e3"].map(String::from).to_vec(),
            ..hint("e2", mate_score(5))
        };
        let promised = PromisedWin::from_hint(&promise, session_after("").as_ref()).unwrap();
        let later = |moves: &str| {
            let mut later = hint("d2", 1405);
            promised.add_to_hint(&mut later, session_after(moves).as_ref());
            (later.best, later.score, later.move_score)
        };
        assert_eq!(later("e2 e8"), ("e3".into(), Some(mate_score(4)), None));
        // After another reply the win is certain, but not its first move.
        assert_eq!(later("e2 d9"), ("d2".into(), Some(mate_score(4)), Some(1405)));
        for other in ["d1 e8", "e2", "e2 d9 d2 d8"] {
            assert_eq!(later(other), ("d2".into(), Some(1405), None), "{other}");
        }
        assert!(PromisedWin::from_hint(&hint("e2", 300), session_after("").as_ref()).is_none());
    }
}
