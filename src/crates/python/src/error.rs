//! Converts errors of the engine to Python exceptions.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use pentarch_engine::error::EngineError;

/// An error with the same fields as the error of a request.
pub(crate) struct RulesError(Value);

impl RulesError {
    /// Creates the error for a keyword that is not the name of a rules option.
    pub(crate) fn unknown_option(message: String, name: &str) -> RulesError {
        RulesError(json!({
            "message": message, "reason": message, "kind": "field", "field": name,
            "move": null, "line": null, "column": null, "rule": null
        }))
    }

    /// Returns the same error, located in this argument.
    pub(crate) fn in_argument(mut self, name: &str) -> RulesError {
        self.0["field"] = name.into();
        self
    }

    /// Converts the error to the exception `pentarch.EngineError`.
    ///
    /// This function runs Python code, which may switch to another thread. So the caller must not
    /// hold a lock that another thread may wait for.
    fn to_exception(&self, py: Python<'_>) -> PyResult<PyErr> {
        let fields = PyDict::new(py);
        for (name, value) in self.0.as_object().into_iter().flatten() {
            match value {
                Value::String(text) => fields.set_item(name, text)?,
                Value::Number(number) => fields.set_item(name, number.as_u64())?,
                _ => fields.set_item(name, py.None())?,
            }
        }
        let message = self.0["message"].as_str().unwrap_or_default();
        let class = py.import("pentarch")?.getattr("EngineError")?;
        Ok(PyErr::from_value(class.call1((message, fields))?))
    }
}

impl From<EngineError> for RulesError {
    fn from(error: EngineError) -> RulesError {
        RulesError(serde_json::to_value(error).unwrap_or_default())
    }
}

impl From<RulesError> for PyErr {
    fn from(error: RulesError) -> PyErr {
        Python::attach(|py| error.to_exception(py).unwrap_or_else(|failure| failure))
    }
}
