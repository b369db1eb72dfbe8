//! Where the page is served: on this machine only, unless asked otherwise.

use hedgerow::{Error, Result};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, ToSocketAddrs};

/// The port, if nobody asks for another one.
const PORT: u16 = 7410;

/// An address that is listened on.
#[derive(Debug)]
pub struct Address {
    listener: TcpListener,
    bound: SocketAddr,
}

impl Address {
    /// Listens on what was asked for; without that on the usual port of this machine, or on any
    /// other one if it is taken.
    pub fn bind(asked: Option<&str>) -> Result<Self> {
        let refused = |place: &str, problem: String| {
            let remedy =
                "choose another one with --listen ADDRESS:PORT; port 0 takes any that is free";
            Error::invalid(format!("--listen {place}"), problem, remedy)
        };
        let place = match asked {
            None => format!("{}:{PORT}", Ipv4Addr::LOCALHOST),
            Some(text) => text.to_owned(),
        };
        let addresses: Vec<SocketAddr> = match place.to_socket_addrs() {
            Ok(found) => found.collect(),
            Err(e) => return Err(refused(&place, format!("it is not an address ({e})"))),
        };
        let bound = TcpListener::bind(&addresses[..]).or_else(|e| match asked {
            None => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)),
            Some(_) => Err(e),
        });
        let bound = bound.and_then(|listener| Ok((listener.local_addr()?, listener)));
        match bound {
            Ok((bound, listener)) => Ok(Self { listener, bound }),
            Err(e) => Err(refused(&place, format!("cannot listen there ({e})"))),
        }
    }

    /// Whether only this machine can reach it.
    pub fn local(&self) -> bool {
        self.bound.ip().is_loopback()
    }

    /// What to open in a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.bound)
    }

    /// Address and port.
    pub fn place(&self) -> SocketAddr {
        self.bound
    }

    /// The listener.
    pub fn into_listener(self) -> TcpListener {
        self.listener
    }
}
