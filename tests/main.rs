//! All tests from outside. They form one program, so that the crate is linked only once.
//!
//! | module | tests |
//! |---|---|
//! | [`contract`], [`front_end`], [`projection`], [`clicks`], [`counts`] | invariants of every game |
//! | [`fixtures`], [`documentation`] | the files of every game, and the lists that name it |
//! | [`pages`] | the documentation pages: their links, and the location of their tested examples |
//! | [`requirements`] | the rules text of every game, and the cases that decide its sentences |
//! | [`alcaxar`], [`alquerque`], [`bushka`], [`quoridor`], [`quoridor_four`], [`roses`] | one game: a second implementation of its rules |
//! | [`book`], [`tables`], [`alcaxar_solver`], [`alcaxar_checker`], [`alcaxar_extraction`], [`quoridor_tables`], [`wins`], [`proof_files`], [`check_proof`] | exact knowledge of positions |
//! | [`search`] | the search and the prover, compared with simple implementations |
//! | [`lessons`], [`drills`] | the guided first game, and exercises from solved positions |
//! | [`levels`] | the engine below its full strength |
//! | [`reviews`] | known blunders, the chances of people, the accuracy of the levels |
//! | [`transcripts`], [`gtp`], [`records`], [`annotations`], [`numbers`] | the protocols |
//! | [`garbage`], [`interleaving`], `parsing_time`, [`faults`], [`damage`], `failing_calls` | any input at any time, damaged files, and a failing system |
//! | [`requests`] | requests in JSON, and the schema of their answers |
//! | [`serve`] | the page's server; `tests/browser` tests the page in a real browser |
//! | [`program`], [`play`], [`analyse`], [`diagram`], [`arena`], [`tournament`], [`conform`], [`openings`], [`problems`], [`prove`], [`tune`], [`shards`], [`completions`], [`registry_clients`], [`http_example`] | the command line and clients by others |
//!
//! `cargo test --test all MODULE::` runs the tests of one module. Long tests are ignored. The
//! comment on each of them says how to run it.

mod client;
mod common;

mod alcaxar;
mod alcaxar_checker;
mod alcaxar_extraction;
mod alcaxar_solver;
mod alquerque;
mod analyse;
mod annotations;
mod arena;
mod book;
mod bushka;
mod check_proof;
mod clicks;
mod completions;
mod conform;
mod contract;
mod counts;
mod damage;
mod diagram;
mod documentation;
mod drills;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod failing_calls;
#[cfg(unix)]
mod faults;
mod fixtures;
mod formats;
mod front_end;
mod garbage;
mod gtp;
mod http_example;
mod interleaving;
mod lessons;
mod levels;
mod numbers;
mod oblique;
mod openings;
mod pages;
#[cfg(unix)]
mod parsing_time;
mod play;
mod problems;
mod program;
mod projection;
mod proof_files;
mod prove;
mod quoridor;
mod quoridor_four;
mod quoridor_tables;
mod records;
mod registry_clients;
mod requests;
mod requirements;
mod reviews;
mod roses;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod shards;
mod tables;
mod tournament;
mod transcripts;
mod tune;
mod wins;
