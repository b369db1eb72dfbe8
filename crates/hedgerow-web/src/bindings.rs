//! What scripts call. Arguments and answers are JSON; an error is the line that the command prints.

use crate::answer::{self, Asked, RecordFile, Standing};
use crate::race::{self, Frame};
use crate::world::{Drawn, defect};
use hedgerow::Result;
use js_sys::Function;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The map that the file `name` draws.
#[wasm_bindgen]
pub fn read(text: &str, name: &str) -> std::result::Result<String, String> {
    told(Drawn::read(text, name))
}

/// What to show of a drawn map.
#[wasm_bindgen]
pub fn describe(drawn: &str) -> std::result::Result<String, String> {
    told(given::<Drawn>(drawn).and_then(|d| d.describe()))
}

/// The intersection over union of guessed cells with the true ones.
#[wasm_bindgen]
pub fn score(drawn: &str, guessed: &str) -> std::result::Result<String, String> {
    let score = || given::<Drawn>(drawn)?.score(&given::<Vec<[usize; 2]>>(guessed)?);
    told(score())
}

/// Runs a strategy; `observe` is called with every iteration.
#[wasm_bindgen]
pub fn race(
    drawn: &str,
    strategy: &str,
    seed: u64,
    iterations: usize,
    observe: &Function,
) -> std::result::Result<String, String> {
    let race = || {
        let environment = given::<Drawn>(drawn)?.environment()?;
        race::run(
            &environment,
            strategy,
            seed,
            iterations,
            &mut |f: &Frame| call(observe, f),
        )
    };
    told(race())
}

/// Explores for verdicts; `observe` is called now and then.
#[wasm_bindgen]
pub fn explore(
    drawn: &str,
    asked: &str,
    observe: &Function,
) -> std::result::Result<String, String> {
    let explore = || {
        let environment = given::<Drawn>(drawn)?.environment()?;
        answer::explore(
            &environment,
            &given::<Asked>(asked)?,
            &mut |s: &Standing| call(observe, s),
        )
    };
    told(explore())
}

/// Verdicts from records.
#[wasm_bindgen]
pub fn recorded(drawn: &str, files: &str, asked: &str) -> std::result::Result<String, String> {
    let recorded = || {
        let environment = given::<Drawn>(drawn)?.environment()?;
        let files: Vec<RecordFile> = given(files)?;
        answer::recorded(environment, &files, &given(asked)?)
    };
    told(recorded())
}

fn given<T: DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(defect)
}

fn told<T: Serialize>(answer: Result<T>) -> std::result::Result<String, String> {
    let text = answer.and_then(|a| serde_json::to_string(&a).map_err(defect));
    text.map_err(|e| e.to_string())
}

/// Tells the script, which breaks off by answering `false`.
fn call<T: Serialize>(observe: &Function, news: &T) -> ControlFlow<()> {
    let Ok(text) = serde_json::to_string(news) else {
        return ControlFlow::Break(());
    };
    match observe.call1(&JsValue::NULL, &JsValue::from_str(&text)) {
        Ok(answer) if answer.as_bool() != Some(false) => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    }
}
