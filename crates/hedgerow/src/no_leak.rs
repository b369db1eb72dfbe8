//! What a learner, a strategy or a simulator must not reach does not compile.
//!
//! Examples only. Each entry names what code outside the crate is given, one thing that it may ask
//! for, and what it may not: one example for each. All stand in the same frame, and the first has
//! to compile, so the others fail for what they reach and not for a path that has moved.
//! (The error codes are compared by nightly toolchains only.)

macro_rules! out_of_reach {
    ($(
        $(#[$why:meta])*
        $name:ident($given:literal)
            may $allowed:literal, not { $($code:ident $forbidden:literal)+ }
    )+) => {$(
        $(#[$why])*
        #[doc = concat!("```\nfn reach(", $given, ") {\n    let _ = ", $allowed, ";\n}\n```")]
        $(#[doc = concat!(
            "```compile_fail,", stringify!($code),
            "\nfn reach(", $given, ") {\n    let _ = ", $forbidden, ";\n}\n```"
        )])+
        mod $name {}
    )+};
}

out_of_reach! {
    /// A task is a decision problem without its dynamics.
    task_has_no_rows("task: &hedgerow::model::Task")
        may "task.reward()", not {
            E0599 "task.rows()"
            E0599 "task.model()"
        }

    /// What the expert avoids, and how much of it it may do, is not part of the task.
    task_has_no_cost_or_budget("task: &hedgerow::model::Task")
        may "task.gamma()", not {
            E0599 "task.cost()"
            E0599 "task.budget()"
        }

    /// A learner owns counts and a task.
    learner_has_no_truth("learner: &hedgerow::learn::Learner")
        may "learner.task()", not {
            E0599 "learner.truth()"
            E0599 "learner.model()"
        }

    /// Not even its own counts can be rewritten from outside.
    learner_fields_are_private("learner: &mut hedgerow::learn::Learner")
        may "learner.samples()", not {
            E0616 "learner.samples = 0"
            E0616 "learner.constrained.clear()"
        }

    /// A strategy is handed nothing that leads to the environment.
    strategy_reads_environment("at: &hedgerow::explore::Context")
        may "at.learner.task()", not {
            E0609 "at.environment.truth()"
        }

    /// A strategy is handed what was seen, not the model it was seen in.
    strategy_reads_true_rows("at: &hedgerow::explore::Context")
        may "at.learner.estimate()", not {
            E0609 "at.model.rows()"
        }

    /// A simulator answers with samples only.
    simulator_hides_the_model("world: &mut hedgerow::env::TableSimulator")
        may "hedgerow::env::Simulator::reset(world)", not {
            E0616 "world.model"
            E0599 "world.rows()"
        }

    /// No sample carries the true cost, and the simulator does not tell it.
    simulator_hides_cost_and_budget("world: &mut hedgerow::env::TableSimulator")
        may "hedgerow::env::Simulator::reset(world)", not {
            E0599 "world.cost()"
            E0599 "world.budget()"
            E0599 "world.truth()"
        }

    /// An expert is asked one action at a time.
    simulator_hides_the_expert("world: &mut hedgerow::env::TableSimulator")
        may "hedgerow::env::Simulator::ask_expert(world, hedgerow::index::State(0))", not {
            E0616 "world.expert"
            E0599 "world.expert_policy()"
        }
}
