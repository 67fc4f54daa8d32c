//! A fixed address in front of a server that comes back at another one.

use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub(super) struct Door {
    pub(super) url: String,
    target: Arc<Mutex<String>>,
}

impl Door {
    /// Leads to `authority`.
    pub(super) fn new(authority: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let target = Arc::new(Mutex::new(authority.to_owned()));
        let place = target.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                // While nobody is there, the connection ends at once.
                let Ok(server) = TcpStream::connect(place.lock().unwrap().as_str()) else { continue };
                let back = (server.try_clone().unwrap(), client.try_clone().unwrap());
                std::thread::spawn(move || carry(&client, &server));
                std::thread::spawn(move || carry(&back.0, &back.1));
            }
        });
        Self { url, target }
    }

    pub(super) fn lead_to(&self, authority: &str) {
        authority.clone_into(&mut self.target.lock().unwrap());
    }
}

fn carry(mut from: &TcpStream, mut to: &TcpStream) {
    let _ = std::io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}
