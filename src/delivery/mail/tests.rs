use super::*;
use crate::config::{Config, Source};
use servers::{Http, Smtp};
use socket2::{Domain, Socket, Type};
use std::net::{Ipv4Addr, SocketAddr};

mod api;
mod messages;
pub(crate) mod servers;
mod smtp;

/// Mail as an operator configures it.
pub(crate) fn config(values: &[(&str, &str)]) -> MailConfig {
    let pairs = values.iter().copied().chain([("MAIL_FROM_EMAIL", "Mäyday <mayday@corp.example>")]);
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Config::read(&Source::new(None, pairs, []).unwrap()).unwrap().mail.unwrap()
}

pub(crate) fn over_smtp(port: u16) -> MailConfig {
    config(&[("SERVICE_MAIL_SMTP_URL", &format!("smtp://127.0.0.1:{port}"))])
}

pub(crate) fn over_api(port: u16) -> MailConfig {
    config(&[
        ("MAIL_API_KEY", "re_canary"),
        ("SERVICE_MAIL_API_URL", &format!("http://127.0.0.1:{port}/emails?x=1")),
    ])
}

fn letter() -> Letter {
    Letter {
        to: "ada@corp.example".into(),
        subject: "Grüße an Ada".into(),
        text: "Zeile eins\n.\nhttps://errors.example/register?token=abc\n".into(),
        html: None,
        thread: None,
        unsubscribe: None,
        idempotency_key: "0000-key".into(),
        created_at: Timestamp::from_millis(1_763_700_000_000),
    }
}

/// A port on which nothing listens, and that nobody else gets while the socket is there.
pub(crate) fn closed_port() -> (Socket, u16) {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).unwrap();
    let port = socket.local_addr().unwrap().as_socket().unwrap().port();
    (socket, port)
}

#[test]
fn an_address_with_a_line_break_is_refused() {
    for bad in
        ["ada@corp.example\r\nBcc: eve@evil.example", "ada@corp.example\n", "ada", "a@b.example,c@d.example"]
    {
        assert!(
            matches!(Mail::new(Kind::Notice, bad, "x", String::new()), Err(Error::Invalid(_))),
            "{bad:?}"
        );
    }
    let mail = Mail::new(Kind::Notice, " Ada@Corp.example", "a\r\nBcc: b", String::new()).unwrap();
    assert_eq!((mail.to.as_str(), mail.subject.as_str()), ("ada@corp.example", "aBcc: b"));
}

#[tokio::test]
async fn a_server_that_hangs_is_abandoned_at_the_deadline() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    for config in [over_smtp(port), over_api(port)] {
        let mailer = Mailer::new(&config, &Client::new()).unwrap().with_deadline(Duration::from_millis(100));
        let failure = mailer.send(&letter()).await.unwrap_err();
        assert!(!failure.permanent && failure.text.contains("within 0.1 s"), "{failure:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_down_is_retried() {
    let (_closed, port) = closed_port();
    for config in [over_smtp(port), over_api(port)] {
        let failure = Mailer::new(&config, &Client::new()).unwrap().send(&letter()).await.unwrap_err();
        assert!(!failure.permanent && failure.text.contains("refused"), "{failure:?}");
    }
}
