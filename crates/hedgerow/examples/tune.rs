use hedgerow::{env::builtin, explore, param::Parameters, run};
use rayon::prelude::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let envs: Vec<&str> = args[1].split(',').collect();
    let strategies: Vec<&str> = args[2].split(',').collect();
    let seeds: u64 = args[3].parse().unwrap();
    let iterations: &str = &args[4];
    let mut settings = Parameters::defaults(run::PARAMETERS);
    settings.set("iterations", iterations).unwrap();
    let sets: Vec<(String, String)> = args[5..]
        .iter()
        .map(|a| {
            let (k, v) = a.split_once('=').unwrap();
            (k.to_string(), v.to_string())
        })
        .collect();
    for (k, v) in &sets {
        if !k.contains('.') {
            settings.set(k, v).unwrap();
        }
    }
    let settings = run::Settings::new(&settings).unwrap();
    let mut logs: Vec<Vec<f64>> = vec![vec![]; strategies.len()];
    for e in &envs {
        let env = builtin::environment(e).unwrap();
        print!("{e:14}");
        for (i, s) in strategies.iter().enumerate() {
            let entry = explore::find(s).unwrap();
            let mut p = Parameters::defaults(entry.parameters);
            for (k, v) in &sets {
                if let Some(k) = k.strip_prefix(&format!("{s}.")) {
                    p.set(k, v).unwrap();
                }
            }
            let t = std::time::Instant::now();
            let res: Vec<(Option<u64>, f64, u64)> = (0..seeds)
                .into_par_iter()
                .map(|seed| {
                    let mut st = entry.build(&p);
                    let r = run::run(&env, st.as_mut(), &settings, seed, &mut |_| true).unwrap();
                    let l = r.rows.last().unwrap();
                    (r.samples_to_expert, l.wgiou, l.samples)
                })
                .collect();
            let conv = res.iter().filter(|r| r.0.is_some()).count();
            let mut n: Vec<f64> = res
                .iter()
                .map(|r| r.0.map_or(f64::INFINITY, |x| x as f64))
                .collect();
            n.sort_by(f64::total_cmp);
            let med = (n[(n.len() - 1) / 2] + n[n.len() / 2]) / 2.0;
            let w = res.iter().map(|r| r.1).sum::<f64>() / res.len() as f64;
            print!(
                " | {s}: {med:6.0} {conv:2}/{seeds} w={w:.2} {:4.1}s",
                t.elapsed().as_secs_f64()
            );
            logs[i].push(med);
        }
        println!();
    }
    for (i, s) in strategies.iter().enumerate() {
        let g: f64 = logs[i]
            .iter()
            .zip(&logs[0])
            .map(|(a, b)| (a / b).ln())
            .sum::<f64>()
            / envs.len() as f64;
        println!(
            "{s}: geometric mean ratio to {} = {:.3}",
            strategies[0],
            g.exp()
        );
    }
}
