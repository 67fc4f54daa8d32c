//! Sends an agent's output to the server: with secrets masked, in pieces, within limits.
//!
//! If the server accepts nothing, the agent blocks, because at most [`QUEUE_MAX`] of its output is read ahead. Beyond
//! [`SENT_MAX`] only the end is kept, so an agent that prints endlessly costs neither memory nor storage.

use super::protocol::{Entry, Kind, Role, Stream};
use std::collections::VecDeque;
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bytes that may wait to be sent.
const QUEUE_MAX: usize = 1 << 20;
/// Bytes of a run's output that are sent as they arrive. The server keeps fewer.
pub(super) const SENT_MAX: usize = 12 << 20;
/// Bytes kept of the end of any further output.
const TAIL_MAX: usize = 256 << 10;
/// Bytes of an entry, and of a batch of entries.
const ENTRY_MAX: usize = 16 << 10;
const BATCH_MAX: usize = 128 << 10;
/// Entries in a batch.
const BATCH_COUNT: usize = 200;
/// The longest line that is buffered because it may be a JSON object for a dialect.
const LINE_MAX: usize = 1 << 20;
/// Replaces a secret.
const MASK: &str = "[masked]";
/// Shorter values are not masked, because they also occur in ordinary words.
const SECRET_MIN: usize = 6;

/// Masks values that must not leave this machine.
#[derive(Clone, Default)]
pub(super) struct Masker(Vec<String>);

impl Masker {
    /// Masks each line of a value separately, because output is processed line by line.
    pub(super) fn new(values: impl IntoIterator<Item = String>) -> Self {
        let lines = values.into_iter().flat_map(|value| value.lines().map(str::to_owned).collect::<Vec<_>>());
        let mut lines: Vec<String> = lines.filter(|line| line.len() >= SECRET_MIN).collect();
        // The longest first, because one may contain another.
        lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
        lines.dedup();
        Self(lines)
    }

    pub(super) fn mask(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| match text.contains(secret.as_str()) {
            true => text.replace(secret.as_str(), MASK),
            false => text,
        })
    }

    /// The length of the longest secret, in bytes: so much of unfinished text may be the beginning of one.
    fn longest(&self) -> usize {
        self.0.first().map_or(0, |secret| secret.len() - 1)
    }
}

/// Output waiting to be sent, shared by its readers and its sender.
#[derive(Default)]
pub(super) struct Outbox {
    state: Mutex<State>,
    changed: Condvar,
    /// Bytes that the agent and the tests of its work have written, sent or not.
    written: Arc<AtomicU64>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Entry>,
    bytes: usize,
    /// Bytes ever queued.
    taken: usize,
    tail: VecDeque<Entry>,
    tail_bytes: usize,
    /// Entries left out between the beginning and the end.
    left_out: usize,
    is_closed: bool,
    /// The session is lost: everything is dropped.
    is_lost: bool,
}

impl Outbox {
    /// Adds an entry; blocks while the queue is full.
    pub(super) fn push(&self, entry: Entry) {
        let mut state = self.state();
        while state.bytes >= QUEUE_MAX && state.taken < SENT_MAX && !state.is_lost {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_lost {
            return;
        }
        let size = entry.content.len();
        if state.taken < SENT_MAX {
            state.taken += size;
            state.bytes += size;
            state.queue.push_back(entry);
        } else {
            state.tail_bytes += size;
            state.tail.push_back(entry);
            while state.tail_bytes > TAIL_MAX
                && let Some(oldest) = state.tail.pop_front()
            {
                state.tail_bytes -= oldest.content.len();
                state.left_out += 1;
            }
        }
        self.changed.notify_all();
    }

    /// The counter of bytes that the agent and the tests of its work write.
    pub(super) fn written(&self) -> &Arc<AtomicU64> {
        &self.written
    }

    /// Adds a message of the runner itself.
    pub(super) fn say(&self, content: impl Into<String>) {
        self.push(Entry::told(Kind::State, None, content.into()));
    }

    /// Adds an entry without blocking, or drops it if the queue is full. Returns whether it was added.
    pub(super) fn tell(&self, entry: Entry) -> bool {
        let mut state = self.state();
        if state.is_lost || state.is_closed {
            return false;
        }
        if state.bytes + entry.content.len() > 2 * QUEUE_MAX {
            state.left_out += 1;
            return false;
        }
        state.bytes += entry.content.len();
        state.queue.push_back(entry);
        self.changed.notify_all();
        true
    }

    /// Marks the end of the output, and queues the kept end.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        if state.left_out > 0 {
            let content = format!("{} more pieces of output are left out here.", state.left_out);
            state.queue.push_back(Entry::told(Kind::State, None, content));
        }
        let tail = std::mem::take(&mut state.tail);
        state.queue.extend(tail);
        self.changed.notify_all();
    }

    /// Drops everything from now on.
    pub(super) fn lose(&self) {
        let mut state = self.state();
        *state = State { is_closed: true, is_lost: true, ..State::default() };
        self.changed.notify_all();
    }

    /// Copies the next batch of entries, which stays queued until [`Outbox::sent`]. Waits up to `patience`; `None`
    /// after the end.
    pub(super) fn next(&self, patience: Duration) -> Option<Vec<Entry>> {
        let mut state = self.state();
        if state.queue.is_empty() && !state.is_closed {
            state = self.changed.wait_timeout(state, patience).unwrap_or_else(PoisonError::into_inner).0;
        }
        if state.queue.is_empty() && state.is_closed {
            return None;
        }
        let mut bytes = 0;
        let fits = |entry: &&Entry| {
            bytes += entry.content.len();
            bytes <= BATCH_MAX
        };
        let mut batch: Vec<Entry> = state.queue.iter().take(BATCH_COUNT).take_while(fits).cloned().collect();
        if batch.is_empty() {
            batch.extend(state.queue.front().cloned());
        }
        Some(batch)
    }

    /// Removes the first `count` entries, which the server has received.
    pub(super) fn sent(&self, count: usize) {
        let mut state = self.state();
        let count = count.min(state.queue.len());
        let bytes: usize = state.queue.drain(..count).map(|entry| entry.content.len()).sum();
        state.bytes = state.bytes.saturating_sub(bytes);
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a pipe of the agent to its end. `lines` converts each complete line of at most [`LINE_MAX`] bytes to
/// entries.
pub(super) fn pump(
    mut pipe: impl Read,
    stream: Stream,
    masker: &Masker,
    outbox: &Outbox,
    lines: impl FnMut(&str) -> Option<Vec<Entry>>,
) {
    let mut pump = Pump::new(Some(stream), (masker, outbox), lines);
    let mut piece = vec![0; 64 << 10];
    loop {
        match pipe.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => {
                outbox.written.fetch_add(count as u64, Ordering::Relaxed);
                pump.take(&piece[..count]);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    pump.end();
}

/// Converts a line to entries.
type Dialect = fn(&str) -> Option<Vec<Entry>>;

/// Text that an agent sends in chunks.
pub(super) struct Spoken<'a>(Pump<'a, Dialect>);

impl<'a> Spoken<'a> {
    pub(super) fn new(masker: &'a Masker, outbox: &'a Outbox) -> Self {
        Self(Pump::new(None, (masker, outbox), |_| None))
    }

    pub(super) fn add(&mut self, text: &str) {
        self.0.read(text.as_bytes());
    }

    /// Sends the complete lines.
    pub(super) fn send(&mut self) {
        self.0.flush();
    }

    /// Sends all of the text.
    pub(super) fn end(&mut self) {
        self.0.end();
    }
}

struct Pump<'a, L> {
    /// `None` if it does not come from a stream of a process.
    stream: Option<Stream>,
    masker: &'a Masker,
    outbox: &'a Outbox,
    lines: L,
    /// The unfinished line.
    pending: Vec<u8>,
    /// Text to send verbatim.
    text: String,
    /// The beginning of the current line has been sent.
    is_within: bool,
}

impl<'a, L: FnMut(&str) -> Option<Vec<Entry>>> Pump<'a, L> {
    fn new(stream: Option<Stream>, (masker, outbox): (&'a Masker, &'a Outbox), lines: L) -> Self {
        Self { stream, masker, outbox, lines, pending: Vec::new(), text: String::new(), is_within: false }
    }

    fn take(&mut self, piece: &[u8]) {
        self.read(piece);
        self.flush();
    }

    fn end(&mut self) {
        let rest = std::mem::take(&mut self.pending);
        if !rest.is_empty() {
            self.line(&rest);
        }
        self.is_within = false;
        self.flush();
    }

    fn read(&mut self, piece: &[u8]) {
        let mut searched = self.pending.len();
        self.pending.extend_from_slice(piece);
        let mut pending = std::mem::take(&mut self.pending);
        let mut done = 0;
        while let Some(at) = pending[searched..].iter().position(|byte| *byte == b'\n') {
            let end = searched + at + 1;
            self.line(&pending[done..end]);
            (done, searched) = (end, end);
        }
        pending.drain(..done);
        self.pending = pending;
        while self.pending.len() > self.longest_pending() {
            self.send_beginning();
        }
    }

    /// Handles a line, or the rest of one.
    fn line(&mut self, bytes: &[u8]) {
        let line = self.masker.mask(&String::from_utf8_lossy(bytes));
        let is_whole = !std::mem::take(&mut self.is_within);
        let entries = is_whole.then(|| (self.lines)(line.trim_end_matches(['\n', '\r']))).flatten();
        match entries {
            Some(entries) => {
                self.flush();
                entries.into_iter().for_each(|entry| self.outbox.push(entry));
            }
            None => self.text.push_str(&line),
        }
        if self.text.len() >= ENTRY_MAX {
            self.flush();
        }
    }

    fn longest_pending(&self) -> usize {
        let may_be_object = !self.is_within && self.pending.starts_with(b"{");
        if may_be_object { LINE_MAX } else { ENTRY_MAX + self.masker.longest() }
    }

    /// Sends the beginning of an unfinished line, except what may be the beginning of a secret or part of a
    /// character.
    fn send_beginning(&mut self) {
        let part = self.pending.split_off(whole_characters(&self.pending));
        let masked = self.masker.mask(&String::from_utf8_lossy(&self.pending));
        let (begin, rest) = cut(&masked, masked.len().saturating_sub(self.masker.longest()));
        self.text.push_str(begin);
        self.pending = [rest.as_bytes(), &part].concat();
        self.is_within = true;
        self.flush();
    }

    fn flush(&mut self) {
        flush(&mut self.text, self.stream, self.outbox);
    }
}

/// Sends and clears a text in pieces of limited length.
fn flush(text: &mut String, stream: Option<Stream>, outbox: &Outbox) {
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (piece, after) = cut(rest, ENTRY_MAX);
        let content = piece.to_owned();
        outbox.push(Entry::said(Role::Agent, stream, content));
        rest = after;
    }
    text.clear();
}

/// Splits a text at or before a byte, between two characters.
fn cut(text: &str, at: usize) -> (&str, &str) {
    text.split_at(text.floor_char_boundary(at))
}

/// The length without an incomplete character at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    let is_inner = |byte: &u8| byte & 0xc0 == 0x80;
    let inner = bytes.iter().rev().take(3).take_while(|byte| is_inner(byte)).count();
    let Some(begin) = bytes.len().checked_sub(inner + 1) else { return bytes.len() };
    let needed = match bytes[begin] {
        0xf0.. => 3,
        0xe0.. => 2,
        0xc0.. => 1,
        _ => 0,
    };
    if needed > inner { begin } else { bytes.len() }
}

#[cfg(test)]
mod tests;
