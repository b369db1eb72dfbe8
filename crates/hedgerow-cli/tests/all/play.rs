//! `hedgerow play`: the page is served to this machine, or written.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};

/// A server that is stopped when it is dropped.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn hedgerow() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("hedgerow"))
}

fn get(at: SocketAddr, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(at).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8(answer).unwrap()
}

#[test]
fn the_page_is_served_until_ctrl_c() {
    let mut command = hedgerow();
    command.args(["play", "--no-browser", "--listen", "127.0.0.1:0"]);
    let mut served = Served(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    let stdout = served.0.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut line).unwrap();
    let address = line.strip_prefix("play at http://").unwrap();
    let address = address.split('/').next().unwrap();
    let at: SocketAddr = address.parse().unwrap();
    assert!(at.ip().is_loopback());

    let page = get(at, "/", address);
    let (head, body) = page.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8"));
    assert_eq!(body, hedgerow_web::PAGE);
    assert!(get(at, "/other", address).starts_with("HTTP/1.1 404"));
    assert!(get(at, "/favicon.ico", address).starts_with("HTTP/1.1 204"));
    // A page from elsewhere whose name was made to lead here is refused.
    assert!(!get(at, "/", "elsewhere.example").starts_with("HTTP/1.1 200"));

    let pid = served.0.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(served.0.wait().unwrap().code(), Some(0));
    assert!(TcpStream::connect(at).is_err());
}

#[test]
fn the_page_is_written_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = hedgerow()
        .args(["play", "--out", "there.html", "--json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(out.status.success());
    let said: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(said["file"], "there.html");
    let written = std::fs::read_to_string(folder.path().join("there.html")).unwrap();
    assert_eq!(written, hedgerow_web::PAGE);
}

#[test]
fn an_address_that_cannot_be_had_is_refused() {
    let out = hedgerow()
        .args(["play", "--listen", "nowhere"])
        .output()
        .unwrap();
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(1));
    assert!(
        said.starts_with("error: --listen nowhere: it is not an address"),
        "{said}"
    );
}
