//! Questions of the commands on a terminal.

use super::{accounts, backup, done, mayday, names, stopped, verify};
use crate::report::{patience, within};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

const PASSPHRASE: &str = "a passphrase for tests";

/// A command on a terminal of its own.
struct Terminal {
    child: Child,
    /// Our side, and the command's.
    ours: File,
    theirs: OwnedFd,
    shown: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Terminal {
    fn run(mut command: Command) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let theirs = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        let end = || theirs.try_clone().unwrap();
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let ours = File::from(ours);
        let shown = Arc::new(Mutex::new(String::new()));
        let (mut reader, writer) = (ours.try_clone().unwrap(), shown.clone());
        let reader = std::thread::spawn(move || {
            let mut piece = [0; 1_024];
            while let Ok(read @ 1..) = reader.read(&mut piece) {
                let text = String::from_utf8_lossy(&piece[..read]);
                writer.lock().unwrap_or_else(PoisonError::into_inner).push_str(&text);
            }
        });
        Self { child, ours, theirs, shown, reader }
    }

    fn shown(&self) -> String {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Types a line once `question` is shown, and checks whether the typed text is shown.
    #[track_caller]
    fn answer(&mut self, question: &str, is_hidden: bool, line: &str) {
        within(patience(Duration::from_secs(20)), question, || {
            let echoes = tcgetattr(&self.theirs).unwrap().local_modes.contains(LocalModes::ECHO);
            (self.shown().contains(question) && echoes != is_hidden).then_some(())
        })
        .unwrap_or_else(|error| panic!("{error}: {}", self.shown()));
        self.ours.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// All output, once the command has ended.
    fn end(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().unwrap();
        // The terminal echoes again.
        assert!(tcgetattr(&self.theirs).unwrap().local_modes.contains(LocalModes::ECHO));
        // Reading ends once the last of its ends is closed.
        drop(self.theirs);
        self.reader.join().unwrap();
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (status, shown)
    }
}

fn sealing(data: &Path, to: &Path) -> Terminal {
    let mut command = mayday(data, &["backup", "--seal", "--output"]);
    command.arg(to);
    Terminal::run(command)
}

fn restoring(from: &Path, data: &Path) -> Terminal {
    let mut command = mayday(data, &["restore", "--input"]);
    command.arg(from);
    Terminal::run(command)
}

#[test]
fn a_passphrase_is_requested_twice_and_not_echoed() {
    let world = stopped("ben@example.com");
    let (data, folder) = (world.server.data_dir(), tempfile::tempdir().unwrap());
    let sealed = folder.path().join("sealed.tar.zst");
    for (again, part) in [("another passphrase", "differ"), ("", "differ")] {
        let mut terminal = sealing(data, &sealed);
        terminal.answer("New passphrase", true, PASSPHRASE);
        terminal.answer("The same again", true, again);
        let (status, shown) = terminal.end();
        assert!(status.code() == Some(1) && shown.contains(part), "{shown}");
    }
    let mut terminal = sealing(data, &sealed);
    terminal.answer("New passphrase", true, "short");
    terminal.answer("The same again", true, "short");
    let (status, shown) = terminal.end();
    assert!(status.code() == Some(1) && shown.contains("too short"), "{shown}");
    assert!(names(folder.path()).is_empty());

    let mut terminal = sealing(data, &sealed);
    terminal.answer("New passphrase", true, PASSPHRASE);
    terminal.answer("The same again", true, PASSPHRASE);
    let (status, shown) = terminal.end();
    assert!(status.success() && shown.contains("sealed with a passphrase"), "{shown}");
    assert!(!shown.contains(PASSPHRASE), "{shown}");
    done(&verify(&sealed));

    let elsewhere = folder.path().join("elsewhere");
    let mut terminal = restoring(&sealed, &elsewhere);
    terminal.answer("Passphrase of the secrets", true, "another passphrase");
    let (status, shown) = terminal.end();
    assert!(status.code() == Some(1) && shown.contains("is not the one"), "{shown}");
    assert!(!elsewhere.exists());
    let mut terminal = restoring(&sealed, &elsewhere);
    terminal.answer("Passphrase of the secrets", true, PASSPHRASE);
    let (status, shown) = terminal.end();
    assert!(status.success() && shown.contains("is restored") && !shown.contains(PASSPHRASE), "{shown}");
    assert!(accounts(&elsewhere).contains("ben@example.com"));
}

#[test]
fn content_is_replaced_only_after_a_yes() {
    let (old, new) = (stopped("old@example.com"), stopped("new@example.com"));
    let data = old.server.data_dir();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("backup");
    done(&backup(new.server.data_dir(), &path, &[]));
    for no in ["", "n", "yess", "ja"] {
        let mut terminal = restoring(&path, data);
        terminal.answer("[y/N]", false, no);
        let (status, shown) = terminal.end();
        assert!(status.code() == Some(1) && shown.contains("nothing was changed"), "{no}: {shown}");
        assert!(shown.contains("main.db"), "it does not say what is there: {shown}");
        assert!(accounts(data).contains("old@example.com"));
    }
    let mut terminal = restoring(&path, data);
    terminal.answer("[y/N]", false, "Yes");
    let (status, shown) = terminal.end();
    assert!(status.success() && shown.contains("before-restore-"), "{shown}");
    assert!(accounts(data).contains("new@example.com"));
}
