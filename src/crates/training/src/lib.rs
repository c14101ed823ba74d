//! The learning algorithms of the tuner: logistic regression, and the training of nets by gradient
//! descent.
//!
//! Nothing here depends on a game. This is a separate crate because it pays to vectorise its loops
//! over samples, unlike the program around them, which is compiled to be small.
//!
//! | module | contents |
//! |---|---|
//! | [`regression`] | logistic regression |
//! | [`gradient_descent`] | the training of nets |
//! | [`samples`] | the samples of both |

pub mod gradient_descent;
pub mod regression;
pub mod samples;
