//! The events of a recording one by one, in memory for one of them.

use std::io::{self, BufRead as _, BufReader, Read};
use std::ops::Range;

/// Bytes read at once.
const BUFFER: usize = 64 << 10;

/// Events as they are stored: objects with anything but objects between them.
pub struct Events<R> {
    reader: BufReader<R>,
    used: u64,
}

/// An event as JSON, unless it is longer than it may be.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    Whole(Vec<u8>),
    TooLong,
}

impl<R: Read> Events<R> {
    pub fn new(reader: R) -> Self {
        Self { reader: BufReader::with_capacity(BUFFER, reader), used: 0 }
    }

    /// The bytes that were gone through.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The next event, of at most so many bytes; `None` after the last whole one.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn read(&mut self, most: usize) -> io::Result<Option<Event>> {
        let (mut place, mut event, mut is_long) = (JsonPosition::default(), Vec::new(), false);
        loop {
            let bytes = self.reader.fill_buf()?;
            if bytes.is_empty() {
                return Ok(None);
            }
            let (part, is_end) = place.go_on(bytes);
            let end = part.end;
            is_long |= event.len() + part.len() > most;
            if is_long {
                event = Vec::new();
            } else {
                event.extend_from_slice(&bytes[part]);
            }
            self.reader.consume(end);
            self.used += end as u64;
            if is_end {
                return Ok(Some(if is_long { Event::TooLong } else { Event::Whole(event) }));
            }
        }
    }
}

/// Where in an event it is.
#[derive(Default)]
struct JsonPosition {
    /// Objects around it.
    depth: usize,
    is_in_text: bool,
    is_escaped: bool,
}

impl JsonPosition {
    /// What of the next bytes belongs to the event, and whether it ends there.
    fn go_on(&mut self, bytes: &[u8]) -> (Range<usize>, bool) {
        let mut from = if self.depth > 0 { 0 } else { bytes.len() };
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.is_in_text => self.is_escaped = true,
                b'"' if self.depth > 0 => self.is_in_text = !self.is_in_text,
                _ if self.is_in_text => {}
                b'{' => {
                    from = from.min(at);
                    self.depth += 1;
                }
                b'}' if self.depth == 1 => return (from..at + 1, true),
                b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        (from..bytes.len(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, most: usize) -> Vec<Option<String>> {
        // Whatever is read at once.
        let pieces = [1, 3, BUFFER].map(|size| {
            let reader = BufReader::with_capacity(size, text.as_bytes());
            let mut events = Events { reader, used: 0 };
            let mut found = Vec::new();
            while let Some(event) = events.read(most).unwrap() {
                found.push(match event {
                    Event::Whole(event) => Some(String::from_utf8(event).unwrap()),
                    Event::TooLong => None,
                });
            }
            assert_eq!(events.used(), text.len() as u64);
            found
        });
        assert!(pieces.iter().all(|found| *found == pieces[0]), "{pieces:?}");
        pieces[0].clone()
    }

    #[test]
    fn events_are_read_whole_and_one_by_one() {
        let [nested, texts, empty] = [r#"{"a":{"b":[{}]}}"#, r#"{"a":"}\"{\\","b":"{"}"#, "{}"];
        let whole = |text: &str| Some(text.to_owned());
        let text = format!(",{nested}, {texts},\n{empty},{{\"cut\":\"off}}");
        assert_eq!(read(&text, 100), [whole(nested), whole(texts), whole(empty)]);
        assert_eq!(read(&text, nested.len()), [whole(nested), None, whole(empty)]);
        assert_eq!(read(&text, 0), [None::<String>, None, None]);
        assert!(read("nonsense \" }}{", 100).is_empty());
    }
}
