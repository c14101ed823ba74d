//! Explains mistakes in the words of the game: wins missed or allowed, pieces lost, longer paths,
//! and the last wall spent.

use pentarch_core::Side;
use pentarch_search::score::{is_proven_score, mate_distance_in_moves};

use super::SidePositionValue;
use crate::input_word::InputWord;
use crate::race_review::{MoveRace, number_in_words};
use crate::scene::PieceCount;
use crate::session::Session;

/// The maximum number of moves of a refutation whose loss is not visible on the board.
const MAX_REFUTATION_MOVES: usize = 5;
/// The maximum number of moves of a line in which lost pieces count.
const MAX_MATERIAL_LOSS_LINE_MOVES: usize = 10;
/// A path that becomes longer by this number of steps is a reason.
const MIN_LONGER_STEPS: u32 = 2;
/// A win within this number of moves is a better reason than lost pieces.
const NEAR_WIN_MOVES: i32 = 3;

/// A move that is an inaccuracy or worse, with the results of the searches before and after it.
pub(super) struct MistakeToExplain<'a> {
    pub mover: Side,
    /// The line that is expected after the best move. It begins with that move.
    pub best_line: &'a [String],
    /// The line that is expected after the played move, without that move.
    pub replies: &'a [String],
    /// The value before the move.
    pub before: SidePositionValue,
    /// The value after the move.
    pub after: SidePositionValue,
    pub race: Option<&'a MoveRace>,
}

/// The explanation of a move; empty for a good move.
#[derive(Default)]
pub(super) struct Explanation {
    /// The replies up to the one after which the loss is visible.
    pub refutation: Vec<String>,
    /// The reason, a clause whose subject is the move: `loses a checker`.
    pub reason: Option<String>,
}

/// A replay of the game that explains its mistakes.
pub(super) struct Explainer {
    /// The game up to the next move.
    session: Box<dyn Session>,
}

/// The pieces that both sides have lost since a position.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LostPieces {
    /// The pieces of the side that made the first move.
    own: Vec<PieceCount>,
    /// The pieces of its opponent.
    enemy: Vec<PieceCount>,
}

impl LostPieces {
    /// Returns how many more own pieces than enemy pieces were lost.
    fn net_loss(&self) -> i32 {
        count_pieces(&self.own) - count_pieces(&self.enemy)
    }
}

/// The material after a line of moves.
struct MaterialAfterLine {
    losses: LostPieces,
    /// The number of moves after which the losses are visible.
    moves: usize,
}

impl Explainer {
    /// Creates the replay of a game that is in its first position.
    pub(super) fn new(session: &dyn Session) -> Explainer {
        Explainer { session: session.copy_session() }
    }

    /// Makes the next move of the game. Returns its explanation if it is a mistake.
    pub(super) fn play(&mut self, mv: &str, mistake: Option<MistakeToExplain>) -> Explanation {
        let explanation = mistake.map(|mistake| self.explain(mv, &mistake)).unwrap_or_default();
        // An error cannot occur here, because the moves of the game are legal.
        let _ = self.session.play_moves(&[InputWord::from_text(mv)]);
        explanation
    }

    fn explain(&self, mv: &str, mistake: &MistakeToExplain) -> Explanation {
        let mut played = vec![mv.to_string()];
        played.extend_from_slice(mistake.replies);
        let material = self.material_after(&played, mistake.mover);
        let best_material = self.material_after(mistake.best_line, mistake.mover);
        let pieces = material.as_ref().zip(best_material).and_then(|(played, best)| {
            Some((describe_lost_pieces(&played.losses, &best.losses)?, played.moves))
        });
        let win = self.describe_win(mistake);
        let nearest_win = win.as_ref().filter(|(_, moves)| *moves <= NEAR_WIN_MOVES);
        if let Some((reason, _)) = nearest_win {
            let refutation = mistake.replies.iter().take(2 * NEAR_WIN_MOVES as usize).cloned();
            return Explanation { refutation: refutation.collect(), reason: Some(reason.clone()) };
        }
        if let Some((reason, moves)) = pieces {
            let refutation = played[1..moves].to_vec();
            return Explanation { refutation, reason: Some(reason) };
        }
        let side = self.session.game_constants().sides[mistake.mover.index()];
        let reason = match mistake.race {
            Some(race) => win
                .map(|(reason, _)| reason)
                .or_else(|| self.describe_detour(mv, mistake))
                .or_else(|| race.lost.as_ref().map(|lost| format!("leaves {side} {lost}")))
                .or_else(|| self.describe_last_wall(mv, mistake.mover)),
            None => {
                win.map(|(reason, _)| reason).or_else(|| self.describe_longer_path(mv, mistake))
            }
        };
        let refutation = mistake.replies.iter().take(MAX_REFUTATION_MOVES).cloned().collect();
        Explanation { refutation, reason }
    }

    /// Returns the material after a line from the current position. Returns `None` if the line ends
    /// in the middle of an exchange, or with the game: then the end matters, not the material.
    fn material_after(&self, line: &[String], mover: Side) -> Option<MaterialAfterLine> {
        let mut session = self.session.copy_session();
        let before = session.position_scene().lost;
        let lost_since = |lost: &[PieceCount]| {
            let of_side = |side: usize| {
                let mut pieces = Vec::new();
                for piece in lost.iter().filter(|piece| piece.side == side) {
                    let old = before
                        .iter()
                        .find(|old| old.side == side && old.kind == piece.kind)
                        .map_or(0, |old| old.count);
                    let count = piece.count.saturating_sub(old);
                    pieces.push(PieceCount { count, ..piece.clone() });
                }
                pieces
            };
            LostPieces { own: of_side(mover.index()), enemy: of_side((!mover).index()) }
        };
        let mut losses = vec![lost_since(&before)];
        for mv in line.iter().take(MAX_MATERIAL_LOSS_LINE_MOVES) {
            if session.play_moves(&[InputWord::from_text(mv)]).is_err() {
                break;
            }
            losses.push(lost_since(&session.position_scene().lost));
        }
        if session.game_state().outcome.is_some() {
            return None;
        }
        let is_quiet = |&moves: &usize| losses[moves] == losses[moves - 1];
        let quiet = (1..losses.len()).rev().find(is_quiet)?;
        let net_loss = losses[quiet].net_loss();
        let moves = (1..=quiet).find(|&moves| {
            losses[moves..=quiet].iter().all(|losses| losses.net_loss() == net_loss)
        })?;
        Some(MaterialAfterLine { losses: losses[quiet].clone(), moves })
    }

    /// Returns the win that a move missed or allowed, and its number of moves.
    fn describe_win(&self, mistake: &MistakeToExplain) -> Option<(String, i32)> {
        let moves_to_win = |value: SidePositionValue| match value {
            SidePositionValue::Score(Some(score)) if is_proven_score(score) => {
                Some(mate_distance_in_moves(score))
            }
            _ => None,
        };
        let before = moves_to_win(mistake.before);
        let after = moves_to_win(mistake.after);
        let enemy = self.session.game_constants().sides[(!mistake.mover).index()];
        match (before, after) {
            (Some(moves @ 1..), None | Some(..=0)) => {
                Some((format!("misses a win {}", within_moves(moves)), moves))
            }
            (None, Some(moves @ ..0)) => {
                let reply = mistake.replies.first().filter(|_| moves == -1);
                let by = reply.map_or_else(String::new, |reply| format!(" by {reply}"));
                Some((format!("lets {enemy} win {}{by}", within_moves(-moves)), -moves))
            }
            _ => None,
        }
    }

    /// Returns the detour that the reply forces on the mover, or that the best move would have
    /// forced on its opponent.
    fn describe_detour(&self, mv: &str, mistake: &MistakeToExplain) -> Option<String> {
        let sides = self.session.game_constants().sides;
        let steps_added = |session: &dyn Session, mv: &str, side: Side| {
            let counts = session.position_counts(Some(&InputWord::from_text(mv))).ok()?;
            let path =
                counts.iter().find(|count| count.path && count.side == Some(side.index()))?;
            path.after.as_ref()?.value?.checked_sub(path.value?)
        };
        let is_long = |steps: &u32| *steps >= MIN_LONGER_STEPS;
        let [own, enemy] = [mistake.mover, !mistake.mover].map(|side| sides[side.index()]);
        let best = mistake.best_line.first()?;
        let mut session = self.session.copy_session();
        session.play_moves(&[InputWord::from_text(mv)]).ok()?;
        let reply = mistake.replies.first();
        let by_reply = reply.and_then(|reply| steps_added(session.as_ref(), reply, mistake.mover));
        if let Some((reply, steps)) = reply.zip(by_reply.filter(is_long)) {
            let steps = number_in_words(steps.into());
            return Some(format!(
                "lets {enemy} make {own}'s path {steps} steps longer with {reply}"
            ));
        }
        let steps = steps_added(self.session.as_ref(), best, !mistake.mover).filter(is_long)?;
        let steps = number_in_words(steps.into());
        Some(format!("misses {best}, which makes {enemy}'s path {steps} steps longer"))
    }

    /// Returns the longer path of the mover, or the shorter path of the opponent, in comparison
    /// with the best move.
    fn describe_longer_path(&self, mv: &str, mistake: &MistakeToExplain) -> Option<String> {
        let best = mistake.best_line.first()?;
        let after = |mv: &str| self.session.position_counts(Some(&InputWord::from_text(mv))).ok();
        let [played, best] = [after(mv)?, after(best)?];
        for (count, best_count) in played.iter().zip(&best).filter(|(count, _)| count.path) {
            let steps = count.after.as_ref()?.value?;
            let best_steps = best_count.after.as_ref()?.value?;
            let is_own = count.side == Some(mistake.mover.index());
            let is_worse = if is_own { steps > best_steps } else { steps < best_steps };
            if is_worse {
                let player = self.session.game_constants().players[count.side?];
                let steps = number_in_words(steps.into());
                let best_steps = number_in_words(best_steps.into());
                let label = count.label;
                return Some(format!("leaves {player} {steps} {label} instead of {best_steps}"));
            }
        }
        None
    }

    /// Returns that the move spends the last wall of its side.
    fn describe_last_wall(&self, mv: &str, mover: Side) -> Option<String> {
        let count = |session: &dyn Session| {
            let hands = session.position_scene().hands;
            hands.into_iter().find(|hand| hand.side == mover.index()).map(|hand| hand.count)
        };
        let mut session = self.session.copy_session();
        let before = count(session.as_ref())?;
        session.play_moves(&[InputWord::from_text(mv)]).ok()?;
        (before == 1 && count(session.as_ref())? == 0).then(|| "spends the last wall".into())
    }
}

/// Returns what a move lost in comparison with the best move, in pieces; `None` if it lost none.
fn describe_lost_pieces(played: &LostPieces, best: &LostPieces) -> Option<String> {
    let lost = played.net_loss();
    let more = lost - best.net_loss();
    if more <= 0 {
        return None;
    }
    if lost > 0 {
        let won = match count_pieces(&played.enemy) {
            0 => String::new(),
            1 => " for one".into(),
            count => format!(" for {}", number_in_words(count.unsigned_abs().into())),
        };
        return Some(format!("loses {}{won}", describe_pieces(&played.own)));
    }
    let kind = best.enemy.iter().find(|piece| piece.count > 0)?.kind;
    Some(format!("misses the gain of {}", describe_number(more.unsigned_abs().into(), kind)))
}

fn count_pieces(pieces: &[PieceCount]) -> i32 {
    pieces.iter().map(|piece| i32::from(piece.count)).sum()
}

/// Returns pieces in words: `a king and two soldiers`.
fn describe_pieces(pieces: &[PieceCount]) -> String {
    let words: Vec<String> = pieces
        .iter()
        .filter(|piece| piece.count > 0)
        .map(|piece| describe_number(piece.count.into(), piece.kind))
        .collect();
    words.join(" and ")
}

fn describe_number(count: u64, kind: &str) -> String {
    match count {
        1 => format!("a {kind}"),
        count => format!("{} {kind}s", number_in_words(count)),
    }
}

fn within_moves(moves: i32) -> String {
    match moves {
        1 => "at once".into(),
        moves => format!("in at most {moves} moves"),
    }
}
