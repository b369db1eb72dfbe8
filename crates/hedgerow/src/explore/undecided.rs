//! `undecided`: explore only pairs whose sign is not known yet.

use crate::Result;
use crate::explore::plan::{best_sharing_ties, estimated, planning_gamma};
use crate::explore::{Entry, Plan, Strategy};
use crate::index::Pair;
use crate::learn::{Learner, Standing};
use crate::param::{Parameter, Parameters, number};
use crate::seed::Stream;

const PARAMETERS: &[Parameter] = &[
    number(
        "lookahead",
        3.0,
        1.0,
        1000.0,
        "exploration is planned with the discount 1 - (1 - gamma) / lookahead",
    ),
    number("chosen", 1.0, 0.0, 1000.0, ""),
    number("unseen-chosen", 1.0, 0.0, 1000.0, ""),
    number("free", 0.0, 0.0, 1000.0, ""),
    number("exclude", 1.0, 0.0, 3.0, ""),
    number("relevant", 1.0, 0.0, 1.0, ""),
    number("unseen", 1.0, 0.0, 1000.0, ""),
    number("imitate", 0.0, 0.0, 3.0, ""),
    number("rel", 0.0, 0.0, 1000.0, ""),
    number("wpow", 1.0, 0.0, 10.0, ""),
];

pub(super) const ENTRY: Entry = Entry {
    name: "undecided",
    summary: "explore only pairs not yet known to be constrained or free",
    parameters: PARAMETERS,
    build: |p| Box::new(Undecided::new(p)),
};

struct Undecided {
    p: Parameters,
    warm: Vec<f64>,
    warm_opt: Vec<f64>,
}

impl Undecided {
    fn new(p: &Parameters) -> Self {
        Self {
            p: p.clone(),
            warm: Vec::new(),
            warm_opt: Vec::new(),
        }
    }
}

impl Strategy for Undecided {
    fn plan(&mut self, learner: &Learner, _: usize, _: &mut Stream) -> Result<Plan> {
        let n = |s: &str| self.p.number(s);
        let task = learner.task();
        let gamma = planning_gamma(task.gamma(), n("lookahead"));
        let allowed: Vec<bool> = task
            .all_pairs()
            .map(|p| match n("exclude") as u32 {
                0 => true,
                1 => !learner.constrained()[p.at()],
                2 => learner.standing(p) != Standing::Constrained,
                _ => !(learner.constrained()[p.at()] && learner.estimate().visits(p) > 2),
            })
            .collect();
        let opt: Vec<f64> = task
            .all_pairs()
            .map(|p| task.reward()[p.at()] + task.gamma() * learner.width(p).min(1.0))
            .collect();
        let mo = estimated(learner, &opt, task.gamma()).with_allowed(&allowed);
        let _ = best_sharing_ties(&mo, &mut self.warm_opt);
        let relevant = |p: Pair| {
            mo.q(p, &self.warm_opt) > learner.values()[task.state_of(p).at()] * (1.0 + n("rel"))
        };
        let mut bonus = Vec::with_capacity(task.pairs());
        let mut largest = 0.0_f64;
        for pair in task.all_pairs() {
            let w = learner.width(pair).powf(n("wpow"));
            let b = match learner.standing(pair) {
                Standing::Unseen => -n("unseen"),
                Standing::Chosen => {
                    if learner.estimate().visits(pair) == 0 {
                        -n("unseen-chosen")
                    } else {
                        n("chosen") * w
                    }
                }
                Standing::Constrained => 0.0,
                Standing::Free => w * n("free"),
                Standing::Undecided => {
                    if n("relevant") == 0.0 || relevant(pair) {
                        w
                    } else {
                        w * n("free")
                    }
                }
            };
            largest = largest.max(b);
            bonus.push(b);
        }
        let unseen = if largest > 0.0 { largest } else { 1.0 } / (1.0 - gamma);
        for b in &mut bonus {
            if *b < 0.0 {
                *b = -*b * unseen;
            }
        }
        let mdp = estimated(learner, &bonus, gamma).with_allowed(&allowed);
        let policy = best_sharing_ties(&mdp, &mut self.warm);
        let mode = n("imitate");
        if mode == 0.0 {
            return Ok(Plan::Follow(policy));
        }
        let im = task
            .all_states()
            .map(|s| {
                if task.is_terminal(s) {
                    return false;
                }
                if learner.expert_asked(s) == 0 {
                    return true;
                }
                if mode >= 2.0 {
                    return task.pairs_of(s).any(|i| {
                        let p = Pair::new(i);
                        learner.expert_chose(p) && learner.estimate().visits(p) == 0
                    });
                }
                false
            })
            .collect();
        Ok(Plan::Imitate(policy, im))
    }
}
