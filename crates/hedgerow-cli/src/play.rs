//! `hedgerow play`: the playground, served to browsers on this machine.

use crate::serve::{Address, Answer, serve};
use crate::terminal::{print, print_json, say, stop_on_ctrl_c};
use clap::Args;
use hedgerow::Result;
use hedgerow::io::write_atomic;
use hedgerow_web::PAGE;
use serde_json::json;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The options of `hedgerow play`.
#[derive(Debug, Args)]
pub struct Play {
    /// Serve it there instead of 127.0.0.1:7410
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Only say where it is, and open no browser
    #[arg(long)]
    no_browser: bool,
    /// Write the page to a file instead: one file that needs no server and no network
    #[arg(long, value_name = "FILE", conflicts_with_all = ["listen", "no_browser"])]
    out: Option<PathBuf>,
    /// Print the address, or the file, as JSON
    #[arg(long)]
    json: bool,
}

impl Play {
    /// Serves the page until Ctrl-C, or writes it.
    pub fn run(&self) -> Result<()> {
        if let Some(path) = &self.out {
            write_atomic(path, PAGE.as_bytes())?;
            return match self.json {
                true => print_json(&json!({ "file": path.display().to_string() })),
                false => print(&format!(
                    "the playground is in {}: open it in a browser\n",
                    path.display()
                )),
            };
        }
        let address = Address::bind(self.listen.as_deref())?;
        let (url, local) = (address.url(), address.local());
        if !local {
            say(&format!(
                "warning: everybody who can reach {} can open the playground",
                address.place()
            ));
        }
        serve(address.into_listener(), local, |path, send| {
            send(match path {
                "/" => Answer::new("text/html", PAGE.into()),
                // Browsers ask for it unasked, and would complain about not finding it.
                "/favicon.ico" => Answer::nothing(),
                _ => Answer::refusal("404 Not Found"),
            });
        })?;
        let stop = stop_on_ctrl_c();
        match self.json {
            true => print_json(&json!({ "address": url }))?,
            false => print(&format!("play at {url} (Ctrl-C ends it)\n"))?,
        }
        if !self.no_browser {
            open(&url);
        }
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

/// Opens a browser, if there is a screen to show one on; the address was said in any case.
fn open(url: &str) {
    let (program, words): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start"])
    } else {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") {
            return;
        }
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(words).arg(url);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    // Without a browser the address is enough.
    let _ = command.stderr(Stdio::null()).spawn();
}
