//! The inferred cost on the cells of the maze.

use super::learner::Learner;
use hedgerow::model::significant_cells;

/// Samples with a cost that a cell needs before it is charged: one or two may be chance.
pub const EVIDENCE: u64 = 3;

/// What the samples say about each cell, row by row from the top.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// Samples that lead into the cell.
    pub visits: Vec<u64>,
    /// Those of them with an inferred cost.
    pub constrained: Vec<u64>,
    /// Mean inferred cost of a sample that leads into the cell; 0 below 5 % of the largest, or
    /// with too little evidence.
    pub cost: Vec<f64>,
}

impl Learner {
    /// The inferred cost on cells: `kappa(cell)` is the mean cost of the samples that lead there.
    pub(super) fn find_cells(&self) -> Cells {
        let map = &self.terms().map;
        let count = map.rows() * map.columns();
        let mut cells = Cells {
            visits: vec![0; count],
            constrained: vec![0; count],
            cost: vec![0.0; count],
        };
        for (&place, &cost) in self.places().iter().zip(self.costs()) {
            if let Some((row, column)) = map.cell_at(place) {
                let cell = row * map.columns() + column;
                cells.visits[cell] += 1;
                cells.constrained[cell] += u64::from(cost > 0.0);
                cells.cost[cell] += cost;
            }
        }
        for cell in 0..count {
            cells.cost[cell] = match cells.constrained[cell] >= EVIDENCE {
                true => cells.cost[cell] / cells.visits[cell] as f64,
                false => 0.0,
            };
        }
        cells.cost = significant_cells(cells.cost);
        cells
    }
}
