use hedgerow::{env::builtin, explore, metrics::Evaluator, param::Parameters, run};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let env = builtin::environment(&args[1]).unwrap();
    let entry = explore::find(&args[2]).unwrap();
    let mut settings = Parameters::defaults(run::PARAMETERS);
    settings.set("iterations", &args[4]).unwrap();
    let mut p = Parameters::defaults(entry.parameters);
    for a in &args[5..] {
        let (k, v) = a.split_once('=').unwrap();
        if let Some(k) = k.strip_prefix(&format!("{}.", args[2])) {
            p.set(k, v).unwrap();
        } else {
            settings.set(k, v).unwrap();
        }
    }
    let settings = run::Settings::new(&settings).unwrap();
    let ev = Evaluator::new(&env, Default::default()).unwrap();
    println!("expert {} {}", ev.expert_reward(), ev.expert_cost());
    for seed in 0..args[3].parse::<u64>().unwrap() {
        let mut st = entry.build(&p);
        let r = run::run(&env, st.as_mut(), &settings, seed, &mut |_| true).unwrap();
        let mut last = false;
        let mut log = String::new();
        for row in &r.rows {
            let at = ev.at_expert(row.reward, row.cost);
            if at != last {
                log += &format!(
                    " {}{}({:.4},{:.4},u{})",
                    if at { "+" } else { "-" },
                    row.samples,
                    row.reward / ev.expert_reward(),
                    row.cost / ev.expert_cost(),
                    row.unseen
                );
                last = at;
            }
        }
        println!("seed {seed}: {:?} {log}", r.samples_to_expert);
    }
}
