//! Messages to the service manager, over a socket like systemd's.

use crate::support::server::command;
use crate::support::{Server, eventually};
use std::os::unix::net::UnixDatagram;
use std::sync::{Arc, Mutex};

/// A service manager that records its messages.
struct Manager {
    folder: tempfile::TempDir,
    told: Arc<Mutex<Vec<String>>>,
}

impl Manager {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        // Ends with the test's process.
        std::thread::spawn(move || {
            let mut message = [0; 256];
            while let Ok(size) = socket.recv(&mut message) {
                heard.lock().unwrap().push(String::from_utf8_lossy(&message[..size]).trim().to_owned());
            }
        });
        Self { folder, told }
    }

    fn server(&self, more: &[(&str, &str)]) -> Server {
        let socket = self.folder.path().join("notify");
        Server::start_with(&[&[("NOTIFY_SOCKET", socket.to_str().unwrap())], more].concat())
    }

    fn hears(&self, message: &str, times: usize) {
        eventually(message, || (self.count(message) >= times).then_some(()));
    }

    fn count(&self, message: &str) -> usize {
        self.told.lock().unwrap().iter().filter(|told| *told == message).count()
    }
}

#[test]
fn the_service_manager_hears_when_the_server_is_ready_and_when_it_stops() {
    let manager = Manager::start();
    let server = manager.server(&[]);
    manager.hears("READY=1", 1);
    assert_eq!(manager.count("STOPPING=1"), 0);
    assert!(server.stop().success());
    manager.hears("STOPPING=1", 1);
    // The unit has no watchdog.
    assert_eq!(manager.count("WATCHDOG=1"), 0);
}

#[test]
fn a_watchdog_gets_signs_of_life() {
    let manager = Manager::start();
    let _server = manager.server(&[("WATCHDOG_USEC", "400000")]);
    manager.hears("WATCHDOG=1", 3);
}

#[test]
fn a_missing_manager_stops_nothing() {
    let server = Server::start_with(&[("NOTIFY_SOCKET", "/nowhere/notify")]);
    assert!(server.stop().success());
    let says = |words: &str| server.output().contains(words).then_some(());
    eventually("the warning", || says("the service manager cannot be reached"));
    assert!(
        !command(["serve", "--help"]).env("NOTIFY_SOCKET", "/nowhere").output().unwrap().stdout.is_empty()
    );
}
