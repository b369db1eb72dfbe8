//! The cells of a grid inside the convex hull of some cells.

use crate::env::Cell;

type Point = (i64, i64);

/// How many cells have their centre in the convex hull of the centres of `cells`.
///
/// By Pick's theorem a lattice polygon of area `A` with `B` lattice points on its boundary holds
/// `A + B/2 + 1` of them; this is right for segments and single points too.
pub(super) fn cells_in_hull(cells: &[Cell]) -> usize {
    let mut points: Vec<Point> = cells
        .iter()
        .map(|c| (c.column as i64, c.row as i64))
        .collect();
    points.sort_unstable();
    points.dedup();
    if points.len() <= 1 {
        return points.len();
    }
    let corners = corners(&points);
    let (mut twice_area, mut boundary) = (0, 0);
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        twice_area += a.0 * b.1 - b.0 * a.1;
        boundary += gcd((a.0 - b.0).unsigned_abs(), (a.1 - b.1).unsigned_abs());
    }
    ((twice_area.unsigned_abs() + boundary) / 2 + 1) as usize
}

/// The corners of the hull in order (monotone chain), from at least two sorted distinct points.
fn corners(points: &[Point]) -> Vec<Point> {
    let mut hull = half(points.iter().copied());
    hull.pop();
    let mut back = half(points.iter().rev().copied());
    back.pop();
    hull.append(&mut back);
    hull
}

fn half(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut chain: Vec<Point> = Vec::new();
    for p in points {
        while let [.., a, b] = chain[..] {
            let turn = (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0);
            if turn > 0 {
                break;
            }
            chain.pop();
        }
        chain.push(p);
    }
    chain
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hull(cells: &[(usize, usize)]) -> usize {
        let cells: Vec<Cell> = cells
            .iter()
            .map(|&(row, column)| Cell { row, column })
            .collect();
        cells_in_hull(&cells)
    }

    #[test]
    fn hulls_of_points_segments_and_polygons() {
        assert_eq!(hull(&[]), 0);
        assert_eq!(hull(&[(3, 4)]), 1);
        assert_eq!(hull(&[(0, 0), (0, 4)]), 5);
        assert_eq!(hull(&[(0, 0), (1, 2)]), 2);
        assert_eq!(hull(&[(0, 0), (2, 2), (1, 1)]), 3);
        assert_eq!(hull(&[(0, 0), (0, 2), (2, 0), (2, 2)]), 9);
        // A triangle with legs 2 holds 6 lattice points.
        assert_eq!(hull(&[(0, 0), (0, 2), (2, 0)]), 6);
    }
}
