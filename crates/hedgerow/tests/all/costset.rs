//! Membership against counting through all policies: both rules, hard and soft.

use crate::common;

use common::brute::{Answer, Brute};
use common::random_policy;
use hedgerow::costset::{CostSet, Role, Rule};
use hedgerow::index::Pair;
use hedgerow::model::Policy;
use hedgerow::solve::{Mdp, lagrangian};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Members and non-members met.
#[derive(Debug, Default)]
struct Tally {
    members: usize,
    others: usize,
    close: usize,
}

impl Tally {
    fn count(&mut self, known: Answer, found: bool, what: &dyn Fn() -> String) {
        match known {
            Answer::Yes => self.members += 1,
            Answer::No => self.others += 1,
            Answer::Close => self.close += 1,
        }
        let agree = known == Answer::Close || found == (known == Answer::Yes);
        assert!(agree, "{known:?}, found {found}: {}", what());
    }
}

/// An expert and the hidden cost it was made from.
struct Expert {
    policy: Policy,
    hidden: Vec<f64>,
    budget: f64,
}

fn deterministic(policy: &Policy) -> bool {
    policy.probs().iter().all(|&p| p == 0.0 || p == 1.0)
}

/// Random experts, and experts that are optimal for a hidden cost.
fn hard_experts(brute: &Brute, rng: &mut ChaCha8Rng) -> Vec<Expert> {
    let mut experts = Vec::new();
    for round in 0..4 {
        let hidden = brute.lattice(rng);
        let policy = match round {
            0 => Some(random_policy(brute.task(), rng.random())),
            1 => {
                let pick = rng.random_range(0..brute.policies.len());
                let probs = brute.policies[pick].clone();
                Some(Policy::new(brute.task(), probs).unwrap())
            }
            _ => brute.best_free(&hidden),
        };
        experts.extend(policy.map(|policy| Expert {
            policy,
            hidden,
            budget: 0.0,
        }));
    }
    experts
}

fn soft_experts(brute: &Brute, rng: &mut ChaCha8Rng) -> Vec<Expert> {
    let mut experts = Vec::new();
    for round in 0..5 {
        let hidden = brute.lattice(rng);
        let (policy, spent) = match round {
            0 => {
                let policy = random_policy(brute.task(), rng.random());
                let spent = brute.worth(policy.probs(), &hidden);
                (policy, spent)
            }
            // Between the least and the greatest cost the optimum usually draws lots.
            1 => {
                let points = brute.points(&hidden);
                let most = points.iter().map(|p| p[1]).fold(0.0, f64::max);
                let least = points.iter().map(|p| p[1]).fold(most, f64::min);
                let budget = least + rng.random_range(0.2..0.8) * (most - least);
                let mdp = Mdp::of(&brute.case.model);
                let best = lagrangian(&mdp, &hidden, budget).unwrap();
                (best.solution().unwrap().policy, budget)
            }
            _ => brute.best_at(&hidden, rng.random_range(0.0..2.0)),
        };
        // Some budgets are not used up, some not enough.
        let factor = [1.0, 1.0, 1.0, 1.0, 1.25][round];
        if spent > 0.01 {
            experts.push(Expert {
                policy,
                hidden,
                budget: factor * spent,
            });
        }
    }
    experts
}

/// Lattice costs: at random, near the hidden one, and near what the conditions ask for.
fn candidates(
    brute: &Brute,
    set: &CostSet<impl hedgerow::model::Dynamics>,
    expert: &Expert,
    rng: &mut ChaCha8Rng,
) -> Vec<Vec<f64>> {
    (0..15)
        .map(|round| {
            let mut cost = match round % 3 {
                0 => return brute.lattice(rng),
                1 => expert.hidden.clone(),
                _ => {
                    let charge = rng.random_bool(0.5) && expert.budget > 0.0;
                    let entry = |i| match set.role(Pair::new(i)) {
                        Role::Paying => 0.5 * f64::from(rng.random_range(1..3_u8)),
                        Role::Chosen if charge => 0.5 * f64::from(rng.random_range(0..2_u8)),
                        _ => 0.0,
                    };
                    (0..brute.task().pairs()).map(entry).collect()
                }
            };
            for _ in 0..rng.random_range(0..3_u8) {
                let i = rng.random_range(0..cost.len());
                cost[i] = 0.5 * f64::from(rng.random_range(0..3_u8));
            }
            cost
        })
        .collect()
}

#[test]
fn membership_is_what_counting_says() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let [
        mut hard_rule,
        mut hard_best,
        mut soft_rule,
        mut soft_best,
        mut minimal,
    ] = [const {
        Tally {
            members: 0,
            others: 0,
            close: 0,
        }
    }; 5];
    let (mut models, mut costs) = (0, 0);
    for brute in (0..220).filter_map(Brute::draw) {
        models += 1;
        let experts = hard_experts(&brute, &mut rng);
        let soft = soft_experts(&brute, &mut rng);
        for expert in experts.iter().chain(&soft) {
            let Expert { policy, budget, .. } = expert;
            let set = CostSet::of(&brute.case.model, policy, *budget, 1.0).unwrap();
            let hard = set.is_hard();
            for cost in candidates(&brute, &set, expert, &mut rng) {
                costs += 1;
                let ask = |rule| set.contains(&cost, rule).unwrap();
                let (local, best) = (ask(Rule::Conditions), ask(Rule::Optimality));
                assert_eq!(
                    (local.rule, best.rule),
                    (Rule::Conditions, Rule::Optimality)
                );
                let say = |found: &dyn std::fmt::Debug| {
                    format!("{:?} {policy:?} {budget} {cost:?} {found:?}", brute.case)
                };
                let known = brute.conditions(policy, &cost, hard);
                let tally = if hard { &mut hard_rule } else { &mut soft_rule };
                tally.count(known, local.is_member(), &|| say(&local));
                let (tally, known) = if hard {
                    (&mut hard_best, brute.optimal_hard(policy, &cost))
                } else {
                    (&mut soft_best, brute.optimal_soft(policy, &cost, *budget))
                };
                tally.count(known, best.is_member(), &|| say(&best));
                if hard && deterministic(policy) {
                    let known = brute.minimal_hard(policy, &cost);
                    minimal.count(known, local.is_member(), &|| say(&local));
                }
            }
        }
    }
    let all = [hard_rule, hard_best, soft_rule, soft_best, minimal];
    println!("{models} models, {costs} costs, {all:?}");
    assert!(
        models >= 100 && costs >= 10_000,
        "{models} models, {costs} costs"
    );
    for tally in all {
        assert!(tally.members >= 500 && tally.others >= 500, "{tally:?}");
        assert!(
            tally.close * 200 <= tally.members + tally.others,
            "{tally:?}"
        );
    }
}
