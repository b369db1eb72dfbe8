//! Networks: two independent forward passes, training, files.

use hedgerow::fingerprint::Fingerprint;
use hedgerow::seed::Stream;
use hedgerow_continuous::net::{Adam, Frozen, Mlp, Network, Scratch, Trainer};
use rand::RngExt;
use safetensors::SafeTensors;
use safetensors::tensor::TensorView;
use std::process::Command;

fn random(sizes: &[usize], seed: u64) -> Mlp {
    Mlp::random(sizes, 1.0, &mut Stream::new(seed, "weights")).unwrap()
}

fn inputs(n: usize, seed: u64) -> Vec<f32> {
    let mut stream = Stream::new(seed, "inputs");
    let draw = || 2.0 * stream.random::<f32>() - 1.0;
    std::iter::repeat_with(draw).take(n).collect()
}

/// Some steps towards `sin(3 x) y`, in batches large enough for a library to spread over threads.
fn trained(seed: u64, steps: usize) -> (Mlp, f32, f32) {
    let net = random(&[2, 128, 128, 1], seed);
    let adam = Adam::new(net.values().len(), 1e-3, 10.0);
    let mut trainer = Trainer::new(net, adam).unwrap();
    let x = inputs(1024, seed);
    let mut losses = Vec::new();
    for _ in 0..steps {
        let loss = trainer.step(&x, |outputs, slope| {
            let mut total = 0.0;
            for (i, row) in x.chunks_exact(2).enumerate() {
                let error = outputs[i] - libm::sinf(3.0 * row[0]) * row[1];
                slope[i] = 2.0 * error / 512.0;
                total += error * error / 512.0;
            }
            total
        });
        losses.push(loss.unwrap());
    }
    (trainer.into_net(), losses[0], losses[steps - 1])
}

#[test]
fn the_plain_forward_pass_is_that_of_the_library() {
    let net = random(&[5, 64, 33, 8], 3);
    let x = inputs(5 * 40, 3);
    let all = Frozen::new(&net).unwrap().outputs(&x).unwrap();
    let adam = Adam::new(net.values().len(), 1e-3, 1.0);
    let trainer = Trainer::new(net.clone(), adam).unwrap();
    assert_eq!(trainer.outputs(&x).unwrap(), all);
    let mut scratch = Scratch::new(&net);
    for (row, wanted) in x.chunks_exact(5).zip(all.chunks_exact(8)) {
        for (a, b) in net.forward(row, &mut scratch).iter().zip(wanted) {
            assert!((a - b).abs() < 1e-5, "{a} {b}");
        }
    }
}

#[test]
fn one_step_goes_down_the_slope_found_by_differences() {
    // Adam's first step moves every weight by `rate` against the sign of its slope.
    let net = random(&[2, 3, 1], 5);
    let x = [0.3, -0.7];
    let adam = Adam::new(net.values().len(), 1e-3, 1e9);
    let mut trainer = Trainer::new(net.clone(), adam).unwrap();
    trainer
        .step(&x, |y, slope| {
            slope[0] = 2.0 * y[0];
            y[0] * y[0]
        })
        .unwrap();
    let square = |values: &[f32]| {
        let net = Mlp::new(&[2, 3, 1], values.to_vec()).unwrap();
        let y = f64::from(net.forward(&x, &mut Scratch::new(&net))[0]);
        y * y
    };
    let mut moved = 0;
    for (i, w) in trainer.net().values().iter().enumerate() {
        let shifted = |by: f32| {
            let mut values = net.values().to_vec();
            values[i] += by;
            square(&values)
        };
        let slope = (shifted(1e-2) - shifted(-1e-2)) / 2e-2;
        let step = w - net.values()[i];
        if slope.abs() > 1e-3 {
            assert!(
                (f64::from(step) + 1e-3 * slope.signum()).abs() < 1e-5,
                "{i}"
            );
            moved += 1;
        } else {
            assert!(
                step.abs() < 1e-5 || slope.abs() > 1e-6,
                "{i}: {step} {slope}"
            );
        }
    }
    assert!(moved >= 5, "{moved}");
}

#[test]
fn training_learns_a_known_function_and_repeats_bit_by_bit() {
    let (net, first, last) = trained(7, 150);
    assert!(last < 0.05 * first, "{first} {last}");
    assert_eq!(trained(7, 150).0, net);
    assert_ne!(trained(8, 2).0, trained(7, 2).0);
}

/// Not a test: what [`threads_do_not_change_a_bit`] runs with different numbers of threads.
#[test]
#[ignore = "run by threads_do_not_change_a_bit"]
fn print_fingerprint() {
    let (net, ..) = trained(7, 20);
    let bytes: Vec<u8> = net.values().iter().flat_map(|x| x.to_le_bytes()).collect();
    println!("fingerprint={}", Fingerprint::of(&bytes));
}

#[test]
fn threads_do_not_change_a_bit() {
    let fingerprint = |threads: &str| {
        let program = std::env::current_exe().unwrap();
        let output = Command::new(program)
            .args([
                "net::print_fingerprint",
                "--exact",
                "--ignored",
                "--nocapture",
            ])
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let found = text.split("fingerprint=").nth(1);
        found.unwrap_or_else(|| panic!("{text}"))[..16].to_owned()
    };
    let one = fingerprint("1");
    assert_eq!(one, fingerprint("2"));
    assert_eq!(one, fingerprint("4"));
}

fn network() -> Network {
    let notes = [
        ("seed", "7"),
        ("maze", "point-maze"),
        ("hold", "5"),
        ("a \"b\"", "c\n"),
    ];
    Network {
        net: random(&[4, 6, 3], 2),
        notes: notes.map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
    }
}

#[test]
fn files_read_back_and_the_library_reads_them_too() {
    let network = network();
    let bytes = network.bytes().unwrap();
    assert_eq!(Network::from_bytes(&bytes).unwrap(), network);
    assert_eq!(network.bytes().unwrap(), bytes);
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(tensors.tensor("layer.0.weight").unwrap().shape(), [4, 6]);
    assert_eq!(tensors.tensor("layer.1.bias").unwrap().shape(), [3]);
    assert_eq!(network.note::<u64>("seed").unwrap(), 7);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.safetensors");
    network.write(&path).unwrap();
    assert_eq!(Network::read(&path).unwrap(), network);
}

#[test]
fn other_files_are_refused_in_one_line() {
    let bytes = network().bytes().unwrap();
    let refusal = |bytes: &[u8]| {
        let message = Network::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(message.lines().count(), 1, "{message}");
        message
    };
    for cut in [0, 7, 50, bytes.len() - 1] {
        assert!(
            refusal(&bytes[..cut]).contains("no whole safetensors"),
            "{cut}"
        );
    }
    assert!(refusal(b"\x89PNG\r\n\x1a\n and so on").contains("no whole safetensors"));
    let mut nan = bytes.clone();
    let end = nan.len();
    nan[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(
        refusal(&nan).contains("weight 50 is NaN"),
        "{}",
        refusal(&nan)
    );

    let zeros = [0_u8; 96];
    let view = |shape: &[usize], dtype| {
        let size = if dtype == safetensors::Dtype::F32 {
            4
        } else {
            8
        };
        let n: usize = shape.iter().product();
        TensorView::new(dtype, shape.to_vec(), &zeros[..n * size]).unwrap()
    };
    let file = |tensors: Vec<(&str, TensorView)>| safetensors::serialize(tensors, None).unwrap();
    use safetensors::Dtype::{F32, F64};
    let wide = file(vec![
        ("layer.0.weight", view(&[4, 2], F32)),
        ("layer.0.bias", view(&[3], F32)),
    ]);
    assert!(refusal(&wide).contains("weights of shape [4, 2] and biases of shape [3]"));
    let broken = file(vec![
        ("layer.0.weight", view(&[4, 2], F32)),
        ("layer.0.bias", view(&[2], F32)),
        ("layer.1.weight", view(&[3, 2], F32)),
        ("layer.1.bias", view(&[2], F32)),
    ]);
    assert!(refusal(&broken).contains("layer 1 has weights of shape [3, 2]"));
    assert!(refusal(&broken).contains("after 2 units"));
    let double = file(vec![
        ("layer.0.weight", view(&[2, 2], F64)),
        ("layer.0.bias", view(&[2], F64)),
    ]);
    assert!(refusal(&double).contains("holds F64, not F32"));
    let foreign = file(vec![("encoder", view(&[2], F32))]);
    assert!(refusal(&foreign).contains("there is no tensor `layer.0.weight`"));
    assert!(refusal(&file(vec![])).contains("layers of []"));
}

/// Pages that this thread has asked the system for so far.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn page_faults() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
    // After the name in brackets: state, five numbers, flags, and then the faults.
    let rest = text.rsplit(')').next().unwrap();
    rest.split_whitespace().nth(7).unwrap().parse().unwrap()
}

/// Without memory that is kept, a step asks for hundreds of pages anew.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn training_uses_its_memory_again() {
    let net = Mlp::random(&[8, 128, 128, 4], 1.0, &mut Stream::new(7, "weights")).unwrap();
    let adam = Adam::new(net.values().len(), 1e-3, 10.0);
    let mut trainer = Trainer::new(net, adam).unwrap();
    let inputs = vec![0.5; 256 * 8];
    let mut steps = |count: usize| {
        for _ in 0..count {
            let loss = |outputs: &[f32], gradient: &mut [f32]| {
                gradient.copy_from_slice(outputs);
                0.0
            };
            trainer.step(&inputs, loss).unwrap();
        }
        page_faults()
    };
    let first = steps(10);
    let more = steps(50) - first;
    assert!(more < 500, "{more} pages in 50 steps");
}
