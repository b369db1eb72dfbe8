//! `pcse`: go where the error bound is largest, among policies that could still be best.

use crate::Result;
use crate::explore::plan::{PLANNING, best_sharing_ties, estimated, greedy_sharing_ties, planning_gamma};
use crate::explore::{Entry, Plan, Strategy};
use crate::index::Pair;
use crate::learn::Learner;
use crate::param::{Parameter, Parameters, number};
use crate::seed::Stream;
use crate::solve::{LinearRow, Mdp, Outcome, WarmStart, constrained_best};

const PARAMETERS: &[Parameter] = &[
    number("lookahead", 3.0, 1.0, 1000.0, "exploration is planned with the discount 1 - (1 - gamma) / lookahead"),
    number("share", 0.5, 0.0, 1.0, ""),
    number("exclude", 1.0, 0.0, 1.0, ""),
    number("beta", 0.0, 0.0, 1.0, ""),
    number("mix", 1.0, 0.0, 1.0, ""),
    number("obj", 1.0, 0.0, 100.0, ""),
    number("ogamma", 0.0, 0.0, 1.0, ""),
];

pub(super) const ENTRY: Entry = Entry {
    name: "pcse",
    summary: "explore ",
    parameters: PARAMETERS,
    build: |p| Box::new(Pcse { p: p.clone(), warm: WarmStart::default(), warm_opt: Vec::new(), warm_e: Vec::new() }),
};

struct Pcse {
    p: Parameters,
    warm: WarmStart,
    warm_opt: Vec<f64>,
    warm_e: Vec<f64>,
}

impl Strategy for Pcse {
    fn plan(&mut self, learner: &Learner, _: usize, _: &mut Stream) -> Result<Plan> {
        let n = |s: &str| self.p.number(s);
        let task = learner.task();
        let gamma = planning_gamma(task.gamma(), n("lookahead"));
        let allowed: Vec<bool> = learner.constrained().iter().map(|c| !c || n("exclude") == 0.0).collect();
        // width, largest for unseen
        let w: Vec<f64> = task.all_pairs().map(|p| learner.width(p)).collect();
        let largest = w.iter().copied().filter(|w| w.is_finite()).fold(0.0, f64::max);
        let unseen = if largest > 0.0 { largest } else { 1.0 } / (1.0 - gamma) * n("obj");
        let bonus: Vec<f64> = w.iter().map(|&w| if w.is_finite() { w } else { unseen }).collect();
        let opt: Vec<f64> = task.all_pairs().map(|p| { let w = w[p.at()]; if w.is_finite() { task.reward()[p.at()] + task.gamma() * w.min(1.0) } else { 1.0 } }).collect();
        let mo = estimated(learner, &opt, gamma).with_allowed(&allowed);
        let _ = best_sharing_ties(&mo, &mut self.warm_opt);
        let best = task.at_start(&self.warm_opt);
        // expert's value with the planning discount
        let expert = learner.expert_policy();
        let me = estimated(learner, task.reward(), gamma);
        let ve = crate::solve::evaluate_iterative(&me, &expert, &PLANNING, Some(&self.warm_e[..]).filter(|w| w.len()==task.states())).solution().map(|v| v.values).unwrap_or_default();
        self.warm_e = ve;
        let need = task.at_start(&self.warm_e).max(n("share") * best).min(best - 1e-7);
        let neg: Vec<f64> = opt.iter().map(|o| -o).collect();
        let mdp: Mdp<_> = estimated(learner, &bonus, gamma).with_allowed(&allowed);
        let rows = [LinearRow { weights: &neg, bound: -need }];
        match constrained_best(&mdp, &rows, &PLANNING, &mut self.warm)? {
            Outcome::Optimal(m) | Outcome::LimitReached(m) => {
                let l = m.multipliers[0];
                let r: Vec<f64> = bonus.iter().zip(&opt).map(|(b, o)| b + l * o).collect();
                let md = estimated(learner, &r, gamma).with_allowed(&allowed);
                let mut v = Vec::new();
                let t = best_sharing_ties(&md, &mut v);
                if n("mix") == 0.0 { return Ok(Plan::Follow(t)); }
                let value = |p: &crate::model::Policy| crate::solve::evaluate_iterative(&mo, p, &PLANNING, None).solution().map_or(f64::NAN, |v| task.at_start(&v.values));
                let vt = value(&t);
                if vt >= need { return Ok(Plan::Follow(t)); }
                let mask: Vec<bool> = t.probs().iter().map(|&p| p > 0.0).collect();
                let mf = estimated(learner, &opt, gamma).with_allowed(&mask);
                let mut v = Vec::new();
                let f = best_sharing_ties(&mf, &mut v);
                let vf = value(&f);
                if vf <= need { return Ok(Plan::Follow(f)); }
                let theta = (vf - need) / (vf - vt);
                Ok(Plan::Mixture(vec![(theta, t), (1.0 - theta, f)]))
            }
            Outcome::Infeasible { .. } => Ok(Plan::Follow(greedy_sharing_ties(&mo, &self.warm_opt))),
        }
    }
}
#[allow(dead_code)] fn _p(_: Pair) {}
