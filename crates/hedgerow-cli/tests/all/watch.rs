//! `hedgerow run --watch`: who is served what, and that it changes nothing and ends with the run.

use crate::common;

use common::*;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStderr, Stdio};
use std::time::{Duration, Instant};

/// More runs than are ever waited for.
const MANY: &[&str] = &[
    "--env",
    "gridworld-3,gridworld-4",
    "--strategy",
    "random,pcse",
    "--seeds",
    "0..2000",
    "--iterations",
    "50",
    "--quiet",
];
/// Runs that do not end while anybody waits.
const ENDLESS: &[&str] = &[
    "--env",
    "gridworld-4",
    "--strategy",
    "random",
    "--seeds",
    "0..8",
    "--iterations",
    "100000000",
    "--quiet",
];
/// Long enough for a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(120);

/// A sweep that is being watched; it is stopped when it is dropped.
struct Watched {
    child: Child,
    stderr: BufReader<ChildStderr>,
    at: SocketAddr,
    before: Vec<String>,
}

impl Watched {
    fn start(out: &Path, arguments: &[&str]) -> Self {
        let mut command = run(out, arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let mut watched = Self {
            child,
            stderr,
            at: SocketAddr::from(([127, 0, 0, 1], 0)),
            before: Vec::new(),
        };
        loop {
            let mut line = String::new();
            let read = watched.stderr.read_line(&mut line).unwrap();
            assert!(read > 0, "{:?}", watched.before);
            if let Some(place) = line.trim().strip_prefix("watch it at http://") {
                watched.at = place.trim_end_matches('/').parse().unwrap();
                return watched;
            }
            watched.before.push(line);
        }
    }

    fn get(&self, path: &str) -> (u16, String, String) {
        let host = self.at.to_string();
        ask(
            self.at,
            &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        )
    }

    fn data(&self) -> serde_json::Value {
        let (status, _, body) = self.get("/data.json");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    fn interrupt(&mut self) -> i32 {
        let pid = self.child.id().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status();
        assert!(sent.unwrap().success());
        self.child.wait().unwrap().code().unwrap()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Status, head and body of the answer.
fn ask(at: SocketAddr, request: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(at).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = text(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_owned(), body.to_owned())
}

fn until(what: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_page_and_its_data_follow_the_sweep() {
    let folder = tempfile::tempdir().unwrap();
    let mut watched = Watched::start(
        &folder.path().join("out"),
        &[MANY, &["--listen", "127.0.0.1:0"]].concat(),
    );
    assert!(watched.before.is_empty(), "{:?}", watched.before);
    let finished = |data: &serde_json::Value| data["live"]["finished"].as_u64().unwrap();
    until("a run is finished", || finished(&watched.data()) > 0);
    let first = watched.data();
    assert_eq!(first["format"], "hedgerow-page/3");
    assert_eq!(
        (&first["planned"], &first["live"]["planned"]),
        (&8000.into(), &8000.into())
    );
    assert_eq!(
        (&first["live"]["done"], &first["live"]["failed"]),
        (&false.into(), &0.into())
    );
    until("runs are in the data", || {
        !watched.data()["runs"].as_array().unwrap().is_empty()
    });
    let running = || watched.data()["live"]["running"].clone();
    until("something runs", || {
        running()[0]
            .as_str()
            .is_some_and(|r| r.contains(": iteration "))
    });
    until("it goes on", || {
        finished(&watched.data()) > finished(&first)
    });
    let (status, head, body) = watched.get("/");
    assert_eq!(status, 200, "{head}");
    assert!(body.contains("id=\"data\""), "{body}");
    assert!(
        head.contains("Content-Type: text/html; charset=utf-8"),
        "{head}"
    );
    assert_eq!(watched.interrupt(), 130);
    assert!(
        TcpStream::connect(watched.at).is_err(),
        "the server outlived the sweep"
    );
}

#[test]
fn before_the_first_run_there_is_a_page_that_waits() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    // What --fresh removes is not shown.
    done(&out, SMALL);
    let mut watched = Watched::start(
        &out,
        &[ENDLESS, &["--fresh", "--listen", "127.0.0.1:0"]].concat(),
    );
    let at = watched.at;
    let (status, head, body) = watched.get("/");
    assert_eq!(status, 200, "{head}");
    assert!(
        body.contains("http-equiv=\"refresh\"") && body.contains("0 of 8 runs finished"),
        "{body}"
    );
    for line in [
        "Content-Type: text/html; charset=utf-8",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        &format!("Content-Length: {}", body.len()),
    ] {
        assert!(head.lines().any(|l| l == line), "`{line}` not in: {head}");
    }
    let (_, head, _) = watched.get("/data.json?again=1");
    assert!(
        head.contains("Content-Type: application/json; charset=utf-8"),
        "{head}"
    );
    let data = watched.data();
    assert_eq!(
        (&data["live"]["finished"], &data["live"]["done"]),
        (&0.into(), &false.into())
    );

    for path in [
        "/manifest.json",
        "/../Cargo.toml",
        "/data.json/",
        "//",
        "http://evil.example/",
    ] {
        assert_eq!(watched.get(path).0, 404, "{path}");
    }
    let status = |request: &str| ask(at, request).0;
    let port = at.port();
    assert_eq!(
        status(&format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n")),
        200
    );
    assert_eq!(
        status(&format!(
            "GET / HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"
        )),
        403
    );
    assert_eq!(
        status("GET / HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n"),
        403
    );
    assert_eq!(status("GET / HTTP/1.1\r\n\r\n"), 403);
    assert_eq!(status("hello\r\n\r\n"), 400);
    let (status, head, _) = ask(
        at,
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
    );
    assert_eq!(status, 405);
    assert!(head.contains("Allow: GET, HEAD"), "{head}");
    let (status, head, body) = ask(at, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!((status, body.as_str()), (200, ""), "{head}");
    assert!(!head.contains("Content-Length: 0"), "{head}");
    let long = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n",
        "x".repeat(40_000)
    );
    assert_eq!(ask(at, &long).0, 431);
    assert_eq!(watched.interrupt(), 130);
}

/// Every socket that listens on a port, by address as Linux writes it.
#[cfg(target_os = "linux")]
fn listening(port: u16) -> Vec<String> {
    let port = format!(":{port:04X}");
    let mut found = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let text = std::fs::read_to_string(table).unwrap_or_default();
        let rows = text
            .lines()
            .skip(1)
            .map(|l| l.split_whitespace().collect::<Vec<_>>());
        // 0A is the state of a socket that listens.
        let rows = rows.filter(|r| r[1].ends_with(&port) && r[3] == "0A");
        found.extend(rows.map(|r| r[1].trim_end_matches(&port).to_owned()));
    }
    found
}

#[cfg(target_os = "linux")]
#[test]
fn only_this_machine_is_served_unless_asked_and_then_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let usual = Watched::start(&folder.path().join("a"), &[ENDLESS, &["--watch"]].concat());
    assert!(usual.at.ip().is_loopback());
    assert_eq!(listening(usual.at.port()), ["0100007F"]);
    // The usual port is taken now, by this one or by somebody else.
    let second = Watched::start(&folder.path().join("b"), &[ENDLESS, &["--watch"]].concat());
    assert_ne!(second.at.port(), usual.at.port());
    assert_eq!(listening(second.at.port()), ["0100007F"]);

    let mut open = Watched::start(
        &folder.path().join("c"),
        &[ENDLESS, &["--listen", "0.0.0.0:0"]].concat(),
    );
    let mut warning = String::new();
    open.stderr.read_line(&mut warning).unwrap();
    assert!(
        warning.starts_with("warning: everybody who can reach 0.0.0.0:"),
        "{warning}"
    );
    // By whatever name this machine is known.
    let at = SocketAddr::from(([127, 0, 0, 1], open.at.port()));
    assert_eq!(
        ask(at, "GET / HTTP/1.1\r\nHost: lab.example\r\n\r\n").0,
        200
    );
}

#[test]
fn an_address_that_cannot_be_had_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken
        .local_addr()
        .map(|at| (at.to_string(), taken))
        .unwrap();
    for place in [
        taken.0.as_str(),
        "192.0.2.1:7410",
        "nonsense",
        "127.0.0.1:99999",
    ] {
        let arguments = [SMALL, &["--listen", place]].concat();
        refused(
            &out,
            &arguments,
            &[&format!("--listen {place}: "), "port 0 takes any"],
        );
        assert!(!out.exists(), "{place}");
    }
}

#[test]
fn watching_changes_no_byte_and_the_watcher_hears_of_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, seen) = (folder.path().join("plain"), folder.path().join("seen"));
    // Long enough to be asked about at least once.
    let sweep = [
        "--env",
        "gridworld-3",
        "--strategy",
        "pcse,random",
        "--seeds",
        "0..20",
        "--iterations",
        "200",
    ];
    done(&plain, &sweep);
    let mut watched = Watched::start(&seen, &[&sweep[..], &["--watch"]].concat());
    let mut last = serde_json::Value::Null;
    until("the sweep is done", || {
        last = watched.data();
        last["live"]["done"] == true
    });
    assert!(watched.child.wait().unwrap().success());
    assert!(TcpStream::connect(watched.at).is_err());
    let shown = last["runs"].as_array().unwrap().len();
    assert_eq!((&last["live"]["finished"], shown), (&40.into(), 40));
    assert_same(&results(&seen), &results(&plain));
}
