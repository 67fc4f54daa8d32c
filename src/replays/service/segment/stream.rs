//! Reads the body of a request field by field and event by event, in bounded memory.

use crate::error::{Error, Result};
use crate::event::replay::BODY_MAX;
use crate::http::body::{Encoding, decoder};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, Read};

/// Bytes of one event.
const EVENT_MAX: u64 = 16 << 20;
/// Bytes of all other fields together.
const FIELDS_MAX: u64 = 256 << 10;
/// Bytes read at once. As many may be read beyond a limit before it is noticed.
const BUFFER: usize = 64 << 10;

/// What happens with what is read.
pub(super) trait Pass {
    /// Whether it wants the events; the others skip them.
    const READS_EVENTS: bool = false;

    /// A field other than `events`.
    fn field(&mut self, _: &str, _: &RawValue) {}

    /// The field `events`, which is not read.
    ///
    /// # Errors
    /// To refuse the request.
    fn events(&mut self) -> Result<()> {
        Ok(())
    }

    /// An event.
    ///
    /// # Errors
    /// To refuse the request.
    fn event(&mut self, _: u32, _: &RawValue) -> Result<()> {
        Ok(())
    }
}

/// The bytes that may still be read.
#[derive(Default)]
struct Room {
    /// Of the whole body.
    body: Cell<u64>,
    /// Of the part that is being read: a field or an event.
    part: Cell<u64>,
}

/// A body that is decompressed as it is read.
pub(super) struct Body<'w> {
    decoder: Box<dyn Read + 'w>,
}

struct Bounded<'w, 'r> {
    decoder: Box<dyn Read + 'w>,
    room: &'r Room,
}

impl Read for Bounded<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.room.part.get() == 0 || self.room.body.get() == 0 {
            // Unless it ends here, it is too large.
            return match self.decoder.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(io::Error::other("too large")),
            };
        }
        let most = usize::try_from(self.room.body.get()).unwrap_or(usize::MAX).min(into.len());
        let read = self.decoder.read(&mut into[..most])?;
        self.room.body.set(self.room.body.get() - read as u64);
        self.room.part.set(self.room.part.get().saturating_sub(read as u64));
        Ok(read)
    }
}

impl<'w> Body<'w> {
    pub(super) fn open(encoding: Encoding, wire: &'w [u8]) -> Result<Self> {
        Ok(Self { decoder: decoder(encoding, wire)? })
    }

    /// Reads all of it.
    pub(super) fn read<P: Pass>(self, pass: &mut P) -> Result<()> {
        let room = Room { body: Cell::new(BODY_MAX), part: Cell::new(FIELDS_MAX) };
        let bounded = Bounded { decoder: self.decoder, room: &room };
        let mut reader = serde_json::Deserializer::from_reader(BufReader::with_capacity(BUFFER, bounded));
        let mut refused = None;
        let visitor = Fields { pass, room: &room, refused: &mut refused };
        let read = reader.deserialize_map(visitor).and_then(|()| reader.end());
        match (refused, read) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(refusal(&room, &error)),
            (None, Ok(())) => Ok(()),
        }
    }
}

fn refusal(room: &Room, error: &serde_json::Error) -> Error {
    match error.classify() {
        serde_json::error::Category::Io if room.body.get() == 0 => Error::too_large(format!(
            "The body is too large: at most {} MiB are accepted, decompressed",
            BODY_MAX >> 20
        )),
        serde_json::error::Category::Io if room.part.get() == 0 => Error::too_large(format!(
            "The body has a part that is too large: at most {} MiB are accepted of an event, and {} KiB of all other \
             fields",
            EVENT_MAX >> 20,
            FIELDS_MAX >> 10
        )),
        serde_json::error::Category::Io => Error::malformed("The body cannot be decompressed"),
        serde_json::error::Category::Data => {
            Error::invalid(format!("The body: expected an object with an array `events`: {error}"))
        }
        _ => Error::malformed(format!("The body is not JSON: {error}")),
    }
}

struct Fields<'p, P> {
    pass: &'p mut P,
    room: &'p Room,
    refused: &'p mut Option<Error>,
}

impl<'de, P: Pass> Visitor<'de> for Fields<'_, P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { pass, room, refused } = self;
        let mut left = FIELDS_MAX;
        loop {
            room.part.set(left.max(BUFFER as u64));
            let Some(name) = map.next_key::<String>()? else { return Ok(()) };
            if name != "events" {
                let value = map.next_value::<Box<RawValue>>()?;
                let used = (name.len() + value.get().len()) as u64;
                left = left.checked_sub(used).ok_or_else(|| {
                    keep(
                        refused,
                        Error::invalid(format!(
                            "The fields beside `events` take more than {} KiB",
                            FIELDS_MAX >> 10
                        )),
                    )
                })?;
                pass.field(&name, &value);
            } else if P::READS_EVENTS {
                map.next_value_seed(Events { pass, room, refused })?;
            } else {
                room.part.set(u64::MAX);
                map.next_value::<IgnoredAny>()?;
                pass.events().map_err(|error| keep(refused, error))?;
            }
        }
    }
}

struct Events<'p, P> {
    pass: &'p mut P,
    room: &'p Room,
    refused: &'p mut Option<Error>,
}

impl<'de, P: Pass> DeserializeSeed<'de> for Events<'_, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, P: Pass> Visitor<'de> for Events<'_, P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of rrweb events")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        let mut index = 0;
        loop {
            self.room.part.set(EVENT_MAX);
            let Some(event) = sequence.next_element::<Box<RawValue>>()? else { return Ok(()) };
            self.pass.event(index, &event).map_err(|error| keep(self.refused, error))?;
            index += 1;
        }
    }
}

/// Keeps why the request is refused; serde carries only a text.
fn keep<E: de::Error>(refused: &mut Option<Error>, error: Error) -> E {
    *refused = Some(error);
    E::custom("refused")
}
