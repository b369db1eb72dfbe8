//! The rows of a policy, made of those of its pairs.

use super::{CHUNK, PolicyRows};
use crate::index::{Pair, State};
use crate::model::{Dynamics, Policy};
use crate::solve::Mdp;
use crate::solve::bands::parts_of;
use rayon::prelude::*;

/// Part of the rows, as one thread makes it.
#[derive(Default)]
struct Part {
    length: Vec<u32>,
    next: Vec<u32>,
    prob: Vec<f64>,
    /// Room for a row that several pairs make.
    row: Vec<(u32, f64)>,
}

impl PolicyRows {
    /// The chain of `policy`.
    pub(crate) fn new<D: Dynamics>(mdp: &Mdp<D>, policy: &Policy) -> Self {
        let actions = mdp.task.actions();
        Self::of(mdp, actions, |state, part| {
            let shares = &policy.probs()[mdp.task.pairs_of(state)];
            if let Some(i) = shares.iter().position(|&share| share == 1.0) {
                let (next, prob) = mdp
                    .dynamics
                    .row(Pair::new(mdp.task.pairs_of(state).start + i));
                part.next.extend_from_slice(next);
                part.prob.extend_from_slice(prob);
                return;
            }
            let row = &mut part.row;
            row.clear();
            for (i, &share) in mdp.task.pairs_of(state).zip(shares) {
                if share > 0.0 {
                    let (next, prob) = mdp.dynamics.row(Pair::new(i));
                    row.extend(next.iter().zip(prob).map(|(&s, &p)| (s, share * p)));
                }
            }
            row.sort_by_key(|entry| entry.0);
            row.dedup_by(|from, into| {
                let same = from.0 == into.0;
                into.1 += if same { from.1 } else { 0.0 };
                same
            });
            part.next.extend(row.iter().map(|entry| entry.0));
            part.prob.extend(row.iter().map(|entry| entry.1));
        })
    }

    /// The chain of the policy that takes one pair of every state.
    pub(crate) fn of_choice<D: Dynamics>(mdp: &Mdp<D>, choice: &[Option<Pair>]) -> Self {
        let mut rows = Self {
            gamma: mdp.gamma,
            ..Self::default()
        };
        rows.follow(mdp, choice);
        rows
    }

    /// Becomes the chain of another choice; where the pair of a state stays, so does its row. How many
    /// did not.
    pub(crate) fn follow<D: Dynamics>(&mut self, mdp: &Mdp<D>, choice: &[Option<Pair>]) -> usize {
        let row = |pair: Option<Pair>| pair.map_or((&[][..], &[][..]), |p| mdp.dynamics.row(p));
        let lengths: Vec<u32> = choice
            .par_iter()
            .with_min_len(CHUNK)
            .map(|&pair| row(pair).0.len() as u32)
            .collect();
        let known = self.taken.len() == choice.len();
        let states = (0..choice.len()).into_par_iter().with_min_len(CHUNK);
        let fits = |s: usize| self.start[s + 1] - self.start[s] == lengths[s] as usize;
        let fit = known && states.clone().all(fits);
        let anew = |&s: &usize| !known || self.taken[s] != choice[s];
        let changed: Vec<u32> = states.filter(anew).map(|s| s as u32).collect();
        if !fit {
            self.lay_out(&lengths);
            self.in_order.take();
        }
        let start = &self.start;
        let firsts = (0..choice.len()).step_by(CHUNK);
        let lengths = firsts.map(|s| start[choice.len().min(s + CHUNK)] - start[s]);
        let next = parts_of(&mut self.next, lengths.clone());
        let prob = parts_of(&mut self.prob, lengths);
        let parts = self.taken.par_chunks_mut(CHUNK).zip(next).zip(prob);
        parts.enumerate().for_each(|(i, ((taken, next), prob))| {
            let first = i * CHUNK;
            for (i, taken) in taken.iter_mut().enumerate() {
                let s = first + i;
                if *taken == choice[s] {
                    continue;
                }
                *taken = choice[s];
                let at = start[s] - start[first]..start[s + 1] - start[first];
                let (states, probs) = row(choice[s]);
                next[at.clone()].copy_from_slice(states);
                prob[at].copy_from_slice(probs);
            }
        });
        self.forget_order(&changed);
        changed.len()
    }

    /// Makes room for rows of these lengths; nothing that is there stays.
    fn lay_out(&mut self, lengths: &[u32]) {
        let widest = lengths.iter().max().map_or(0, |&w| w as usize);
        self.rounding = f64::EPSILON * (widest + 9) as f64;
        self.start.clear();
        self.start.push(0);
        let mut at = 0;
        self.start.extend(lengths.iter().map(|&length| {
            at += length as usize;
            at
        }));
        self.next.resize(at, 0);
        self.prob.resize(at, 0.0);
        self.taken.clear();
        self.taken.resize(lengths.len(), None);
    }

    /// Rows have changed: an order that was good for most of them still is.
    fn forget_order(&mut self, changed: &[u32]) {
        if changed.is_empty() {
            return;
        }
        self.changed += changed.len();
        if self.changed > self.taken.len() / 16 {
            self.changed = 0;
            self.turns.take();
            self.in_order.take();
        }
        // A few rows are replaced where they stand.
        if let Some(mut rows) = self.in_order.take()
            && changed.len() <= self.taken.len() / 64
            && rows.replace(self, self.gamma, changed)
        {
            self.in_order = rows.into();
        }
    }

    fn of<D: Dynamics>(
        mdp: &Mdp<D>,
        actions: usize,
        fill: impl Fn(State, &mut Part) + Sync,
    ) -> Self {
        let states = mdp.task.states();
        let parts: Vec<Part> = (0..states.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut part = Part::default();
                for s in chunk * CHUNK..states.min((chunk + 1) * CHUNK) {
                    let before = part.next.len();
                    if mdp.goes_on(State::new(s)) {
                        fill(State::new(s), &mut part);
                    }
                    part.length.push((part.next.len() - before) as u32);
                }
                part
            })
            .collect();
        let entries = parts.iter().map(|p| p.next.len()).sum();
        let widest = parts.iter().flat_map(|p| &p.length).max();
        let mut rows = Self {
            start: Vec::with_capacity(states + 1),
            next: Vec::with_capacity(entries),
            prob: Vec::with_capacity(entries),
            rounding: f64::EPSILON * (widest.map_or(0, |&w| w as usize) + actions + 8) as f64,
            gamma: mdp.gamma,
            ..Self::default()
        };
        rows.start.push(0);
        let mut at = 0;
        for part in parts {
            for length in part.length {
                at += length as usize;
                rows.start.push(at);
            }
            rows.next.extend_from_slice(&part.next);
            rows.prob.extend_from_slice(&part.prob);
        }
        rows
    }
}
