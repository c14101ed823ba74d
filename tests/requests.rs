//! Requests in JSON and their answers: the schema that both keep, the same answers as those of the line protocol, and
//! what happens to requests that are spoilt, stopped or overtaken.
//!
//! | module | what it tests |
//! |---|---|
//! | `schema` | nothing: it holds values against the schema |
//! | `answers` | real answers of every question, game and rule set, and bad requests |
//! | `problems` | the problems that the program has |
//! | `proofs` | who can force a win |
//! | `agreement` | that the line protocol says the same |
//! | `spoilt` | lines that are nearly requests |
//! | `slices` | requests on one thread, in slices |
//! | `program` | `pentarch analyse`: stops, priorities, reports and the order of answers |
//! | `sockets` | the page's server |

mod agreement;
mod answers;
mod problems;
mod program;
mod proofs;
mod schema;
mod slices;
#[cfg(feature = "serve")]
mod sockets;
mod spoilt;
