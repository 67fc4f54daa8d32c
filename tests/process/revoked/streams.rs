//! The answers of the API that stay open, as somebody reads them.

use super::places::{ARCHIVE, Mark, Place};
use crate::crowd::connect;
use crate::report::ensure;
use crate::support::{Client, Stream};
use std::io::Read as _;
use std::net::TcpStream;
use std::time::Duration;

/// So small that unread data stays with the server.
const RECEIVED: usize = 64 << 10;
/// Messages of an otherwise idle minute: at four a second, more than that.
const MESSAGES_MAX: usize = 300;
/// How an answer of unknown length ends.
const END: &[u8] = b"0\r\n\r\n";

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Tail,
    Changes,
    /// A person's notifications, whatever organizations they belong to.
    Told,
    /// An agent's session.
    Agent,
    Export,
}

/// Every operation with an answer that stays open.
pub(super) const STREAMS: [(&str, Kind); 5] = [
    ("GET /api/v1/projects/{project_id}/logs/tail", Kind::Tail),
    ("GET /api/v1/projects/{project_id}/stream", Kind::Changes),
    ("GET /api/v1/me/stream", Kind::Told),
    ("GET /api/sessions/{agent_session_id}/stream", Kind::Agent),
    ("GET /api/v1/projects/{project_id}/logs/export", Kind::Export),
];

pub(super) enum Open {
    Events(Stream),
    Export(TcpStream),
}

impl Open {
    /// Opens it as `client`, and reads its beginning.
    pub(super) fn new(place: &Place, client: &Client, kind: Kind) -> Result<Self, String> {
        let events = |path: &str| {
            let mut stream = Stream::ask(client, path, &[]);
            ensure(stream.status == 200, || format!("{path} answers {}", stream.status))?;
            ensure(stream.block().is_some(), || format!("{path} ended at once"))?;
            Ok(Self::Events(stream))
        };
        match kind {
            Kind::Tail => events(&place.project.path("/logs/tail")),
            Kind::Changes => events(&place.project.path("/stream")),
            Kind::Told => events("/api/v1/me/stream"),
            Kind::Agent => events(&format!("{}/stream", place.agent)),
            Kind::Export => Ok(Self::Export(export(place, client))),
        }
    }

    /// Reads until the mark arrives.
    pub(super) fn until(&mut self, mark: &Mark) -> Result<(), String> {
        let Self::Events(stream) = self else { return Ok(()) };
        for _ in 0..MESSAGES_MAX {
            match stream.block() {
                Some(block) if mark.is_in(&block) => return Ok(()),
                Some(_) => {}
                None => return Err("a stream ended although its reader kept their access".to_owned()),
            }
        }
        Err("the mark did not come to somebody who kept their access".to_owned())
    }

    /// Reads to the end, which must come before the mark; an export must be truncated.
    pub(super) fn ends_without(self, mark: Option<&Mark>) -> Result<(), String> {
        match self {
            Self::Events(mut stream) => {
                for _ in 0..MESSAGES_MAX {
                    let Some(block) = stream.block() else { return Ok(()) };
                    ensure(!mark.is_some_and(|mark| mark.is_in(&block)), || {
                        format!("was sent what came afterwards: {block}")
                    })?;
                }
                Err(format!("does not end: {MESSAGES_MAX} more messages came"))
            }
            Self::Export(stream) => is_cut_off(stream),
        }
    }

    /// Reads to the end, which comes at the next heartbeat; one more may be on its way, and earlier ones may still be
    /// unread.
    pub(super) fn ends_at_the_next_heartbeat(self) -> Result<(), String> {
        match self {
            Self::Events(mut stream) => {
                let mut expected = stream.earlier_heartbeats() + 1;
                for _ in 0..MESSAGES_MAX {
                    let Some(block) = stream.block() else { return Ok(()) };
                    if block.starts_with(':') {
                        ensure(expected > 0, || "a stream went on after it had expired".to_owned())?;
                        expected -= 1;
                    }
                }
                Err(format!("a stream went on after it had expired: {MESSAGES_MAX} more messages came"))
            }
            Self::Export(stream) => {
                is_cut_off(stream).map_err(|violation| format!("{violation} after it had expired"))
            }
        }
    }
}

/// An export of which only the beginning is read.
fn export(place: &Place, client: &Client) -> TcpStream {
    let path = place.project.path(&format!("/logs/export?search={ARCHIVE}"));
    let connection = connect(&place.world().server, 0, Some(RECEIVED)).unwrap();
    let mut stream = client.get(&path).open_on(connection).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let mut beginning = [0; 1_000];
    stream.read_exact(&mut beginning).unwrap();
    assert!(beginning.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&beginning));
    stream
}

fn is_cut_off(mut stream: TcpStream) -> Result<(), String> {
    let mut rest = Vec::new();
    // Cut off, it may be reset.
    let _ = stream.read_to_end(&mut rest);
    ensure(!rest.ends_with(END), || format!("an export of {} bytes came to its end", rest.len()))
}
