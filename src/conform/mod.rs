//! Checks whether an engine plays by the rules of a game.
//!
//! A [case](case::ConformanceCase) is a question to an engine, with the reply that the rules
//! require. The program generates the cases from random games, and from the positions and moves
//! that each game lists for the sentences of its rules. `docs/conformance.md` describes the cases
//! for other programs.
//!
//! | module | contents |
//! |---|---|
//! | [`case`] | cases, and their form as lines of JSON |
//! | [`checked_rule_sets`] | the rule sets of each game for which there are cases |
//! | [`rule_cases`] | the parser for the positions and moves that show the sentences of the rules |
//! | `reference` | the replies that the rules require, and the sentences that decide |
//! | [`consistency`] | checks that the traits of a game agree with each other |
//! | [`generator`] | the cases of a rule set |
//! | [`checker`] | asks an engine the cases, and finds the replies that differ |
//! | [`report`] | writes the differences for people |

pub mod case;
pub mod checked_rule_sets;
pub mod checker;
pub mod consistency;
pub mod generator;
pub mod reference;
pub mod report;
pub mod rule_cases;
