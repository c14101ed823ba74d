//! Depth-first proof-number search (df-pn; Nagai, 2002). The search always continues where the
//! least remains to be proved.

use pentarch_core::rules::key;
use pentarch_core::{BanSet, GameHistory, HasTurn, Searchable, Side};

use super::proof_numbers::{INFINITE_PROOF_NUMBER, PhiDelta, ProofNumbers};
use super::proof_table::ProofTable;
use super::question::{KnownResult, ProofBudget, ProofQuestion, SearchStopped};
use super::result_transfer_conditions::ResultTransferConditions;

/// The maximum number of plies of a line of play. A win must not take more plies.
const MAX_PROOF_PLIES: usize = 600;
/// The number of centipawns in the static evaluation that change the proof or disproof number of a
/// new position by 1.
const CENTIPAWNS_PER_PROOF_NUMBER: i32 = 100;
/// The maximum amount that the static evaluation adds to the proof or disproof number of a new
/// position.
const MAX_EVALUATION_PROOF_NUMBER: i32 = 20;

/// The proof numbers of a position, and the conditions under which these numbers hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofNodeResult {
    /// The proof numbers of the position.
    pub numbers: ProofNumbers,
    /// The conditions that the bans of the position must meet for the result to hold. Meaningful
    /// only if the position is proved or disproved.
    conditions: ResultTransferConditions,
}

impl ProofNodeResult {
    /// Returns these proof numbers without conditions.
    fn unconditional(numbers: ProofNumbers) -> ProofNodeResult {
        ProofNodeResult { numbers, conditions: ResultTransferConditions::default() }
    }
}

/// A depth-first proof-number search.
pub struct DfpnSolver<'a, 'e, G: Searchable> {
    /// The question to answer.
    pub question: &'a ProofQuestion<G>,
    table: &'a mut ProofTable,
    /// The limits of the search, and its cost so far.
    pub budget: &'a mut ProofBudget<'e>,
    /// The [keys of repeated positions](GameHistory::repeated_keys) of the game in the question.
    repeated: Vec<u64>,
    /// Whether the tablebases store exact distances to mate. Otherwise the tablebases store only
    /// upper bounds.
    has_exact_distances: bool,
    /// The path from the position where the search began to the current node.
    history: GameHistory<G>,
    /// The concatenated child lists of the nodes on the path in `history`.
    children: Vec<DfpnChild<G>>,
    /// A buffer for generated moves, which the search reuses.
    moves: Vec<G::Move>,
}

/// A child of a node: the move that leads to it, and its result so far.
#[derive(Debug, Clone, Copy)]
struct DfpnChild<G: Searchable> {
    mv: G::Move,
    result: ProofNodeResult,
}

impl<'a, 'e, G: Searchable> DfpnSolver<'a, 'e, G> {
    /// Creates a search for the answer to a question. The table may contain earlier results for the
    /// same question.
    pub fn new(
        question: &'a ProofQuestion<G>,
        table: &'a mut ProofTable,
        budget: &'a mut ProofBudget<'e>,
    ) -> Self {
        DfpnSolver {
            question,
            table,
            budget,
            repeated: question.history.repeated_keys(),
            has_exact_distances: question
                .history
                .rules()
                .rules_relaxed_for_proof(question.attacker)
                .is_none(),
            history: GameHistory::new(
                question.history.rules().clone(),
                *question.history.position(),
            ),
            children: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Returns whether the attacker wins from a position that is `ply` plies after the root. A win
    /// is certain. A disproof is not certain: it may rest on a repetition that occurs on one path
    /// to a position and not on another (the graph history interaction problem).
    ///
    /// # Errors
    /// If the search must end before the answer is found.
    pub fn solve(&mut self, position: &G::Position, ply: u32) -> Result<bool, SearchStopped> {
        self.history = GameHistory::new(self.question.history.rules().clone(), *position);
        self.children.clear();
        let no_limit =
            ProofNumbers { proof: INFINITE_PROOF_NUMBER, disproof: INFINITE_PROOF_NUMBER };
        Ok(self.search(ply, no_limit)?.numbers.proof == 0)
    }

    /// Returns the result of a position below the root that need not be searched.
    pub fn known_result(&self, position: &G::Position) -> Option<KnownResult> {
        self.question.known_result(position, &self.repeated)
    }

    /// Returns the children of a position, in the order of its [`moves`](DfpnSolver::moves).
    pub fn children(&self, position: &G::Position, ply: u32) -> Vec<G::Position> {
        let rules = self.question.history.rules();
        self.moves(position, ply).into_iter().map(|mv| rules.play(position, mv)).collect()
    }

    /// Returns the moves of a position `ply` plies after the root. At the root, these are the moves
    /// that the question allows.
    pub fn moves(&self, position: &G::Position, ply: u32) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.list_moves(position, ply, &mut moves);
        moves
    }

    /// Returns the result of a position `ply` plies after the root. If the table does not contain
    /// the position, returns the initial result of the position.
    pub fn node_result(&self, position: &G::Position, ply: u32) -> ProofNodeResult {
        self.look_up_result(position, ply).unwrap_or_else(|| self.initial_result(position, ply))
    }

    /// Looks up in the table the result of a position `ply` plies after the root.
    fn look_up_result(&self, position: &G::Position, ply: u32) -> Option<ProofNodeResult> {
        let result = self.position_bans(position).and_then(|bans| {
            let (numbers, conditions) =
                self.table.get_conditional_result(self.key_without_past(position, ply), bans)?;
            Some(ProofNodeResult { numbers, conditions })
        });
        result
            .or_else(|| self.table.get(self.key(position, ply)).map(ProofNodeResult::unconditional))
    }

    /// Returns the bans of the attacker and of the defender; `None` if the game has no bans. With
    /// bans, results have [conditions](ResultTransferConditions).
    fn position_bans(&self, position: &G::Position) -> Option<[BanSet; 2]> {
        let [first, second] = self.question.history.rules().position_bans(position)?;
        Some(if self.question.attacker == Side::First { [first, second] } else { [second, first] })
    }

    /// Stores proof numbers that another search has found. The table keeps these numbers longer
    /// than the results of this search.
    pub fn store_final_numbers(&mut self, position: &G::Position, ply: u32, numbers: ProofNumbers) {
        self.store_result(position, ply, self.result_for_own_bans(position, numbers), u64::MAX);
    }

    /// Removes a position from the table.
    pub fn forget_position(&mut self, position: &G::Position, ply: u32) {
        self.table.remove(self.key(position, ply));
        self.table.remove_conditional_results(self.key_without_past(position, ply));
    }

    /// Stores the result of a position. The search for this result took `nodes` nodes.
    fn store_result(
        &mut self,
        position: &G::Position,
        ply: u32,
        result: ProofNodeResult,
        nodes: u64,
    ) {
        if result.numbers.is_settled() && self.position_bans(position).is_some() {
            let key = self.key_without_past(position, ply);
            self.table.put_conditional_result(key, result.numbers, result.conditions, nodes);
        } else {
            self.table.put(self.key(position, ply), result.numbers, nodes);
        }
    }

    /// Returns a result with the strictest conditions that the position's own bans satisfy. So the
    /// result holds for these bans, and for bans that are better for the winner.
    fn result_for_own_bans(
        &self,
        position: &G::Position,
        numbers: ProofNumbers,
    ) -> ProofNodeResult {
        let conditions = self.position_bans(position).map(|bans| {
            ResultTransferConditions::strictest_for_bans(numbers.sort_values_winner_first(bans))
        });
        ProofNodeResult { numbers, conditions: conditions.unwrap_or_default() }
    }

    /// Returns the key under which the table stores a position `ply` plies after the root. If the
    /// question limits the number of plies, the key includes the number of plies that remain. If
    /// the rules are relaxed, the key includes the side for which they are relaxed.
    pub fn key(&self, position: &G::Position, ply: u32) -> u64 {
        self.key_for_question(self.question.history.rules().search_key(position), ply)
    }

    /// Returns the [key](DfpnSolver::key) of the position that has the same board but no history.
    fn key_without_past(&self, position: &G::Position, ply: u32) -> u64 {
        let rules = self.question.history.rules();
        self.key_for_question(rules.search_key(&rules.position_without_past(position)), ply)
    }

    fn key_for_question(&self, key: u64, ply: u32) -> u64 {
        let ProofQuestion { plies, relaxed, .. } = self.question;
        match (plies, relaxed) {
            (Some(plies), _) => key::hash_words(&[key, u64::from(plies.saturating_sub(ply))]),
            (None, Some(side)) => key ^ key::hash_words(&[*side as u64]),
            (None, None) => key,
        }
    }

    /// Searches the current position. Stops when the position is proved or disproved, or when its
    /// proof number or its disproof number reaches the one in `limit`.
    fn search(&mut self, ply: u32, limit: ProofNumbers) -> Result<ProofNodeResult, SearchStopped> {
        let position = *self.history.position();
        // A win never rests on a repetition, so a position that repeats an earlier one counts as
        // disproved. If the number of plies is limited, this is not needed: the limit ends such
        // lines.
        let repeats = self.question.plies.is_none()
            && self.history.plies_since_occurrences().next().is_some();
        if repeats || self.history.len() >= MAX_PROOF_PLIES {
            return Ok(self.result_for_own_bans(&position, ProofNumbers::DISPROVED_PROOF_NUMBERS));
        }
        let before = self.budget.nodes;
        self.budget.count_node()?;
        let list = self.children.len();
        self.generate_children(&position, ply);
        let numbers = self.search_children(ply, list, limit);
        let result = numbers.map(|numbers| ProofNodeResult {
            numbers,
            conditions: self.result_conditions(&position, numbers, list),
        });
        self.children.truncate(list);
        let result = result?;
        self.store_result(&position, ply, result, self.budget.nodes - before);
        Ok(result)
    }

    /// Returns the conditions of the result of a proved or disproved position, derived from those
    /// of its children. The children begin at index `list` of `self.children`.
    fn result_conditions(
        &self,
        position: &G::Position,
        numbers: ProofNumbers,
        list: usize,
    ) -> ResultTransferConditions {
        let rules = self.question.history.rules();
        if !numbers.is_settled() || rules.position_bans(position).is_none() {
            return ResultTransferConditions::default();
        }
        let is_attacker_to_move = position.side_to_move() == self.question.attacker;
        let children = &self.children[list..];
        let before = |child: &DfpnChild<G>| {
            child.result.conditions.conditions_before_move(rules.bans_of_move(child.mv).decided)
        };
        if numbers.phi_delta(is_attacker_to_move).phi == 0 {
            // The side to move achieves its aim by one of its moves, provided that no ban forbids
            // this move.
            let winning = children
                .iter()
                .filter(|child| child.result.numbers.phi_delta(is_attacker_to_move).phi == 0);
            let conditions = winning
                .map(|child| before(child).and_winner_lacks(rules.bans_of_move(child.mv).against));
            conditions.min_by_key(|conditions| conditions.count()).unwrap_or_default()
        } else {
            // No legal move of the side to move achieves its aim. The moves that are illegal only
            // because of bans on this side might achieve it. So the same bans must bind this side
            // wherever the result is used.
            children.iter().map(before).fold(
                ResultTransferConditions::require_loser_has(rules.bans_on_mover(position)),
                ResultTransferConditions::and,
            )
        }
    }

    /// Repeatedly searches the most promising child of the current position. Stops when the
    /// position is proved or disproved, or when its proof number or its disproof number reaches the
    /// one in `limit`. The children begin at index `list` of `self.children`.
    fn search_children(
        &mut self,
        ply: u32,
        list: usize,
        limit: ProofNumbers,
    ) -> Result<ProofNumbers, SearchStopped> {
        let is_attacker_to_move = self.history.side_to_move() == self.question.attacker;
        let limit = limit.phi_delta(is_attacker_to_move);
        loop {
            let children = &self.children[list..];
            let here = PhiDelta::from_children(
                children.iter().map(|child| child.result.numbers.phi_delta(is_attacker_to_move)),
            );
            if here.phi == 0
                || here.delta == 0
                || here.phi >= limit.phi
                || here.delta >= limit.delta
            {
                return Ok(here.proof_numbers(is_attacker_to_move));
            }
            let rank =
                |child: &DfpnChild<G>| child.result.numbers.phi_delta(is_attacker_to_move).phi;
            let Some(best) = (0..children.len()).min_by_key(|&at| rank(&children[at])) else {
                return Ok(ProofNumbers::DISPROVED_PROOF_NUMBERS);
            };
            let others = children.iter().enumerate().filter(|&(at, _)| at != best);
            let second =
                others.map(|(_, child)| rank(child)).min().unwrap_or(INFINITE_PROOF_NUMBER);
            let open = children
                .iter()
                .filter(|child| child.result.numbers.phi_delta(is_attacker_to_move).delta != 0)
                .count() as u32;
            // The 1 + ε trick (Pawlewicz and Lew, 2007): the search switches to the second best
            // child only if the best one has become worse than the second best by a quarter. This
            // makes it switch less often.
            let phi = limit.phi.min(second.saturating_add(second / 4).saturating_add(1));
            // The `delta` of the position is at least that of the child plus `open - 1`: see
            // `PhiDelta::from_children`. So the child's limit is lower by `open - 1`.
            let delta = if limit.delta == INFINITE_PROOF_NUMBER {
                INFINITE_PROOF_NUMBER
            } else {
                limit.delta.saturating_sub(open - 1)
            };
            let mv = children[best].mv;
            self.history.push(mv);
            let result =
                self.search(ply + 1, PhiDelta { phi, delta }.proof_numbers(is_attacker_to_move));
            self.history.pop();
            self.children[list + best].result = result?;
        }
    }

    /// Appends the children of a position to `children`.
    fn generate_children(&mut self, position: &G::Position, ply: u32) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.list_moves(position, ply, &mut moves);
        for &mv in &moves {
            let result =
                self.node_result(&self.question.history.rules().play(position, mv), ply + 1);
            self.children.push(DfpnChild { mv, result });
        }
        self.moves = moves;
    }

    /// Appends the [`moves`](DfpnSolver::moves) of a position.
    fn list_moves(&self, position: &G::Position, ply: u32, moves: &mut Vec<G::Move>) {
        if ply == 0 && !self.question.moves.is_empty() {
            moves.extend(&self.question.moves);
        } else {
            self.question.history.rules().legal_moves(position, moves);
        }
    }

    /// Returns the initial result of a position that is not in the table. The result is exact if it
    /// is known without a search, otherwise an estimate by the static evaluation.
    fn initial_result(&self, position: &G::Position, ply: u32) -> ProofNodeResult {
        let rules = self.question.history.rules();
        let is_attacker_to_move = position.side_to_move() == self.question.attacker;
        let left = self.question.plies.map(|plies| plies.saturating_sub(ply));
        if let Some(known) = self.question.game_over_result(position, &self.repeated) {
            let numbers = if known == KnownResult::NotWon {
                ProofNumbers::DISPROVED_PROOF_NUMBERS
            } else {
                ProofNumbers::PROVED_PROOF_NUMBERS
            };
            // A loss of the side to move can depend on the bans that bind this side now, but on
            // nothing else.
            return match numbers.phi_delta(is_attacker_to_move).phi {
                0 => self.result_for_own_bans(position, numbers),
                _ => ProofNodeResult {
                    numbers,
                    conditions: ResultTransferConditions::require_loser_has(
                        rules.bans_on_mover(position),
                    ),
                },
            };
        }
        let probed = self.question.probe_tables(position, &self.repeated);
        self.budget.table_hits.update(|hits| hits + u64::from(probed.is_some()));
        let settled = match probed {
            Some(KnownResult::Won(plies)) if left.is_none_or(|left| plies <= left) => {
                Some(ProofNumbers::PROVED_PROOF_NUMBERS)
            }
            Some(KnownResult::Won(_)) if self.has_exact_distances => {
                Some(ProofNumbers::DISPROVED_PROOF_NUMBERS)
            }
            Some(KnownResult::NotWon) => Some(ProofNumbers::DISPROVED_PROOF_NUMBERS),
            _ if left == Some(0) => Some(ProofNumbers::DISPROVED_PROOF_NUMBERS),
            _ => None,
        };
        if let Some(numbers) = settled {
            return self.result_for_own_bans(position, numbers);
        }
        let evaluation = rules.evaluate(position, &rules.compute_eval_data(position))
            * if is_attacker_to_move { 1 } else { -1 };
        let number = |against: i32| {
            1 + (against / CENTIPAWNS_PER_PROOF_NUMBER).clamp(0, MAX_EVALUATION_PROOF_NUMBER) as u32
        };
        ProofNodeResult::unconditional(ProofNumbers {
            proof: number(-evaluation),
            disproof: number(evaluation),
        })
    }
}
