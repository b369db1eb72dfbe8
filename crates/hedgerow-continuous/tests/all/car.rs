//! The car on the road: its dynamics by hand, and an expert that obeys and is hard to beat.

use hedgerow_continuous::car::{Car, CarWorld, Constraint, NAMES};
use hedgerow_continuous::world::{ContinuousWorld, Expert};

#[test]
fn one_decision_is_worked_out_by_hand() {
    let mut car = Car {
        speed: 2.0,
        ..Car::default()
    };
    // 2 + 4 / 4 = 3 m/s, straight on for a quarter of a second.
    assert_eq!(car.drive(4.0, 0.0, Constraint::SpeedLimit), (0.75, 0.0));
    assert_eq!(
        (car.x, car.y, car.heading, car.speed),
        (0.75, 0.0, 0.0, 3.0)
    );
    // The brake is clipped to 8: 3 - 2 = 1 m/s.
    car.drive(-100.0, 0.0, Constraint::SpeedLimit);
    assert!((car.speed - 1.0).abs() < 1e-12);
    // Steering turns by v / L tan(s) t.
    car.drive(0.0, 0.6, Constraint::SpeedLimit);
    assert!((car.heading - 0.25 / 1.5 * 0.6_f64.tan()).abs() < 1e-12);
    let mut fast = Car {
        speed: 3.5,
        ..Car::default()
    };
    assert_eq!(fast.drive(4.0, 0.0, Constraint::SpeedLimit).1, 1.0);
    let mut near = Car {
        x: 11.5,
        speed: 4.0,
        ..Car::default()
    };
    assert_eq!(near.drive(0.0, 0.0, Constraint::StopLine), (1.0, 1.0));
    assert_eq!(near.drive(0.0, 0.0, Constraint::SpeedLimit).1, 0.0);
}

/// Writes down an action at an observation.
type Act<'a> = dyn FnMut(&[f64], &mut [f64]) + 'a;

/// Discounted reward and undiscounted cost of an episode of a policy.
fn drive(world: &CarWorld, seed: u64, act: &mut Act) -> (f64, f64) {
    let mut episodes = world.episodes(seed, "test").unwrap();
    let (mut o, mut a) = ([0.0; 4], [0.0; 2]);
    episodes.reset(&mut o).unwrap();
    let (mut reward, mut cost, mut discount) = (0.0, 0.0, 1.0);
    loop {
        act(&o, &mut a);
        let step = episodes.step(&a, &mut o).unwrap();
        reward += discount * step.reward;
        discount *= world.spec().gamma;
        cost += step.cost.unwrap();
        if step.done() {
            return (reward, cost);
        }
    }
}

#[test]
fn the_expert_obeys_and_beats_every_simple_driver_that_does() {
    for (name, constraint) in NAMES {
        let world = CarWorld::new(constraint);
        world.spec().check().unwrap();
        let Expert::Policy(expert) = world.expert().unwrap() else {
            panic!("the car has a policy");
        };
        let mut obeyed = 0;
        for seed in 0..20 {
            let (reward, cost) = drive(&world, seed, &mut |o, a| expert.act(o, a).unwrap());
            assert_eq!(cost, 0.0, "{name} {seed}");
            // Full speed straight on earns more, and only by violating the constraint.
            let (free, paid) = drive(&world, seed, &mut |o, a| {
                a[0] = 4.0;
                a[1] = (-o[2]).clamp(-0.6, 0.6);
            });
            assert!(
                free > reward || paid == 0.0,
                "{name} {seed}: {free} {reward}"
            );
            obeyed += usize::from(paid == 0.0);
            // Slower drivers that obey earn less.
            let (slow, paid) = drive(&world, seed, &mut |o, a| {
                let room = 12.0 - o[0];
                let wanted = if constraint == Constraint::StopLine {
                    room.min(3.0)
                } else {
                    3.0
                };
                a[0] = (4.0 * (wanted - o[3])).clamp(-8.0, 4.0);
                a[1] = (-o[2]).clamp(-0.6, 0.6);
            });
            assert_eq!(paid, 0.0, "{name} {seed}");
            assert!(slow < reward, "{name} {seed}: {slow} {reward}");
        }
        assert!(obeyed < 10, "{name}: the constraint hardly matters");
    }
}
