//! What the tuner learns with: logistic regression, and the training of nets by gradient descent.
//!
//! Nothing here knows a game. It is a crate of its own because its loops over samples are worth vectorising, unlike the
//! program around them, which is compiled to be small.

pub mod gradient_descent;
pub mod regression;
pub mod samples;
