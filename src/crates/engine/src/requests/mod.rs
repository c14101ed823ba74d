//! Requests and responses in JSON, which the page, scripts and the cluster use.
//!
//! | module | contents |
//! |---|---|
//! | `json` | a tree of JSON with the offset of each value |
//! | [`field_error`] | the faults of a request's JSON, as data |
//! | `deserializer` | deserialises types from the tree |
//! | [`id`] | the `id` of a request |
//! | [`field_types`] | the types of a request's fields |
//! | [`fields`] | the definition of the fields of a request |
//! | [`request`] | a checked request |
//! | [`field_checks`] | checks the fields of a request |
//! | [`response`] | the definition of the fields of a response |
//! | `schema`, `codegen` | their JSON Schema, and the files generated from it; only in tests |
//! | `recent_games` | a cache of the games of recent requests |
//! | [`response_task`] | the searches of a response |
//! | [`responder`] | responds to requests |
//! | [`report_throttle`] | limits how often reports are written |
//! | [`polling_engine`] | responds to requests on one thread, in slices |

#[cfg(test)]
mod codegen;
mod deserializer;
pub mod field_checks;
pub mod field_error;
pub mod field_types;
pub mod fields;
pub mod id;
mod json;
pub mod polling_engine;
mod recent_games;
pub mod report_throttle;
pub mod request;
pub mod responder;
pub mod response;
pub mod response_task;
#[cfg(test)]
pub(crate) mod schema;
