//! The layout of the journal's records, by kind.
//!
//! Whatever its kind, a record starts with its project and the time it was received. So a Mayday that does not know a kind
//! still knows whose record it is, and keeps it for a version that does.
//!
//! ```text
//! head            project 8 · received at 8, milliseconds
//! error, replay   length of the name 2 · id of the event, or name of the segment · payload, packed
//! ```

use crate::error::{Error, Result};
use crate::sabotage;
use crate::store::journal::Form;

/// Bytes of the head.
pub const HEAD: usize = 8 + 8;
/// Bytes of the length before an event id.
const LENGTH: usize = 2;

/// Error events.
pub const ERROR: Form = Form { kind: 1, version: 1 };

/// Segments of session replays; the payload is [`super::replay::Segment`].
pub const REPLAY: Form = Form { kind: 2, version: 1 };

/// The form that error events are written in. Sabotage turns this process into a newer Mayday, whose version 2 has the
/// same layout.
pub fn error() -> Form {
    if sabotage::on("newer_records") { Form { version: 2, ..ERROR } } else { ERROR }
}

/// The kinds of records that the digest knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Error,
    Replay,
}

impl Kind {
    /// `None` for a form that only a newer Mayday knows.
    pub fn of(form: Form) -> Option<Self> {
        match form {
            REPLAY => Some(Self::Replay),
            form if form == ERROR || form == error() => Some(Self::Error),
            _ => None,
        }
    }
}

/// Why a record of an unknown form is set aside.
pub fn unknown(Form { kind, version }: Form) -> String {
    format!(
        "A newer version of Mayday accepted this (record kind {kind}, version {version}), and this version cannot read \
         it. It is kept unchanged: retry it once the newer version runs again"
    )
}

/// An accepted record as stored in the journal, without its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedRecord {
    pub form: Form,
    pub body: Vec<u8>,
}

/// A record taken apart: its event id and its payload.
pub struct RecordParts {
    pub event_id: String,
    pub payload: Vec<u8>,
}

/// The payload of a record without its head; all of it if the form is unknown.
pub fn payload(form: Form, body: &[u8]) -> &[u8] {
    body.get(name(form, body).map_or(0, |(_, end)| end)..).unwrap_or_default()
}

/// The event id of a record without its head, and where the payload starts; `None` if it has none.
fn name(form: Form, body: &[u8]) -> Option<(&str, usize)> {
    Kind::of(form)?;
    let (length, rest) = body.split_first_chunk::<LENGTH>()?;
    let length = usize::from(u16::from_le_bytes(*length));
    Some((std::str::from_utf8(rest.get(..length)?).ok()?, LENGTH + length))
}

/// Takes apart a record after its `head` bytes. A record of an unknown form gets an id made from its content and the
/// time it was received, so that it has the same id each time it is read. `None` if the bytes do not match the form;
/// because the journal has checksums, only a bug of ours could cause that.
pub fn take_apart(form: Form, received_at: i64, mut bytes: Vec<u8>, head: usize) -> Option<RecordParts> {
    let body = bytes.get(head..)?;
    let (event_id, end) = match Kind::of(form) {
        Some(Kind::Error | Kind::Replay) => {
            name(form, body).map(|(event_id, end)| (event_id.to_owned(), end))?
        }
        None => (made_up(form, received_at, body), 0),
    };
    bytes.drain(..head + end);
    Some(RecordParts { event_id, payload: bytes })
}

fn made_up(form: Form, received_at: i64, body: &[u8]) -> String {
    let mut hash = blake3::Hasher::new();
    hash.update(&[form.kind, form.version]).update(&received_at.to_le_bytes()).update(body);
    format!("record-{}", &hash.finalize().to_hex()[..32])
}

/// Appends a record without its head: the reverse of [`take_apart`].
///
/// # Errors
/// If the event id has 64 KiB or more; intake accepts no such id.
pub fn put_together(form: Form, event_id: &str, payload: &[u8], into: &mut Vec<u8>) -> Result<()> {
    if Kind::of(form).is_some() {
        let length = u16::try_from(event_id.len()).map_err(Error::internal)?;
        into.extend_from_slice(&length.to_le_bytes());
        into.extend_from_slice(event_id.as_bytes());
    }
    into.extend_from_slice(payload);
    Ok(())
}

/// Bytes of a record, without its head.
pub fn size(event_id: &str, payload: &[u8]) -> usize {
    LENGTH + event_id.len() + payload.len()
}
