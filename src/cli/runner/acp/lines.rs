//! The transport: one message per line.
//!
//! The connection above it has an unbounded queue, and answers unknown messages. So this passes on only protocol
//! messages of bounded length, one at a time, and limits the requests whose answers the agent has not read.

use futures_util::stream::{self, StreamExt as _};
use futures_util::{Sink, SinkExt, Stream};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io;
use std::os::fd::OwnedFd;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::Poll;
use tokio::net::unix::pipe;
use tokio_util::codec::{AnyDelimiterCodec, FramedRead, FramedWrite, LinesCodec};

/// Bytes of a message; an agent may send whole files.
const LINE_MAX: usize = 4 << 20;
/// Bytes of a method name or an id, which may be kept or sent back.
pub(super) const ID_MAX: usize = 1 << 10;
/// The most requests whose answers the agent has not read.
const OWED_MAX: usize = 200;
const ANSWERS_MAX: usize = 2_000;

/// The parts of a message that are checked before the connection gets it.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

/// The kind of a line.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Update,
    Request,
    Answer,
    /// A message that nothing here handles.
    Other,
    /// Not a message: it is shown as output.
    Stray,
}

/// # Errors
/// If its names are too long.
fn kind(line: &str) -> io::Result<Kind> {
    let envelope = line.trim_start().starts_with('{').then(|| serde_json::from_str::<Envelope<'_>>(line));
    let Some(Ok(envelope)) = envelope else { return Ok(Kind::Stray) };
    let longest =
        envelope.id.map_or(0, |id| id.get().len()).max(envelope.method.as_ref().map_or(0, |name| name.len()));
    if longest > ID_MAX {
        return Err(io::Error::other("its messages have names that are too long"));
    }
    Ok(match (envelope.jsonrpc.as_ref(), envelope.method.as_deref(), envelope.id) {
        ("2.0", Some("session/update"), None) => Kind::Update,
        ("2.0", Some(_), Some(_)) => Kind::Request,
        ("2.0", Some(_), None) => Kind::Other,
        ("2.0", None, Some(_)) => Kind::Answer,
        _ => Kind::Stray,
    })
}

/// The number of the agent's requests whose answers it has not read.
pub(super) type Owed = Arc<AtomicUsize>;

/// Writes lines to the agent's standard input.
pub(super) fn to_agent(
    input: OwnedFd,
    owed: Owed,
) -> io::Result<impl Sink<String, Error = io::Error> + Send + 'static> {
    let pipe = pipe::Sender::from_owned_fd(input)?;
    let lines = FramedWrite::new(pipe, LinesCodec::new());
    let lines = SinkExt::<String>::sink_map_err(lines, io::Error::other);
    Ok(lines.with(move |line: String| {
        if matches!(kind(&line), Ok(Kind::Answer)) {
            // What is written was taken from the queue, which has room for another now.
            let _ = owed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1));
        }
        std::future::ready(Ok::<_, io::Error>(line))
    }))
}

/// Reads lines from the agent's standard output. Adds their bytes to `written`, and passes lines that are not
/// messages to `stray`.
pub(super) fn from_agent(
    output: OwnedFd,
    (owed, written): (Owed, Arc<AtomicU64>),
    stray: impl FnMut(String) + Send + 'static,
) -> io::Result<impl Stream<Item = io::Result<String>> + Send + 'static> {
    let pipe = pipe::Receiver::from_owned_fd(output)?;
    let codec = AnyDelimiterCodec::new_with_max_length(b"\n".to_vec(), b"\n".to_vec(), LINE_MAX);
    let lines = FramedRead::new(pipe, codec).map(move |line| match line {
        Ok(bytes) => {
            written.fetch_add(bytes.len() as u64 + 1, Ordering::Relaxed);
            Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_owned())
        }
        Err(error) => Err(io::Error::other(error)),
    });
    Ok(messages(one_at_a_time(lines), owed, stray))
}

fn messages(
    lines: impl Stream<Item = io::Result<String>> + Send + 'static,
    owed: Owed,
    mut stray: impl FnMut(String) + Send + 'static,
) -> impl Stream<Item = io::Result<String>> + Send + 'static {
    let mut answers = 0;
    let mut judge = move |text: String| match kind(&text) {
        Err(error) => Some(Err(error)),
        Ok(Kind::Update) => Some(Ok(text)),
        Ok(Kind::Other) => None,
        Ok(Kind::Stray) => {
            stray(text);
            None
        }
        Ok(Kind::Request) if owed.fetch_add(1, Ordering::Relaxed) >= OWED_MAX => {
            Some(Err(io::Error::other("it asks and does not hear the answers")))
        }
        Ok(Kind::Answer) if answers >= ANSWERS_MAX => {
            Some(Err(io::Error::other("it answers what it was not asked")))
        }
        Ok(Kind::Answer) => {
            answers += 1;
            Some(Ok(text))
        }
        Ok(Kind::Request) => Some(Ok(text)),
    };
    lines.filter_map(move |line| {
        std::future::ready(match line {
            Ok(text) => judge(text),
            Err(error) => Some(Err(error)),
        })
    })
}

/// Yields to the other parts of the task after each item.
fn one_at_a_time<T>(items: impl Stream<Item = T> + Send + 'static) -> impl Stream<Item = T> + Send + 'static {
    let mut items = Box::pin(items);
    let mut has_given = false;
    stream::poll_fn(move |context| {
        if std::mem::take(&mut has_given) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = Future::poll(pin!(items.next()), context);
        has_given = next.is_ready();
        next
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::sync::Mutex;

    fn read(text: &[u8]) -> (Vec<io::Result<String>>, Vec<String>) {
        let (reader, mut writer) = io::pipe().unwrap();
        let text = text.to_owned();
        let writing = std::thread::spawn(move || drop(writer.write_all(&text)));
        let strays = Arc::<Mutex<Vec<String>>>::default();
        let kept = strays.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let lines = runtime.block_on(async move {
            let stray = move |line| kept.lock().unwrap().push(line);
            from_agent(reader.into(), Default::default(), stray).unwrap().collect().await
        });
        writing.join().unwrap();
        let strays = strays.lock().unwrap().clone();
        (lines, strays)
    }

    #[test]
    fn messages_are_distinguished_from_other_output() {
        let update = r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#;
        let others = b"\r\n{\"level\":\"info\"}\n\xff\nDone";
        let (lines, strays) = read(&[b"Starting\n", update.as_bytes(), others].concat());
        let lines: Vec<String> = lines.into_iter().map(Result::unwrap).collect();
        assert_eq!(lines, [update]);
        assert_eq!(strays, ["Starting", "{\"level\":\"info\"}", "\u{fffd}", "Done"]);
    }

    #[test]
    fn unhandled_messages_do_not_reach_the_connection() {
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","method":"session/other","params":{}}"#, Kind::Other),
            (r#"{"jsonrpc":"2.0","method":"fs/read_text_file","id":1}"#, Kind::Request),
            (r#"{"jsonrpc":"2.0","id":"1","result":null}"#, Kind::Answer),
            (r#"{"jsonrpc":"2.0","id":"1","result":{}}"#, Kind::Answer),
            (r#"{"jsonrpc":"2.0","id":1,"error":{}}"#, Kind::Answer),
            (r#"{"jsonrpc":"2.0"}"#, Kind::Stray),
            (r#"{"jsonrpc":"1.0","id":1,"result":{}}"#, Kind::Stray),
            ("{\"jsonrpc\":\"2.0\",", Kind::Stray),
            ("[]", Kind::Stray),
        ] {
            assert_eq!(kind(line).unwrap(), expected, "{line}");
        }
        assert!(kind(&format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"x"}}"#, "i".repeat(2_000))).is_err());
    }

    #[test]
    fn endless_messages_and_countless_requests_are_refused() {
        let mut text = vec![b'{'; LINE_MAX + 2];
        text.push(b'\n');
        let (lines, _) = read(&text);
        assert!(lines[0].is_err(), "{lines:?}");
        let request = r#"{"jsonrpc":"2.0","method":"x","id":1}"#;
        let (lines, _) = read(format!("{request}\n").repeat(OWED_MAX + 1).as_bytes());
        assert_eq!(lines.iter().filter(|line| line.is_ok()).count(), OWED_MAX);
        assert!(lines[OWED_MAX].is_err());
    }
}
