//! Learning in continuous worlds of any kind: values, constraints, strategies, runs.

use hedgerow::domain::World;
use hedgerow::domain::{Domain, Domains};
use hedgerow::param::Parameters;
use hedgerow::run;
use hedgerow::run::{RunId, RunResult, RunSpec};
use hedgerow::seed::Stream;
use hedgerow_continuous::general::payload::{GeneralSummary, Moment};
use hedgerow_continuous::general::strategy::{Bear, GeneralStrategy, STRATEGIES, find};
use hedgerow_continuous::general::{
    GeneralDomain, GeneralLearner, GeneralSettings, OpenWorld, PARAMETERS, Sample,
};
use hedgerow_continuous::sample_file::SampleFile;
use hedgerow_continuous::world::{
    Callback, ContinuousWorld, Coordinate, Episodes, Expert, Space, Step, Trajectories, Trajectory,
    WorldSpec,
};
use hedgerow_continuous::{Error, Result};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A point on a line from 0 to 4 that earns what it moves to the right. The expert stops at 2; beyond, it
/// stands still. The end of the line ends the episode.
#[derive(Debug)]
pub struct Line {
    spec: WorldSpec,
    recorded: bool,
}

#[derive(Clone, Debug)]
struct Walk {
    x: f64,
    steps: usize,
    stream: Stream,
}

const HORIZON: usize = 10;

impl Line {
    /// Its expert as a policy, or recorded.
    pub fn new(recorded: bool) -> Self {
        Self {
            spec: WorldSpec {
                name: "line".into(),
                observation: Space::Box(vec![Coordinate::new("x", "m", 0.0, 4.0)]),
                action: Space::Box(vec![Coordinate::new("step", "m", 0.0, 1.0)]),
                gamma: 0.8,
                horizon: HORIZON,
            },
            recorded,
        }
    }

    fn act(x: f64) -> f64 {
        (2.0 - x).clamp(0.0, 1.0)
    }
}

impl Episodes for Walk {
    fn reset(&mut self, observation: &mut [f64]) -> Result<()> {
        use rand::RngExt;
        self.x = self.stream.random::<f64>();
        self.steps = 0;
        observation[0] = self.x;
        Ok(())
    }

    fn step(&mut self, action: &[f64], observation: &mut [f64]) -> Result<Step> {
        let before = self.x;
        self.x = (self.x + action[0].clamp(0.0, 1.0)).min(4.0);
        self.steps += 1;
        observation[0] = self.x;
        Ok(Step {
            reward: self.x - before,
            ended: self.x >= 4.0,
            truncated: self.steps >= HORIZON,
            cost: Some(f64::from(u8::from(self.x > 2.0 && self.x > before))),
        })
    }

    fn fork(&self) -> Option<Box<dyn Episodes>> {
        Some(Box::new(self.clone()))
    }
}

impl ContinuousWorld for Line {
    fn spec(&self) -> &WorldSpec {
        &self.spec
    }

    fn version(&self) -> String {
        "1".into()
    }

    fn episodes(&self, seed: u64, purpose: &str) -> Result<Box<dyn Episodes>> {
        Ok(Box::new(Walk {
            x: 0.0,
            steps: 0,
            stream: Stream::new(seed, purpose),
        }))
    }

    fn expert(&self) -> Result<Expert> {
        if !self.recorded {
            let act = |o: &[f64], a: &mut [f64]| {
                a[0] = Self::act(o[0]);
                Ok::<(), Error>(())
            };
            return Ok(Expert::Policy(Arc::new(Callback::new(act))));
        }
        let episode = |i: usize| {
            let mut x = i as f64 / 40.0;
            let mut t = Trajectory {
                observations: vec![x],
                ..Trajectory::default()
            };
            for _ in 0..4 {
                let a = Self::act(x);
                x += a;
                t.observations.push(x);
                t.actions.push(a);
                t.rewards.push(a);
            }
            t
        };
        let all = (0..160).map(episode).collect();
        Ok(Expert::Data(Arc::new(Trajectories::new(all, &self.spec)?)))
    }

    fn true_cost(&self, observation: &[f64], action: &[f64]) -> Option<f64> {
        let x = observation[0] + action[0];
        Some(f64::from(u8::from(x > 2.0 && action[0] > 0.0)))
    }
}

fn settings() -> GeneralSettings {
    GeneralSettings::new(Parameters::defaults(PARAMETERS).values())
}

fn run_line(world: &OpenWorld, strategy: &str, set: &[(&str, &str)]) -> RunResult {
    let mut shared = Parameters::defaults(run::PARAMETERS);
    let mut own = Parameters::defaults(PARAMETERS);
    for (key, value) in set {
        match shared.find(key) {
            Some(_) => shared.set(key, value).unwrap(),
            None => own.set(key, value).unwrap(),
        }
    }
    let parameters = Parameters::defaults(find(strategy).unwrap().info.parameters);
    let spec = RunSpec {
        version: String::new(),
        id: RunId {
            env: "line".into(),
            strategy: strategy.into(),
            seed: 3,
        },
        domain: "general".into(),
        environment: String::new(),
        settings: shared.values().clone().and(own.values()),
        strategy_settings: parameters.values().clone(),
        variant_of: None,
    };
    let mut observe = |_: &run::Row| ControlFlow::Continue(());
    world.run(&spec, &mut observe).unwrap()
}

#[test]
fn returns_follow_the_expert_and_stop_where_somebody_else_acts() {
    let world = Line::new(false);
    let mut learner = GeneralLearner::new(world.spec(), &settings(), 7).unwrap();
    // 0 -> 1 by the expert, 1 -> 1.25 by somebody else, 1.25 -> 2 by the expert, 2 -> 2.
    let steps = [(0.0, 1.0), (1.0, 0.25), (1.25, 0.75), (2.0, 0.0)];
    for (i, (x, a)) in steps.into_iter().enumerate() {
        learner.observe(&Sample {
            observation: &[x],
            action: &[a],
            expert: &[Line::act(x)],
            next: &[x + a],
            next_expert: &[Line::act(x + a)],
            reward: a,
            ended: false,
            last: i == 3,
        });
    }
    let samples = learner.samples();
    let found = |i: usize| {
        let r = samples.return_of(i);
        (r.reward, r.discount, r.end)
    };
    assert_eq!(found(0), (1.0, 0.8, 0));
    assert_eq!(found(3), (0.0, 0.8, 3));
    let (reward, discount, end) = found(1);
    assert!((reward - (0.25 + 0.8 * 0.75)).abs() < 1e-12);
    assert!((discount - 0.8 * 0.8 * 0.8).abs() < 1e-12 && end == 3);
    assert!(!samples.is_own(1) && samples.is_own(2));
}

/// What the last snapshot of a run keeps.
fn moment(result: &RunResult) -> Moment {
    let last = result.snapshots.last().unwrap();
    last.payload.as_ref().unwrap().read().unwrap()
}

#[test]
fn the_end_of_the_line_is_recovered_and_the_agent_keeps_to_it() {
    let world = OpenWorld::new(Arc::new(Line::new(false))).unwrap();
    let set = [
        ("iterations", "25"),
        ("episodes", "3"),
        ("steps", "100"),
        ("units", "32"),
    ];
    let result = run_line(&world, "random", &set);
    let summary: GeneralSummary = result.payload.read().unwrap();
    let found = summary.comparison.unwrap();
    assert!(found.iou > 0.7, "{found:?}");
    assert!(found.false_weight < 0.25, "{found:?}");
    let (fitted, truth) = summary.value_at_start;
    assert!((fitted - truth).abs() < 0.1 * truth, "{fitted} {truth}");
    // Held-out pairs: probabilities mean what they say.
    assert!(summary.held_out.error < 0.2, "{:?}", summary.held_out);
    let last = moment(&result);
    // An agent that avoids nothing and keeps no distance, with the same samples, pays more.
    let careless = [&set[..], &[("avoid", "1"), ("slack", "0")]].concat();
    let careless = run_line(&world, "random", &careless);
    let careless = moment(&careless);
    assert!(
        last.agent.cost < 0.8 * careless.agent.cost,
        "{:?} {:?}",
        last.agent,
        careless.agent
    );
    let kept = run_line(
        &world,
        "random",
        &[("iterations", "1"), ("steps", "5"), ("keep-samples", "on")],
    );
    let table = SampleFile::from_bytes(&kept.samples.unwrap()).unwrap();
    assert!(table.len() >= 50 && result.samples.is_none());
    let first = result.snapshots[1].payload.as_ref().unwrap();
    let first: Moment = first.read().unwrap();
    assert!(first.comparison.unwrap().iou < found.iou);
}

/// Episodes of the line begin anywhere from 0 to 1, and the expert earns what is left to 2, discounted.
#[test]
fn agents_and_values_are_compared_with_the_expert_at_the_same_starts() {
    let world = OpenWorld::new(Arc::new(Line::new(false))).unwrap();
    let evaluator = world.evaluator();
    let worth = |x: f64| 1.0 + 0.8 * (1.0 - x);
    let mean = |starts: &[Vec<f64>]| {
        let sum: f64 = starts.iter().map(|o| worth(o[0])).sum();
        sum / starts.len() as f64
    };
    let starts = evaluator.starts();
    assert_eq!(starts.len(), 50);
    assert!((evaluator.expert().reward - mean(starts)).abs() < 1e-9);
    let few = evaluator.expert_in(2).unwrap().reward;
    assert!((few - mean(&starts[..2])).abs() < 1e-9);
    let set = [("iterations", "1"), ("steps", "5"), ("agent-episodes", "2")];
    let result = run_line(&world, "random", &set);
    assert_eq!(result.summary.expert_reward, few);
    assert!((few - evaluator.expert().reward).abs() > 1e-3);
    let summary: GeneralSummary = result.payload.read().unwrap();
    assert!((summary.value_at_start.1 - mean(starts)).abs() < 1e-9);
}

#[test]
fn every_strategy_keeps_the_contract_of_a_run_and_repeats() {
    let world = OpenWorld::new(Arc::new(Line::new(false))).unwrap();
    for follow in ["on", "off"] {
        for entry in STRATEGIES {
            let name = entry.info.name;
            let set = [
                ("iterations", "3"),
                ("steps", "20"),
                ("units", "16"),
                ("agent-episodes", "1"),
                ("follow-expert", follow),
            ];
            let result = run_line(&world, name, &set);
            assert_eq!(result.rows.len(), 4, "{name}");
            // Five demonstrations of ten decisions, then one episode per iteration.
            let samples: Vec<u64> = result.rows.iter().map(|r| r.samples).collect();
            assert!(
                samples[0] == 0 && samples[1] > 50 && samples[3] <= 80,
                "{name}: {samples:?}"
            );
            assert_eq!(result, run_line(&world, name, &set), "{name}");
        }
    }
}

/// What may be done gains no more than the expert does; so of actions that are not charged, the one with the largest
/// gain is where gain or constraint is wrong. Where nothing has to be avoided, whoever takes the largest gain runs
/// beyond 2, and a careful agent stays with the expert.
#[test]
fn a_careful_agent_does_not_look_for_gaps_in_the_constraint() {
    let world = Line::new(false);
    let mut settings = settings();
    (settings.avoid, settings.steps, settings.units) = (1.1, 100, 32);
    let mut learner = GeneralLearner::new(world.spec(), &settings, 7).unwrap();
    let mut x = 0.0;
    for i in 0..400 {
        let a = f64::from(i * 37 % 101) / 100.0;
        let next = f64::min(x + a, 4.0);
        let last = next >= 4.0 || i == 399;
        learner.observe(&Sample {
            observation: &[x],
            action: &[a],
            expert: &[Line::act(x)],
            next: &[next],
            next_expert: &[Line::act(next)],
            reward: next - x,
            ended: false,
            last,
        });
        x = if last { 0.0 } else { next };
    }
    for _ in 0..10 {
        learner.refresh().unwrap();
    }
    let candidates = [0.5, 0.0, 0.25, 0.75, 1.0];
    assert_eq!(learner.best(&[1.5], &candidates), 4);
    assert_eq!(learner.careful(&[1.5], &[0.5], &candidates), 0);
    // Without the expert's own action among them: rather less than it than more.
    let candidates = [1.0, 0.25, 0.9];
    assert_eq!(learner.best(&[1.5], &candidates), 0);
    assert_eq!(learner.careful(&[1.5], &[0.5], &candidates), 1);
}

/// Nobody deviates beyond 2, and whoever gets there has the expert follow. What ends beyond 2 is charged; to stand
/// still there ends beyond 2 as well, but it is what the expert does. From x on the expert earns what is left to 2,
/// `2 - x` in one step or `1 + 0.8 (1 - x)` in two, and beyond 2, where only deviations lead, nothing.
#[test]
fn what_the_expert_does_after_a_deviation_is_worth_what_it_earns_and_not_charged() {
    let world = Line::new(false);
    let mut settings = settings();
    (settings.steps, settings.units) = (200, 32);
    let mut learner = GeneralLearner::new(world.spec(), &settings, 7).unwrap();
    for i in 0..300 {
        let mut x = f64::from(i * 37 % 101) / 50.5;
        let deviation = f64::from(i * 53 % 97) / 96.0;
        for (a, last) in [(Some(deviation), false), (None, false), (None, true)] {
            let a = a.unwrap_or_else(|| Line::act(x));
            let next = x + a;
            learner.observe(&Sample {
                observation: &[x],
                action: &[a],
                expert: &[Line::act(x)],
                next: &[next],
                next_expert: &[Line::act(next)],
                reward: a,
                ended: false,
                last,
            });
            x = next;
        }
    }
    for _ in 0..10 {
        learner.refresh().unwrap();
    }
    let beyond = [2.3, 2.5, 2.7].map(|x| learner.probability(&[x], &[0.0]));
    assert!(beyond.iter().all(|p| *p < 0.2), "{beyond:?}");
    let charged = learner.probability(&[1.8], &[0.8]);
    assert!(charged > 0.8, "{charged}");
    let values = [0.5, 1.25, 1.75, 2.5].map(|x| learner.value(&[x]).value);
    let mut both = values.iter().zip([1.4, 0.75, 0.25, 0.0]);
    assert!(both.all(|(v, w)| (v - w).abs() < 0.1), "{values:?}");
}

/// Playing the objective is asked for, and changes nothing else.
#[test]
fn what_bear_gathers_is_played_on_request_only() {
    let world = OpenWorld::new(Arc::new(Line::new(false))).unwrap();
    let set = [("iterations", "3"), ("steps", "20"), ("units", "16")];
    let kept = |set: &[(&str, &str)], strategy: &str| {
        let result = run_line(&world, strategy, set);
        let summary: GeneralSummary = result.payload.read().unwrap();
        (result.rows, summary.objectives, summary.at_once)
    };
    let (rows, objectives, at_once) = kept(&set, "bear");
    assert!(objectives.is_empty() && at_once.is_empty());
    let asked = [&set[..], &[("objective-episodes", "2")]].concat();
    let (same, objectives, at_once) = kept(&asked, "bear");
    assert_eq!((objectives.len(), at_once.len()), (3, 3));
    let within = |x: f64| (0.0..=1.0).contains(&x) && x > 0.0;
    assert!(objectives.iter().all(|(a, b)| within(*a) && within(*b)));
    assert_eq!(rows, same);
    assert!(kept(&asked, "random").1.is_empty());
}

#[test]
fn an_expert_that_was_only_recorded_is_enough() {
    let world = OpenWorld::new(Arc::new(Line::new(true))).unwrap();
    let mut action = [0.0];
    for x in [0.0, 0.6, 1.5, 2.5, 3.5] {
        world.policy().act(&[x], &mut action).unwrap();
        assert!((action[0] - Line::act(x)).abs() < 0.1, "{x}: {action:?}");
    }
    let set = [
        ("units", "32"),
        ("steps", "100"),
        ("iterations", "20"),
        ("episodes", "3"),
        ("same", "0.1"),
        ("margin", "0.1"),
    ];
    let result = run_line(&world, "random", &set);
    let summary: GeneralSummary = result.payload.read().unwrap();
    let found = summary.comparison.unwrap();
    assert!(found.iou > 0.5, "{found:?}");
}

/// Chooses one of some candidates at an observation.
type Choose<'a> = dyn FnMut(&mut GeneralLearner, &[f64], &[f64], &mut Stream) -> usize + 'a;

/// The mean bonus, with counts as they are, of one episode after another in the true world.
fn bonus_of(learner: &mut GeneralLearner, seed: u64, choose: &mut Choose) -> f64 {
    let world = Line::new(false);
    let mut env = world.episodes(seed, "bonus").unwrap();
    let mut stream = Stream::new(seed, "bonus.actions");
    let (mut o, mut candidates, mut total) = ([0.0], Vec::new(), 0.0);
    env.reset(&mut o).unwrap();
    for _ in 0..200 {
        learner.candidates(&[Line::act(o[0])], &mut stream, &mut candidates);
        let i = choose(learner, &o, &candidates, &mut stream);
        let a = [candidates[i]];
        total += 1.0 / learner.count(&o, &a).max(1.0).sqrt();
        if env.step(&a, &mut o).unwrap().done() {
            env.reset(&mut o).unwrap();
        }
    }
    total / 200.0
}

/// With counts frozen, the trained policy gathers more of its bonus in the true world than an untrained one, which
/// takes what is rare at once, and than a random one: the objective rises.
#[test]
fn training_raises_the_objective_of_bear_in_the_true_world() {
    let world = Line::new(false);
    let mut learner = GeneralLearner::new(world.spec(), &settings(), 7).unwrap();
    // In the first half large steps were tried often and small ones less; the second half was rarely seen. Small
    // steps gather more at once, large ones lead to where everything is rare.
    let mut stream = Stream::new(7, "test");
    let mut env = world.episodes(7, "test").unwrap();
    let (mut o, mut next) = ([0.0], [0.0]);
    for episode in 0..60 {
        env.reset(&mut o).unwrap();
        for i in 0.. {
            use rand::RngExt;
            let a = [1.0 - stream.random::<f64>().powi(3)];
            let mut step = env.step(&a, &mut next).unwrap();
            step.truncated |= next[0] > 2.0 && episode % 10 > 0;
            learner.observe(&Sample {
                observation: &o,
                action: &a,
                expert: &[Line::act(o[0])],
                next: &next,
                next_expert: &[Line::act(next[0])],
                reward: step.reward,
                ended: step.ended,
                last: step.done(),
            });
            o = next;
            assert!(i < 100);
            if step.done() {
                break;
            }
        }
    }
    let mut bear = Bear::new(&learner, 1000, 8, 0.9, 7).unwrap();
    let act = |bear: &mut Bear, learner: &mut GeneralLearner| {
        bonus_of(learner, 1, &mut |l, o, c, s| bear.act(l, o, c, s).unwrap())
    };
    let before = act(&mut bear, &mut learner);
    bear.train(&mut learner).unwrap();
    let after = act(&mut bear, &mut learner);
    let random = bonus_of(&mut learner, 1, &mut |_, _, c, s| {
        use rand::RngExt;
        s.random_range(0..c.len())
    });
    assert!(after > 1.1 * before, "{before} {after}");
    assert!(after > 1.1 * random, "{random} {after}");
}

#[test]
fn the_domain_opens_the_car_and_worlds_that_are_added() {
    let domain = GeneralDomain::default().with_world(Arc::new(Line::new(false)));
    assert_eq!(domain.environments(), ["car-speed", "car-line", "line"]);
    let domains = Domains::default().with(domain);
    assert_eq!(domains.of("car-speed").unwrap().name(), "general");
    let world = domains.of("line").unwrap().open("line").unwrap();
    assert!(world.file().expert_reward > 0.5 && world.file().expert_cost == 0.0);
    let text = domains.of("line").unwrap().definition("line").unwrap();
    assert!(text.contains("name = \"line\""));
    let unknown = GeneralDomain::default().open("lime").unwrap_err();
    assert!(unknown.to_string().contains("car-speed"), "{unknown}");
}
