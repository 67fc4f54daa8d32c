//! Mail servers for tests.

use socket2::Socket;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Mailbox = Arc<Mutex<Vec<String>>>;

/// An SMTP server; its thread ends with the test's process.
pub(crate) struct Smtp {
    pub(crate) port: u16,
    kept: Mailbox,
}

impl Smtp {
    /// Answers `RCPT TO` with `answer`.
    pub(crate) fn start(answer: &'static str) -> Self {
        Self::listen(anywhere(), answer, Duration::ZERO)
    }

    /// On a port that was closed until now.
    pub(crate) fn start_on(closed: Socket, answer: &'static str) -> Self {
        closed.listen(128).unwrap();
        Self::listen(closed.into(), answer, Duration::ZERO)
    }

    /// Accepts a mail, but answers only after a while.
    pub(crate) fn slow(pause: Duration) -> Self {
        Self::listen(anywhere(), "250 fine", pause)
    }

    fn listen(listener: TcpListener, answer: &'static str, pause: Duration) -> Self {
        let (port, kept) = listen(listener, move |stream, kept| talk_smtp(stream, answer, pause, kept));
        Self { port, kept }
    }

    /// The mails received, each with the commands before it.
    pub(crate) fn mails(&self) -> Vec<String> {
        self.kept.lock().unwrap().clone()
    }
}

/// An HTTP server that answers each request with one status and body.
pub(crate) struct Http {
    pub(crate) port: u16,
    kept: Mailbox,
}

impl Http {
    pub(crate) fn start(status: u16, body: &'static str) -> Self {
        let (port, kept) = listen(anywhere(), move |stream, kept| talk_http(stream, status, body, kept));
        Self { port, kept }
    }

    /// The requests received: head, empty line, body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.kept.lock().unwrap().clone()
    }
}

fn anywhere() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").unwrap()
}

fn listen(listener: TcpListener, talk: impl Fn(TcpStream, &Mailbox) + Send + 'static) -> (u16, Mailbox) {
    let (port, kept) = (listener.local_addr().unwrap().port(), Mailbox::default());
    let keep = kept.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            talk(stream.unwrap(), &keep);
        }
    });
    (port, kept)
}

fn talk_smtp(mut stream: TcpStream, answer: &str, pause: Duration, kept: &Mailbox) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let mut say = |text: &str| stream.write_all(format!("{text}\r\n").as_bytes());
    let mut heard = String::new();
    say("220 mail.example").unwrap();
    while let Some(Ok(line)) = lines.next() {
        heard += &format!("{line}\n");
        let said = match line.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => say("250-mail.example\r\n250-8BITMIME\r\n250 AUTH PLAIN"),
            "AUTH" => say("235 welcome"),
            "RCPT" => say(answer),
            "DATA" => {
                say("354 go on").unwrap();
                for line in lines.by_ref().map_while(Result::ok).take_while(|line| line != ".") {
                    heard += &format!("{line}\n");
                }
                kept.lock().unwrap().push(std::mem::take(&mut heard));
                std::thread::sleep(pause);
                say("250 taken")
            }
            "QUIT" => break,
            _ => say("250 fine"),
        };
        if said.is_err() {
            break;
        }
    }
}

fn talk_http(mut stream: TcpStream, status: u16, body: &str, kept: &Mailbox) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let length = |line: &str| line.to_ascii_lowercase().strip_prefix("content-length: ")?.trim().parse().ok();
    let mut sent = vec![0; head.lines().find_map(length).unwrap_or(0)];
    reader.read_exact(&mut sent).unwrap();
    kept.lock().unwrap().push(head + &String::from_utf8(sent).unwrap());
    let length = body.len();
    let _ =
        write!(stream, "HTTP/1.1 {status} x\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
}
