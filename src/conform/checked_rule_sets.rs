//! The rule sets of each game for which there are cases.

use crate::games::RunOperation;
use pentarch_core::rules::options::REPETITION_DRAW_OPTION;
use pentarch_core::{OptionKind, OptionSpec, Options};
use pentarch_engine::engine_state::non_default_rules;
use pentarch_engine::games::{GAME_OPTION, RulesId};
use pentarch_games::{Game, GameOperation};

/// A rule set of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSet {
    /// The options that choose the game and its rules.
    pub options: Options,
    /// Whether the rule set is major. A major rule set gets all cases. Each other rule set differs
    /// from a major rule set in a single option, and gets fewer cases.
    pub is_major: bool,
}

/// An option with more words than this is treated like a number: only a few of its values get
/// cases, and their rule sets are not major.
const MAX_MAJOR_OPTION_VALUES: usize = 4;

/// Returns the rule sets of a game: the default rules, the published rule sets, and rules in which
/// one option has another value.
pub fn rule_sets_of_game(game: RulesId) -> Vec<RuleSet> {
    game.run_operation(ListRuleSets)
}

/// A list of the rule sets of a game.
pub(crate) struct ListRuleSets;

impl GameOperation for ListRuleSets {
    type Output = Vec<RuleSet>;

    fn run_for_game_type<G: Game>(self) -> Vec<RuleSet> {
        let mut default = Options::default();
        set_option(&mut default, &GAME_OPTION, G::GAME_ID);
        if let Some(players) = G::PLAYER_COUNT_OPTION {
            set_option(&mut default, players, &G::PLAYER_NAMES.len().to_string());
        }
        let mut found = vec![RuleSetWithRules::<G>::new(default.clone(), true)];
        if let Some(spec) = G::RULESET_OPTION {
            for value in non_default_values(spec) {
                add_rule_set_if_new(&mut found, &default, spec, &value, true);
            }
        }
        let published = found.iter().map(|rules| rules.set.options.clone()).collect::<Vec<_>>();
        let specs = G::RULE_OPTIONS.iter().chain([&REPETITION_DRAW_OPTION.spec]);
        for spec in specs.filter(|spec| G::PLAYER_COUNT_OPTION.is_none_or(|own| own.spec != **spec))
        {
            let is_major = G::RULESET_OPTION.is_none() && is_choice(spec);
            for value in non_default_values(spec) {
                // An option may have an effect only in one of the published rule sets.
                for base in &published {
                    if add_rule_set_if_new(&mut found, base, spec, &value, is_major) {
                        break;
                    }
                }
            }
        }
        found.into_iter().map(|rules| rules.set).collect()
    }
}

/// A rule set with its rules.
struct RuleSetWithRules<G> {
    rules: G,
    set: RuleSet,
}

impl<G: Game> RuleSetWithRules<G> {
    fn new(options: Options, is_major: bool) -> RuleSetWithRules<G> {
        RuleSetWithRules { rules: G::from_options(&options), set: RuleSet { options, is_major } }
    }
}

/// Adds the rule set in which an option has this value. Returns `false` if no rule set was added,
/// because the list already contains these rules.
fn add_rule_set_if_new<G: Game>(
    found: &mut Vec<RuleSetWithRules<G>>,
    base: &Options,
    spec: &OptionSpec,
    value: &str,
    is_major: bool,
) -> bool {
    let mut options = base.clone();
    set_option(&mut options, spec, value);
    let new = RuleSetWithRules::<G>::new(options, is_major);
    let is_new = found.iter().all(|known| known.rules != new.rules);
    if is_new {
        found.push(new);
    }
    is_new
}

/// Sets an option to one of its valid values.
fn set_option(options: &mut Options, spec: &OptionSpec, value: &str) {
    // The option accepts its valid values, so the call cannot fail.
    let _ = options.set(spec, value);
}

/// Returns whether the option chooses among a few words.
fn is_choice(spec: &OptionSpec) -> bool {
    match spec.kind {
        OptionKind::Check { .. } => true,
        OptionKind::Combo { values, .. } => values.len() <= MAX_MAJOR_OPTION_VALUES,
        OptionKind::Spin { .. } | OptionKind::String | OptionKind::Button => false,
    }
}

/// Returns values of an option in addition to its default. For a number, these are the minimum, the
/// next number and the maximum.
fn non_default_values(spec: &OptionSpec) -> Vec<String> {
    match spec.kind {
        OptionKind::Check { default } => vec![(!default).to_string()],
        OptionKind::Spin { min, max, .. } => {
            [min, min + 1, max].iter().map(ToString::to_string).collect()
        }
        OptionKind::Combo { values: [_, low, next, .., high], .. } if !is_choice(spec) => {
            [low, next, high].map(|value| value.to_string()).to_vec()
        }
        OptionKind::Combo { values, .. } => values.iter().map(ToString::to_string).collect(),
        OptionKind::String | OptionKind::Button => Vec::new(),
    }
}

/// Returns the game and the options that differ from their defaults, for people.
pub fn describe_rule_set(options: &Options) -> String {
    let mut text = options.value(&GAME_OPTION).to_string();
    for (spec, value) in non_default_rules(options) {
        text += &format!(", {}={value}", spec.name);
    }
    text
}
