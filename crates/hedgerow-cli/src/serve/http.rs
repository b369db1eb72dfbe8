//! As much of HTTP as one page needs: GET and HEAD, one request a connection.

use hedgerow::{Error, Result};
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Connections at one time; more are closed at once.
const CONNECTIONS: usize = 64;
/// Bytes of a request's head.
const HEAD: usize = 16 * 1024;
/// Header lines of a request.
const LINES: usize = 64;
/// How long a client may take to ask, and to take what it is sent.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a client is sent.
pub struct Answer {
    status: &'static str,
    media_type: &'static str,
    body: Arc<str>,
}

impl Answer {
    /// What was asked for.
    pub fn new(media_type: &'static str, body: Arc<str>) -> Self {
        Self {
            status: "200 OK",
            media_type,
            body,
        }
    }

    /// There is nothing, and that is fine.
    pub fn nothing() -> Self {
        Self {
            status: "204 No Content",
            media_type: "text/plain",
            body: "".into(),
        }
    }

    /// Nothing but the status.
    pub fn refusal(status: &'static str) -> Self {
        Self::text(status, status)
    }

    /// What went wrong here.
    pub fn failure(error: &Error) -> Self {
        Self::text("500 Internal Server Error", &error.to_string())
    }

    fn text(status: &'static str, text: &str) -> Self {
        Self {
            status,
            media_type: "text/plain",
            body: format!("{text}\n").into(),
        }
    }

    fn head(&self) -> String {
        format!(
            "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n{}\
             Connection: close\r\n\r\n",
            self.status,
            self.media_type,
            self.body.len(),
            if self.status.starts_with("405") {
                "Allow: GET, HEAD\r\n"
            } else {
                ""
            },
        )
    }
}

/// Answers a path by sending one answer; `false` says that the client did not take it.
pub trait Site: Fn(&str, &mut dyn FnMut(Answer) -> bool) + Send + Sync + 'static {}

impl<F: Fn(&str, &mut dyn FnMut(Answer) -> bool) + Send + Sync + 'static> Site for F {}

/// Serves `site` on `listener` from now on. If it is `local`, only to those who know it by its
/// address: a page from elsewhere whose name was made to lead here is refused.
pub fn serve(listener: TcpListener, local: bool, site: impl Site) -> Result<()> {
    let site = Arc::new(site);
    let open = Arc::new(AtomicUsize::new(0));
    let accept = move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                // Out of files, for example; it must not become a busy loop.
                std::thread::sleep(Duration::from_millis(50));
                continue;
            };
            if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
                open.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let (site, open) = (site.clone(), open.clone());
            std::thread::spawn(move || {
                // A client that goes away is its own affair.
                let _ = converse(stream, local, &*site);
                open.fetch_sub(1, Ordering::Relaxed);
            });
        }
    };
    let spawned = std::thread::Builder::new()
        .name("server".into())
        .spawn(accept);
    spawned
        .map(drop)
        .map_err(|e| Error::reading(Path::new("thread of the server"), e))
}

fn converse(mut stream: TcpStream, local: bool, site: &dyn Site) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = read(&mut stream, local);
    let body = !matches!(request, Ok((true, _)));
    let mut send = |answer: Answer| {
        let mut all = answer.head().into_bytes();
        if body {
            all.extend_from_slice(answer.body.as_bytes());
        }
        stream.write_all(&all).and_then(|()| stream.flush()).is_ok()
    };
    match request {
        Ok((_, path)) => site(&path, &mut send),
        Err(Some(status)) => {
            send(Answer::refusal(status));
        }
        Err(None) => return Ok(()),
    }
    // Closing with something unread would take the answer back.
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_millis(500)))?;
    let mut rest = [0; 4096];
    for _ in 0..64 {
        if stream.read(&mut rest)? == 0 {
            break;
        }
    }
    Ok(())
}

/// Whether only the head is asked for, and the path; or the status to refuse with, none if there
/// is nobody to tell.
fn read(
    stream: &mut TcpStream,
    local: bool,
) -> std::result::Result<(bool, String), Option<&'static str>> {
    let mut bytes = Vec::new();
    let started = Instant::now();
    loop {
        let mut more = [0; 2048];
        match stream.read(&mut more) {
            Ok(0) => return Err(None),
            Ok(n) => bytes.extend_from_slice(&more[..n]),
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return Err(None),
        }
        match parse(&bytes, local) {
            Ok(Some(request)) => return Ok(request),
            Err(status) => return Err(Some(status)),
            Ok(None) if bytes.len() > HEAD => {
                return Err(Some("431 Request Header Fields Too Large"));
            }
            Ok(None) if started.elapsed() > PATIENCE => return Err(Some("408 Request Timeout")),
            Ok(None) => {}
        }
    }
}

/// The request if `bytes` hold a whole one.
fn parse(bytes: &[u8], local: bool) -> std::result::Result<Option<(bool, String)>, &'static str> {
    let mut lines = [httparse::EMPTY_HEADER; LINES];
    let mut request = httparse::Request::new(&mut lines);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err("400 Bad Request"),
    }
    let mut hosts = request
        .headers
        .iter()
        .filter(|h| h.name.eq_ignore_ascii_case("host"));
    let host = hosts.next().and_then(|h| std::str::from_utf8(h.value).ok());
    if local && !(host.is_some_and(is_this_machine) && hosts.next().is_none()) {
        return Err("403 Forbidden");
    }
    let head_only = match request.method {
        Some("GET") => false,
        Some("HEAD") => true,
        _ => return Err("405 Method Not Allowed"),
    };
    let path = request.path.unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    Ok(Some((head_only, path.to_owned())))
}

/// Whether a Host header names an address or `localhost`, with or without a port.
fn is_this_machine(host: &str) -> bool {
    let host = host.trim();
    let bracketed = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
    let name = host.split(':').next().unwrap_or_default();
    host.parse::<SocketAddr>().is_ok()
        || bracketed.unwrap_or(host).parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost") && host.matches(':').count() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_and_localhost_are_this_machine() {
        for host in [
            "127.0.0.1",
            "127.0.0.1:7410",
            "[::1]",
            "[::1]:80",
            "localhost",
            "LocalHost:7410",
        ] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:7410",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "1.2.3.4@evil",
            "localhost:1:2",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }

    #[test]
    fn requests_are_taken_apart_or_refused() {
        let local = |text: &str| parse(text.as_bytes(), true);
        let host = "Host: localhost\r\n\r\n";
        let is = |head_only, path: &str| Ok(Some((head_only, path.to_owned())));
        assert_eq!(local(&format!("GET / HTTP/1.1\r\n{host}")), is(false, "/"));
        assert_eq!(
            local(&format!("HEAD /data.json?t=1 HTTP/1.1\r\n{host}")),
            is(true, "/data.json")
        );
        assert_eq!(local("GET / HTTP/1.1\r\nHost: loc"), Ok(None));
        assert_eq!(local("nonsense\r\n\r\n"), Err("400 Bad Request"));
        assert_eq!(
            local(&format!("POST / HTTP/1.1\r\n{host}")),
            Err("405 Method Not Allowed")
        );
        for host in [
            "",
            "Host: evil.example\r\n",
            "Host: localhost\r\nHost: evil.example\r\n",
        ] {
            let request = format!("GET / HTTP/1.1\r\n{host}\r\n");
            assert_eq!(local(&request), Err("403 Forbidden"), "{host}");
            assert_eq!(parse(request.as_bytes(), false), is(false, "/"), "{host}");
        }
    }
}
