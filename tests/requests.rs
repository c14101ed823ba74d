//! Requests in JSON and their answers. The tests check their schema and their agreement with the
//! line protocol. They also send corrupt, stopped and overtaken requests.
//!
//! | module | tests |
//! |---|---|
//! | `schema` | none: it compares values with the schema |
//! | `answers` | real answers to every question, for each game and rule set, and invalid requests |
//! | `known` | known values: one value in every answer |
//! | `problems` | the built-in problems |
//! | `proofs` | forced wins |
//! | `agreement` | agreement with the line protocol |
//! | `mutated` | lines that are nearly requests |
//! | `slices` | requests on one thread, in slices |
//! | `program` | `pentarch analyse`: stops, priorities, reports and the order of answers |
//! | `sockets` | the page's server |

mod agreement;
mod answers;
mod known;
mod mutated;
mod problems;
mod program;
mod proofs;
mod schema;
mod slices;
#[cfg(feature = "serve")]
mod sockets;
