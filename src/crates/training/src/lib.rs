//! The learning algorithms of the tuner: logistic regression, and the training of nets by gradient
//! descent.
//!
//! Nothing here depends on a game. The loops over samples are in a separate crate because they run
//! faster if they are vectorised. The rest of the program is compiled to be small instead.
//!
//! | module | contents |
//! |---|---|
//! | [`regression`] | logistic regression |
//! | [`gradient_descent`] | the training of nets |
//! | [`samples`] | the samples of both algorithms |

pub mod gradient_descent;
pub mod regression;
pub mod samples;
