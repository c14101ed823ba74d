//! Bushka on the board of a Go front end. The board keeps its files and ranks. On 11x9 two ranks
//! are missing at the top, because a Go board is square. Light squares are empty points. Without
//! them, the board would consist of points that touch only at their corners.

use pentarch_core::view::projection::Writing;
use pentarch_core::{Grid, Projection};

use super::Bushka;
use super::board::squares;
use super::position::Position;

impl Projection for Bushka {
    fn grid(&self) -> Option<Grid> {
        Some(Grid { size: self.board.files.max(self.board.ranks), hexagonal: false })
    }

    fn writing(&self, position: &Position) -> Writing {
        let kings = squares(position.kings[0] | position.kings[1]);
        Writing {
            labels: kings.map(|king| (king.point().into(), vec!["K".into()])).collect(),
            ..Writing::default()
        }
    }
}
