//! The games of the program as values, and the operations of the program on the rules of a game.
//!
//! [`game`] is the only function here that is generic over a game: everything else is compiled
//! once, for any list of games. The modules of the program contain the operations, so this module
//! imports from all of them. They use this module through [`RunOperation`].

use std::marker::PhantomData;
use std::process::ExitCode;
use std::sync::OnceLock;

use pentarch_engine::games::{GameDefinition, RulesId, set_games};
use pentarch_games::{BuiltinRules, Game, GameEntry, GameOperation};

use crate::analysis::proof::PositionToProve;
use crate::arena::opening::BuiltinOpeningsOperation;
use crate::cli;
use crate::cli::problems::PositionProblemOperation;
use crate::cli::prove::{ProofCheckOperation, ProofSearchOperation};
use crate::cli::tables::TablebaseWriteOperation;
use crate::conform::checked_rule_sets::ListRuleSets;
use crate::conform::consistency::RulesMethodCheck;
use crate::convert::styled_moves::{
    HasNotationStyleOperation, MoveNotationConverter, NotationStyleRulesOperation,
    StyledMovesReader,
};
use crate::problems::compose::ProblemListBuilder;
use crate::problems::drills::DrillGeneratorBuilder;
use crate::problems::grader::PositionToGrade;
use crate::tune::openings::OpeningListBuilder;
use crate::tune::spsa::SearchTuner;
use crate::tune::{NetTrainer, SelfPlayShard, WeightTuner};

/// A game of a program: its rules for each number of players.
#[derive(Clone)]
pub struct ErasedGame {
    game_definition: GameDefinition,
    /// The rules, in the order of the rules in `game_definition`.
    rules: Vec<&'static dyn ErasedRules>,
}

/// Returns a game with its rules for two players. [`GameEntry::with_additional_rules`] adds others.
pub fn game<G: Game>() -> ErasedGame {
    ErasedGame::new::<G>()
}

/// Runs a program with these games: the command line, the protocols, the arena and the page. The
/// first game is the default.
///
/// ```no_run
/// use pentarch_quoridor::Quoridor;
///
/// fn main() -> std::process::ExitCode {
///     pentarch::run(&[pentarch::game::<Quoridor>()])
/// }
/// ```
///
/// # Panics
/// If there is no game, or if the program has used the engine before.
pub fn run(games: &[ErasedGame]) -> ExitCode {
    set_games(games.iter().map(|game| game.game_definition.clone()).collect());
    let rules = games.iter().map(|game| game.rules.clone()).collect();
    assert!(ERASED_RULES_BY_GAME.set(rules).is_ok(), "the games are set once");
    cli::main()
}

impl GameEntry for ErasedGame {
    fn new<G: Game>() -> ErasedGame {
        ErasedGame {
            game_definition: GameDefinition::new::<G>(),
            rules: vec![&RulesOf::<G>(PhantomData)],
        }
    }

    fn with_additional_rules<G: Game>(mut self) -> ErasedGame {
        self.game_definition = self.game_definition.with_additional_rules::<G>();
        self.rules.push(&RulesOf::<G>(PhantomData));
        self
    }
}

/// The rules of each game, in the order of the games of the engine.
static ERASED_RULES_BY_GAME: OnceLock<Vec<Vec<&'static dyn ErasedRules>>> = OnceLock::new();

/// The rules of the type `G` as a value.
struct RulesOf<G>(PhantomData<fn() -> G>);

/// An operation of the program on the rules of a game.
pub(crate) trait ProgramRulesOperation: GameOperation {
    /// Runs the operation for these rules.
    fn run_for_rules(self, rules: &dyn ErasedRules) -> Self::Output;
}

/// Runs the operations of the program with rules that were chosen at run time.
pub(crate) trait RunOperation {
    /// Runs an operation.
    fn run_operation<O: ProgramRulesOperation>(self, operation: O) -> O::Output;
}

impl RunOperation for RulesId {
    fn run_operation<O: ProgramRulesOperation>(self, operation: O) -> O::Output {
        let rules_by_game = ERASED_RULES_BY_GAME.get_or_init(|| {
            BuiltinRules::list_games().into_iter().map(|game: ErasedGame| game.rules).collect()
        });
        operation.run_for_rules(rules_by_game[self.game][self.rules])
    }
}

/// Defines [`ErasedRules`] with a method for each operation, and makes each operation a
/// [`ProgramRulesOperation`].
macro_rules! program_operations {
    ($($method:ident $(<$lifetime:lifetime>)?: $operation:ty;)*) => {
        /// The rules of a game without their type, with all operations of the program.
        pub(crate) trait ErasedRules: Sync {
            $(fn $method$(<$lifetime>)?(&self, operation: $operation) -> <$operation as GameOperation>::Output;)*
        }

        impl<G: Game> ErasedRules for RulesOf<G> {
            $(fn $method$(<$lifetime>)?(&self, operation: $operation) -> <$operation as GameOperation>::Output {
                operation.run_for_game_type::<G>()
            })*
        }

        $(impl$(<$lifetime>)? ProgramRulesOperation for $operation {
            fn run_for_rules(self, rules: &dyn ErasedRules) -> Self::Output {
                rules.$method(self)
            }
        })*
    };
}

program_operations! {
    builtin_openings<'a>: BuiltinOpeningsOperation<'a>;
    check_methods<'a>: RulesMethodCheck<'a>;
    check_proof<'a>: ProofCheckOperation<'a>;
    compose_problems<'a>: ProblemListBuilder<'a>;
    find_problem<'a>: PositionProblemOperation<'a>;
    grade_position<'a>: PositionToGrade<'a>;
    has_notation_style<'a>: HasNotationStyleOperation<'a>;
    list_rule_sets: ListRuleSets;
    make_drills<'a>: DrillGeneratorBuilder<'a>;
    make_openings<'a>: OpeningListBuilder<'a>;
    play_shard<'a>: SelfPlayShard<'a>;
    prove_position<'a>: PositionToProve<'a>;
    read_styled_moves<'a>: StyledMovesReader<'a>;
    rules_to_try<'a>: NotationStyleRulesOperation<'a>;
    search_proof<'a>: ProofSearchOperation<'a>;
    train_net<'a>: NetTrainer<'a>;
    tune_search<'a>: SearchTuner<'a>;
    tune_weights<'a>: WeightTuner<'a>;
    write_styled_moves<'a>: MoveNotationConverter<'a>;
    write_tables<'a>: TablebaseWriteOperation<'a>;
}
