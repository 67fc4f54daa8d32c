//! A proxy with a fixed address for a server that comes back at another address, or answers late.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(super) struct Door {
    pub(super) url: String,
    target: Arc<Mutex<String>>,
    holds: Arc<AtomicBool>,
}

impl Door {
    /// Leads to `authority`.
    pub(super) fn new(authority: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let target = Arc::new(Mutex::new(authority.to_owned()));
        let place = target.clone();
        let holds = Arc::new(AtomicBool::new(false));
        let held = holds.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let target = place.lock().unwrap().clone();
                if target.is_empty() {
                    answer(&client);
                    continue;
                }
                // While the server is away, the connection is closed at once.
                let Ok(server) = TcpStream::connect(target) else { continue };
                let back = (server.try_clone().unwrap(), client.try_clone().unwrap());
                std::thread::spawn(move || carry(&client, &server));
                let held = held.clone();
                std::thread::spawn(move || carry_back(&back.0, &back.1, &held));
            }
        });
        Self { url, target, holds }
    }

    pub(super) fn lead_to(&self, authority: &str) {
        authority.clone_into(&mut self.target.lock().unwrap());
    }

    /// Keeps back what the server answers, or lets it pass again.
    pub(super) fn hold(&self, holds: bool) {
        self.holds.store(holds, Ordering::Relaxed);
    }

    /// Answers new connections itself, like a proxy whose server is away.
    pub(super) fn stand_in(&self) {
        self.lead_to("");
    }
}

fn answer(mut client: &TcpStream) {
    let answer = "HTTP/1.1 404 Not Found\r\ncontent-type: text/plain\r\ncontent-length: 21\r\nconnection: close\r\n\r\n\
        default backend - 404";
    let _ = client.read(&mut [0; 16 << 10]);
    let _ = client.write_all(answer.as_bytes());
}

fn carry(mut from: &TcpStream, mut to: &TcpStream) {
    let _ = std::io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

fn carry_back(mut server: &TcpStream, mut client: &TcpStream, held: &AtomicBool) {
    let mut bytes = [0; 16 << 10];
    while let Ok(count @ 1..) = server.read(&mut bytes) {
        while held.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(10));
        }
        if client.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = client.shutdown(Shutdown::Write);
}
