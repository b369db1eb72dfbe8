//! Sample sizes of uniform sampling, BEAR and PCSE.

use crate::terminal::{number, table};
use clap::Args;
use hedgerow::env::Environment;
use hedgerow::learn::ZetaRule;
use hedgerow::theory::{Gap, PacParams, SampleSize, bear, gap_of, pcse, uniform, zeta_max_of};
use hedgerow::{Error, Result};
use serde::Serialize;

/// The parameters of the theorems.
#[derive(Debug, Args)]
pub struct Given {
    /// States; needed without ENV.
    #[arg(long, value_name = "S", conflicts_with = "env")]
    states: Option<usize>,
    /// Actions a state; needed without ENV.
    #[arg(long, value_name = "A", conflicts_with = "env")]
    actions: Option<usize>,
    /// The discount [default: 0.7, or that of ENV].
    #[arg(
        long,
        value_name = "X",
        conflicts_with = "env",
        allow_negative_numbers = true
    )]
    gamma: Option<f64>,
    /// The largest reward [default: 1, or that of ENV].
    #[arg(
        long,
        value_name = "X",
        conflicts_with = "env",
        allow_negative_numbers = true
    )]
    reward_max: Option<f64>,
    /// The largest cost.
    #[arg(
        long,
        value_name = "X",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    cost_max: f64,
    /// The largest scale of a cost [default: cost-max / advantage].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    zeta_max: Option<f64>,
    /// The expert's largest advantage [default: reward-max, or that of ENV's expert].
    #[arg(
        long,
        value_name = "X",
        conflicts_with = "zeta_max",
        allow_negative_numbers = true
    )]
    advantage: Option<f64>,
    /// Probability with which the answer may be wrong.
    #[arg(
        long,
        value_name = "X",
        default_value_t = 0.1,
        allow_negative_numbers = true
    )]
    delta: f64,
    /// Error allowed on discounted costs [default: a tenth of the largest, cost-max / (1 - gamma)].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    eps: Option<f64>,
    /// The accuracy one iteration before the last, for pcse [default: eps].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    eps_before: Option<f64>,
    /// The least positive advantage in cost, for pcse [default: none, or that of ENV's expert].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    gap: Option<f64>,
    /// The expert's budget, for pcse [default: 0, or that of ENV].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    budget: Option<f64>,
}

#[derive(Serialize)]
pub struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    env: Option<String>,
    pairs: usize,
    horizon: usize,
    gamma: f64,
    reward_max: f64,
    cost_max: f64,
    zeta_max: f64,
    delta: f64,
    eps: f64,
    eps_before: f64,
    /// `None`: the bound of pcse is that of bear.
    gap: Option<f64>,
    budget: f64,
    sigma: f64,
    sizes: Vec<Size>,
}

#[derive(Serialize)]
struct Size {
    strategy: &'static str,
    /// Without the factor `S A`: of the pair that needs most.
    pair_exact: f64,
    pair_closed: f64,
    /// With it.
    all_exact: f64,
    all_closed: f64,
}

/// What an environment settles, or the options in its place.
struct Problem {
    pairs: usize,
    gamma: f64,
    reward_max: f64,
    zeta_max: f64,
    gap: Option<f64>,
    budget: f64,
}

impl Given {
    fn alone(&self) -> Result<Problem> {
        let (Some(states), Some(actions)) = (self.states, self.actions) else {
            return Err(Error::invalid(
                "theory",
                "the size of the problem is not known",
                "name an environment, or give --states and --actions",
            ));
        };
        let pairs = states.checked_mul(actions).ok_or_else(|| {
            let problem = format!("{states} times {actions} pairs are too many");
            Error::invalid("--states, --actions", problem, "use smaller numbers")
        })?;
        let reward_max = self.reward_max.unwrap_or(1.0);
        let advantage = self.advantage.unwrap_or(reward_max);
        Ok(Problem {
            pairs,
            gamma: self.gamma.unwrap_or(0.7),
            reward_max,
            zeta_max: self.scale(|| Ok(self.cost_max / advantage))?,
            gap: None,
            budget: 0.0,
        })
    }

    fn of(&self, environment: &Environment) -> Result<Problem> {
        let (task, truth) = (environment.task(), environment.truth());
        let (model, expert) = (truth.model(), truth.expert());
        Ok(Problem {
            pairs: task.pairs(),
            gamma: task.gamma(),
            reward_max: task.reward_span(),
            zeta_max: self
                .scale(|| zeta_max_of(model, expert, self.cost_max, ZetaRule::Uniform))?,
            gap: gap_of(model, expert, self.cost_max)?,
            budget: truth.budget(),
        })
    }

    fn scale(&self, other: impl FnOnce() -> Result<f64>) -> Result<f64> {
        match (self.zeta_max, self.advantage) {
            (Some(zeta), _) => Ok(zeta),
            (None, Some(a)) if a > 0.0 && a.is_finite() => Ok(self.cost_max / a),
            (None, Some(a)) => Err(Error::invalid(
                "advantage",
                format!("{a} is out of range"),
                "use a positive finite number",
            )),
            (None, None) => other(),
        }
    }
}

// Long: a report has many numbers, each of which is computed or copied once.
pub fn report(
    given: &Given,
    environment: Option<&Environment>,
    horizon: Option<usize>,
) -> Result<Report> {
    // A wrong largest cost would otherwise show up as a wrong scale.
    if !(given.cost_max.is_finite() && given.cost_max > 0.0) {
        return Err(Error::invalid(
            "cost-max",
            format!("{} is out of range", given.cost_max),
            "use a positive finite number",
        ));
    }
    let horizon = horizon.or(environment.map(Environment::horizon));
    let problem = match environment {
        Some(environment) => given.of(environment)?,
        None => given.alone()?,
    };
    let largest = given.cost_max / (1.0 - problem.gamma);
    let params = PacParams {
        pairs: problem.pairs,
        horizon: horizon.unwrap_or(1),
        gamma: problem.gamma,
        reward_max: problem.reward_max,
        cost_max: given.cost_max,
        zeta_max: problem.zeta_max,
        delta: given.delta,
        accuracy: given.eps.unwrap_or(0.1 * largest),
    }
    .checked()?;
    let before = given.eps_before.unwrap_or(params.accuracy);
    let budget = given.budget.unwrap_or(problem.budget);
    let gap = given.gap.or(problem.gap).map(|advantage| Gap {
        advantage,
        before,
        budget,
    });
    let size = |strategy, samples: SampleSize| {
        let all = samples.of_all(params.pairs);
        Size {
            strategy,
            pair_exact: samples.exact,
            pair_closed: samples.closed,
            all_exact: all.exact,
            all_closed: all.closed,
        }
    };
    Ok(Report {
        env: environment.map(|e| e.name().to_owned()),
        pairs: params.pairs,
        horizon: params.horizon,
        gamma: params.gamma,
        reward_max: params.reward_max,
        cost_max: params.cost_max,
        zeta_max: params.zeta_max,
        delta: params.delta,
        eps: params.accuracy,
        eps_before: before,
        gap: gap.map(|g| g.advantage),
        budget,
        sigma: params.sigma(),
        sizes: vec![
            size("uniform", uniform(&params)?),
            size("bear", bear(&params)?),
            size("pcse", pcse(&params, gap.as_ref())?),
        ],
    })
}

impl Report {
    pub fn text(&self) -> String {
        let name = self.env.as_deref().unwrap_or("theory");
        let rows = self.sizes.iter().map(|s| {
            [
                s.strategy.to_owned(),
                number(s.pair_exact),
                number(s.pair_closed),
                number(s.all_exact),
                number(s.all_closed),
            ]
        });
        let header = [
            "samples",
            "a pair, Lambert W",
            "a pair, closed",
            "all pairs, Lambert W",
            "all pairs, closed",
        ];
        let of_pcse = match self.gap {
            Some(gap) => format!(
                "pcse: the lesser of bear's and what a gap of {} allows (eps before {}, budget {}).\n",
                number(gap),
                number(self.eps_before),
                number(self.budget)
            ),
            None => "pcse: no gap is known, so only the bound of bear holds.\n".to_owned(),
        };
        format!(
            "{name}: {} pairs, horizon {}, gamma {}, R_max {}, C_max {}, zeta_max {}, delta {}, eps {}\n{}\n\
             eps is an error on discounted costs; the largest there is is {}.\n\
             The columns \"a pair\" are without, \"all pairs\" with the factor S A = {}.\n{of_pcse}",
            self.pairs,
            self.horizon,
            number(self.gamma),
            number(self.reward_max),
            number(self.cost_max),
            number(self.zeta_max),
            number(self.delta),
            number(self.eps),
            table(header, 1, rows),
            number(self.cost_max / (1.0 - self.gamma)),
            self.pairs,
        )
    }
}
