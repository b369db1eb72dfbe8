//! Costs made of given features of pairs: which of them carry weight.

use crate::costset::program::Program;
use crate::costset::range::MARGIN;
use crate::costset::{CostSet, Range, Role, Rule};
use crate::index::Pair;
use crate::model::{Dynamics, Task};
use crate::{Error, Result};

/// Features of the pairs of a task, such as rooms, columns or tiles that a pair leads to: costs are
/// `c(s,a) = sum_j theta_j phi_j(s,a)` with `theta >= 0`.
///
/// Under a hard constraint the expert's behaviour says of each feature whether it carries weight,
/// [`Features::found`]: one that is positive where the expert acts cannot, and one that alone is
/// left to explain a constrained pair must. That rests on which pairs are constrained and which
/// are taken, and on nothing else; if these verdicts hold with some confidence, so do the answers.
/// It is assumed that the cost is a combination of these features, and that the expert, which pays nothing, would pay nothing
/// after a constrained pair either. [`Features::ranges`] bounds the weights, under a budget too.
///
/// ```
/// use hedgerow::costset::{CostSet, FeatureFound, Features};
/// use hedgerow::index::Pair;
/// use hedgerow::model::{ModelBuilder, Policy};
///
/// // Two doors and a corridor; the expert walks along the corridor although both doors are shorter.
/// let mut b = ModelBuilder::new(2, ["red door", "blue door", "corridor"], 0.9);
/// b.start(0, 1.0).terminal(1);
/// for (a, r) in [(0, 1.0), (1, 1.0), (2, 0.5)] {
///     b.transition(0, a, 1, 1.0).reward(0, a, r);
/// }
/// let model = b.build()?;
/// let expert = Policy::new(model.task(), vec![0.0, 0.0, 1.0])?;
/// let set = CostSet::of(&model, &expert, 0.0, 1.0)?;
///
/// let features = Features::new(model.task(), vec![
///     ("red".into(), vec![1.0, 0.0, 0.0]),
///     ("door".into(), vec![1.0, 1.0, 0.0]),
///     ("indoors".into(), vec![1.0, 1.0, 1.0]),
/// ])?;
/// let found = features.found_in(&set);
/// assert_eq!(found.features[0], FeatureFound::Possible);
/// assert_eq!(found.features[1], FeatureFound::Certain(Pair(1)));
/// assert_eq!(found.features[2], FeatureFound::Excluded(Pair(2)));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    names: Vec<String>,
    /// One number per pair for each feature.
    values: Vec<Vec<f64>>,
}

/// What is known of the weight of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureFound {
    /// It has none: the expert takes this pair, where it is positive.
    Excluded(Pair),
    /// It has some: nothing else that is left explains this constrained pair.
    Certain(Pair),
    /// It may have some; nothing shows it.
    Possible,
}

/// What is known of all features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeaturesFound {
    /// Of each feature, in order.
    pub features: Vec<FeatureFound>,
    /// Constrained pairs that no feature explains: if there are any, the cost is no combination of these
    /// features.
    pub unexplained: Vec<Pair>,
}

impl Features {
    /// Named features, each with one number of at least 0 per pair.
    pub fn new(task: &Task, features: Vec<(String, Vec<f64>)>) -> Result<Self> {
        if features.is_empty() {
            let remedy = "name at least one";
            return Err(Error::invalid("features", "there are none", remedy));
        }
        let mut found = Self {
            names: Vec::with_capacity(features.len()),
            values: Vec::with_capacity(features.len()),
        };
        for (name, values) in features {
            let place = format!("feature `{name}`");
            if values.len() != task.pairs() {
                let problem = format!("{} numbers for {} pairs", values.len(), task.pairs());
                return Err(Error::invalid(place, problem, "give one per pair"));
            }
            if let Some(pair) = task.all_pairs().find(|p| {
                let x = values[p.at()];
                !(x.is_finite() && x >= 0.0)
            }) {
                let problem = format!("{} at {}", values[pair.at()], task.pair_name(pair));
                let remedy = "use finite numbers of at least 0";
                return Err(Error::invalid(place, problem, remedy));
            }
            if values.iter().all(|&x| x == 0.0) {
                let remedy = "leave it out, or give it a pair";
                return Err(Error::invalid(place, "0 at every pair", remedy));
            }
            if found.names.contains(&name) {
                return Err(Error::invalid(place, "given twice", "use another name"));
            }
            found.names.push(name);
            found.values.push(values);
        }
        Ok(found)
    }

    /// The names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The numbers of one feature, one per pair.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn values(&self, feature: usize) -> &[f64] {
        &self.values[feature]
    }

    /// What follows under a hard constraint from pairs that the expert takes and pairs that are
    /// constrained.
    pub fn found(&self, taken: &[Pair], constrained: &[Pair]) -> FeaturesFound {
        let shown = |values: &Vec<f64>| taken.iter().find(|p| values[p.at()] > 0.0);
        let mut features: Vec<FeatureFound> = self
            .values
            .iter()
            .map(|v| shown(v).map_or(FeatureFound::Possible, |&p| FeatureFound::Excluded(p)))
            .collect();
        let mut unexplained = Vec::new();
        for &pair in constrained {
            let left = |j: &usize| {
                let excluded = matches!(features[*j], FeatureFound::Excluded(_));
                !excluded && self.values[*j][pair.at()] > 0.0
            };
            let mut explain = (0..features.len()).filter(left);
            match (explain.next(), explain.next()) {
                (None, _) => unexplained.push(pair),
                (Some(j), None) if features[j] == FeatureFound::Possible => {
                    features[j] = FeatureFound::Certain(pair);
                }
                _ => {}
            }
        }
        FeaturesFound {
            features,
            unexplained,
        }
    }

    /// The same with known dynamics: from what the expert takes where it comes, and all pairs that
    /// it avoids although they would pay.
    pub fn found_in<D: Dynamics>(&self, set: &CostSet<D>) -> FeaturesFound {
        let pairs = || set.task().all_pairs();
        let taken: Vec<Pair> = pairs().filter(|&p| set.uses(p)).collect();
        let constrained: Vec<Pair> = pairs().filter(|&p| set.role(p) == Role::Paying).collect();
        self.found(&taken, &constrained)
    }

    /// How small and large every weight can be, with costs up to `C_max`; `None` if no combination
    /// explains the expert.
    ///
    /// Under a hard constraint by [`Features::found_in`]. Under a budget by two linear programs per
    /// feature over the costs with which the expert is optimal ([`Rule::Optimality`]); ends are then those of the closure, to the accuracy
    /// of an interior point.
    pub fn ranges<D: Dynamics>(&self, set: &CostSet<D>) -> Result<Option<Vec<Range>>> {
        if self.values[0].len() != set.task().pairs() {
            let problem = "they are of another task";
            let remedy = "make them for the task of the cost set";
            return Err(Error::invalid("features", problem, remedy));
        }
        match set.is_hard() {
            true => Ok(self.hard_ranges(set)),
            false => self.soft_ranges(set),
        }
    }

    fn hard_ranges<D: Dynamics>(&self, set: &CostSet<D>) -> Option<Vec<Range>> {
        let found = self.found_in(set);
        let range = |(known, values): (&FeatureFound, &Vec<f64>)| {
            let most = set.cost_max() / values.iter().copied().fold(0.0, f64::max);
            match known {
                FeatureFound::Excluded(_) => Range::closed(0.0, 0.0),
                FeatureFound::Certain(_) => Range::above(0.0, most),
                FeatureFound::Possible => Range::closed(0.0, most),
            }
        };
        let ranges = found.features.iter().zip(&self.values).map(range);
        found.unexplained.is_empty().then(|| ranges.collect())
    }

    fn soft_ranges<D: Dynamics>(&self, set: &CostSet<D>) -> Result<Option<Vec<Range>>> {
        let mut program = Program::new(&[set], Rule::Optimality)?;
        let first = program.combine(&self.values);
        let innermost = program.innermost()?;
        if program.margin_of(&innermost) <= MARGIN * set.cost_max() {
            return Ok(None);
        }
        let range = |(j, values): (usize, &Vec<f64>)| -> Result<Range> {
            let most = set.cost_max() / values.iter().copied().fold(0.0, f64::max);
            let end = |sign: f64| -> Result<f64> {
                let found = program.end_of(first + j, sign)?.x[first + j];
                // What an interior point leaves of 0 is 0.
                let near = found.abs() <= 1e-8 * most;
                Ok(if near { 0.0 } else { found.clamp(0.0, most) })
            };
            Ok(Range::closed(end(1.0)?, end(-1.0)?))
        };
        let ranges = self.values.iter().enumerate().map(range);
        Ok(Some(ranges.collect::<Result<_>>()?))
    }
}
