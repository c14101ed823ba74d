//! Checks that the traits of a game agree with each other: rules that contradict themselves have no
//! correct cases. The games are random, and every other game returns to earlier positions.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use thiserror::Error;

use pentarch_core::Options;
use pentarch_core::rules::legal_move_list;
use pentarch_engine::input_word::InputWord;
use pentarch_engine::session::Session;
use pentarch_games::{Game, GameOperation};

use super::checked_rule_sets::describe_rule_set;
use super::reference::ReferenceGame;

const GAMES_PER_CONSISTENCY_CHECK: usize = 8;
/// The maximum number of different positions of a game.
const MAX_CHECKED_POSITIONS: usize = 120;
/// The approximate maximum number of moves of a position that are checked.
const MAX_CHECKED_MOVES: usize = 30;

/// A position in which a game does not meet a requirement.
#[derive(Debug, Error)]
#[error("{rules}: position fen {fen}: {requirement}: {found}")]
pub struct RulesContradiction {
    /// The game and its options.
    pub rules: String,
    /// The position.
    pub fen: String,
    /// The requirement. The requirement names the trait methods to which it applies.
    pub requirement: &'static str,
    /// The move, number or string that contradicts the requirement.
    pub found: String,
}

/// Checks rules with draws by repetition. `rules` describes these rules for errors, and each new
/// session has these rules.
///
/// # Errors
/// If the rules contradict themselves.
pub fn check_consistency(
    rules: String,
    new_session: &dyn Fn() -> Box<dyn Session>,
) -> Result<(), RulesContradiction> {
    let game = ReferenceGame { session: new_session(), text: None };
    let sites = game.session.board_data(&Options::default()).sites.into_iter();
    let mut check = RulesConsistencyCheck {
        rules,
        sites: sites.map(|site| site.id).collect(),
        game,
        reader: ReferenceGame { session: new_session(), text: None },
        positions: BTreeMap::new(),
    };
    let mut random = Rng::with_seed(1);
    for number in 0..GAMES_PER_CONSISTENCY_CHECK {
        check.play_game(&mut random, number % 2 == 1)?;
    }
    Ok(())
}

/// A check of the methods whose results a [`Session`] does not show, for the rules of these
/// options.
pub struct RulesMethodCheck<'a>(pub &'a Options);

impl GameOperation for RulesMethodCheck<'_> {
    type Output = Result<(), RulesContradiction>;

    fn run_for_game_type<G: Game>(self) -> Result<(), RulesContradiction> {
        let rules = G::from_options(self.0);
        let require = |holds: bool, fen: &str, requirement, found: &str| {
            holds.then_some(()).ok_or_else(|| {
                let (rules, fen, found) = (describe_rule_set(self.0), fen.into(), found.into());
                RulesContradiction { rules, fen, requirement, found }
            })
        };
        let text = |mv| rules.move_text(mv);
        let mut random = Rng::with_seed(1);
        let mut position = rules.start_position();
        for _ in 0..GAMES_PER_CONSISTENCY_CHECK * MAX_CHECKED_POSITIONS {
            let fen = rules.position_text(&position);
            let moves = legal_move_list(&rules, &position);
            let holds = moves.is_empty() == rules.outcome(&position).is_some();
            let requirement = "`legal_moves` must be empty exactly if `outcome` ends the game";
            require(holds, &fen, requirement, &format!("{moves:?}"))?;
            for &mv in &moves {
                let holds = rules.history_table_index(mv) < G::HISTORY_TABLE_SIZE;
                let requirement = "`history_table_index` must be below HISTORY_TABLE_SIZE";
                require(holds, &fen, requirement, &text(mv))?;
            }
            for symmetry in rules.symmetries() {
                let image = legal_move_list(&rules, &(symmetry.position)(&rules, &position));
                let mapped = moves.iter().map(|&mv| text((symmetry.mv)(&rules, mv)));
                let holds = BTreeSet::from_iter(mapped) == image.into_iter().map(text).collect();
                require(holds, &fen, "`symmetries` must preserve `legal_moves`", symmetry.name)?;
            }
            let next = random.choice(&moves).map(|&mv| rules.play(&position, mv));
            position = next.unwrap_or_else(|| rules.start_position());
        }
        for fen in G::BENCH_POSITIONS.1 {
            let error = G::default().parse_position(fen).err().map(|error| error.to_string());
            let requirement = "BENCH_POSITIONS must have valid FENs";
            require(error.is_none(), fen, requirement, &error.unwrap_or_default())?;
        }
        Ok(())
    }
}

/// Checks in random games that the parts of a game agree: keys, position strings, legal moves,
/// evaluations and boards.
struct RulesConsistencyCheck {
    /// The game and its options, for errors.
    rules: String,
    game: ReferenceGame,
    /// A second game, which reads the FENs of the first.
    reader: ReferenceGame,
    /// The ids of the sites of the board.
    sites: BTreeSet<String>,
    /// The positions by their keys: first the FEN, then the parts that the key must cover.
    positions: BTreeMap<u64, [String; 2]>,
}

impl RulesConsistencyCheck {
    fn require(
        &self,
        holds: bool,
        requirement: &'static str,
        found: impl ToString,
    ) -> Result<(), RulesContradiction> {
        holds.then_some(()).ok_or_else(|| RulesContradiction {
            rules: self.rules.clone(),
            fen: self.game.fen(),
            requirement,
            found: found.to_string(),
        })
    }

    fn play_game(
        &mut self,
        random: &mut Rng,
        repeats_positions: bool,
    ) -> Result<(), RulesContradiction> {
        // The start position is always valid.
        let _ = self.game.set_up(None, "");
        let mut counts = BTreeMap::<u64, usize>::new();
        while self.game.outcome() == "ongoing" && counts.len() < MAX_CHECKED_POSITIONS {
            let legal: Vec<String> =
                self.game.legal_moves().into_iter().map(|mv| mv.text).collect();
            self.check_position(&legal)?;
            let count = counts.entry(self.game.session.position_notation().key).or_default();
            *count += 1;
            let requirement = "with RepetitionDraw `repetition_outcome` must end the game, and no \
                position may occur again after `is_irreversible_move`";
            self.require(*count < 3, requirement, "third occurrence")?;
            let mut next = random.choice(&legal);
            if repeats_positions {
                let back = legal.iter().find(|mv| counts.contains_key(&self.key_after(mv)));
                next = back.or(next);
            }
            self.game.play(next.map_or("", String::as_str));
        }
        Ok(())
    }

    fn key_after(&mut self, mv: &str) -> u64 {
        self.game.play(mv);
        let key = self.game.session.position_notation().key;
        self.game.take_back();
        key
    }

    /// Checks the current position, in which the game is not over.
    fn check_position(&mut self, legal: &[String]) -> Result<(), RulesContradiction> {
        let score = self.game.evaluation().unwrap_or(0);
        self.require(score.abs() <= 9999, "`evaluate` must return -9999 to 9999", score)?;
        self.require(!legal.is_empty(), "`outcome` must end games without a move", "none")?;
        for pair in legal.windows(2) {
            let differs = pair[0] != pair[1];
            self.require(differs, "`move_text` must differ for each move", &pair[0])?;
        }
        let mut all_clicks = BTreeSet::new();
        for mv in legal.iter().step_by(legal.len() / MAX_CHECKED_MOVES + 1) {
            self.check_notation(mv, legal)?;
            self.check_move_passes_turn(mv)?;
            let effect = self.game.session.move_effect(&InputWord::from_text(mv));
            let clicks = effect.map_or_else(|_| Vec::new(), |effect| effect.clicks);
            let has_sites = clicks.iter().all(|id| self.sites.contains(id));
            let is_new = self.sites.is_empty() || (!clicks.is_empty() && all_clicks.insert(clicks));
            let requirement = "`append_move_clicks` must have other sites for each move";
            self.require(has_sites && is_new, requirement, mv)?;
        }
        self.check_fen_and_key(legal)
    }

    fn check_notation(&self, mv: &str, legal: &[String]) -> Result<(), RulesContradiction> {
        for written in [mv.to_string(), mv.to_uppercase(), mv.to_lowercase()] {
            let is_found = self.game.resolve_move(&written).is_ok_and(|found| found.text == mv);
            let requirement = "`parse_move` and `resolve_move` must find each legal move";
            self.require(is_found, requirement, written)?;
        }
        for (at, step) in (0..mv.len()).flat_map(|at| [(at, 1), (at, u8::MAX)]) {
            let mut similar = mv.as_bytes().to_vec();
            similar[at] = similar[at].wrapping_add(step);
            let similar = String::from_utf8(similar).unwrap_or_default();
            if let Ok(found) = self.game.resolve_move(&similar) {
                let is_legal = legal.binary_search(&found.text).is_ok();
                let requirement = "`legal_moves` must have what `resolve_move` accepts";
                self.require(is_legal, requirement, similar)?;
            }
        }
        Ok(())
    }

    fn check_move_passes_turn(&mut self, mv: &str) -> Result<(), RulesContradiction> {
        let before = self.game.session.game_state();
        self.game.play(mv);
        let after = self.game.session.game_state();
        self.game.take_back();
        let passes = after.player != before.player || self.game.constants().players.len() > 2;
        self.require(passes, "`play` must pass the turn", mv)?;
        let number = before.full_move + u32::from(after.player <= before.player);
        self.require(after.full_move == number, "`play` must count the full moves", mv)
    }

    fn check_fen_and_key(&mut self, legal: &[String]) -> Result<(), RulesContradiction> {
        let scene = self.game.session.position_scene();
        let key = self.game.session.position_notation().key;
        let rest = scene.fen.rsplit_once(' ').map_or("", |(rest, _)| rest);
        for fen in [scene.fen.clone(), format!("{rest} 999999")] {
            let error = self.reader.set_up(Some(&fen), "").err();
            let found = error.map_or_else(|| self.reader.fen(), |error| error.to_string());
            self.require(found == fen, "`parse_position` must read `position_text`", found)?;
            let requirement = "`search_key` must depend on the FEN without its number";
            self.require(self.reader.session.position_notation().key == key, requirement, fen)?;
        }
        let player = self.game.player();
        // The scene of a game may also show which player placed a piece. The scene of a position
        // may not.
        let drawn = self.reader.session.position_scene();
        let parts = format!("{:?} {:?} {player} {legal:?}", drawn.pieces, drawn.hands);
        let earlier = self.positions.entry(key).or_insert_with(|| [scene.fen, parts.clone()]);
        let [fen, earlier_parts] = earlier.clone();
        let requirement = "`search_key` must differ for different positions";
        self.require(earlier_parts == parts, requirement, fen)
    }
}
