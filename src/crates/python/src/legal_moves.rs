//! The class `LegalMoves`: the legal moves of a game's current position.

use std::borrow::Cow;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySlice};

use crate::game::Game;

/// The legal moves of the current position of a game, in the order in which the rules generate
/// them. `sorted` returns them in the order of the protocol. The sequence is equal to a list of the
/// same moves in the same order.
#[pyclass(frozen, module = "pentarch")]
pub(crate) struct LegalMoves(Py<Game>);

/// An index or a slice.
#[derive(FromPyObject)]
enum IndexOrSlice<'py> {
    Index(isize),
    Slice(Bound<'py, PySlice>),
}

impl LegalMoves {
    pub(crate) fn new(game: Py<Game>) -> LegalMoves {
        LegalMoves(game)
    }

    /// Returns all moves.
    fn texts(&self) -> Vec<String> {
        let mut state = self.0.get().lock();
        let count = state.legal_move_count();
        (0..count).filter_map(|index| state.session().generated_move_text(index)).collect()
    }
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self) -> usize {
        self.0.get().lock().legal_move_count()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: IndexOrSlice<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match index {
            IndexOrSlice::Index(index) => {
                let mut state = self.0.get().lock();
                let count = state.legal_move_count();
                let from_start =
                    if index < 0 { index.saturating_add_unsigned(count) } else { index };
                let text =
                    usize::try_from(from_start).ok().and_then(|at| state.legal_move_at(py, at));
                drop(state);
                let text = text.ok_or_else(|| PyIndexError::new_err("there is no such move"))?;
                Ok(text.into_bound(py).into_any())
            }
            IndexOrSlice::Slice(slice) => PyList::new(py, self.texts())?.as_any().get_item(slice),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.texts())?.try_iter()
    }

    /// Returns whether a move is legal, as `Game.is_legal` does.
    fn __contains__(&self, r#move: Cow<'_, str>) -> bool {
        self.0.get().is_legal(r#move)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let texts = self.texts();
        match other.cast::<LegalMoves>() {
            Ok(other) => Ok(texts == other.get().texts()),
            Err(_) => PyList::new(py, texts)?.eq(other),
        }
    }

    fn __repr__(&self) -> String {
        format!("<pentarch.LegalMoves {}>", self.texts().join(" "))
    }
}
