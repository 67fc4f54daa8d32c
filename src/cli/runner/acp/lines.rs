//! The transport: one message a line, of a bounded length, read no faster than what came before is dealt with.

use futures_util::stream::{self, StreamExt as _};
use futures_util::{Sink, SinkExt, Stream};
use std::io;
use std::os::fd::OwnedFd;
use std::pin::pin;
use std::task::Poll;
use tokio::net::unix::pipe;
use tokio_util::codec::{FramedRead, FramedWrite, LinesCodec};

/// Bytes of a message: an agent may show whole files.
const LINE_MAX: usize = 16 << 20;

/// The agent's standard input, line by line.
pub(super) fn to_agent(input: OwnedFd) -> io::Result<impl Sink<String, Error = io::Error> + Send + 'static> {
    let pipe = pipe::Sender::from_owned_fd(input)?;
    let lines = FramedWrite::new(pipe, LinesCodec::new());
    Ok(SinkExt::<String>::sink_map_err(lines, io::Error::other))
}

/// The agent's standard output, line by line. `stray` gets the lines that are no messages.
pub(super) fn from_agent(
    output: OwnedFd,
    stray: impl FnMut(String) + Send + 'static,
) -> io::Result<impl Stream<Item = io::Result<String>> + Send + 'static> {
    let pipe = pipe::Receiver::from_owned_fd(output)?;
    let lines = FramedRead::new(pipe, LinesCodec::new_with_max_length(LINE_MAX));
    Ok(one_at_a_time(messages(lines.map(|line| line.map_err(io::Error::other)), stray)))
}

fn messages(
    lines: impl Stream<Item = io::Result<String>> + Send + 'static,
    mut stray: impl FnMut(String) + Send + 'static,
) -> impl Stream<Item = io::Result<String>> + Send + 'static {
    lines.filter_map(move |line| {
        let message = match line {
            Ok(text) if !text.trim_start().starts_with('{') => {
                stray(text);
                None
            }
            line => Some(line),
        };
        std::future::ready(message)
    })
}

/// Lets everything else of the task run after each item: the connection queues messages without a bound.
fn one_at_a_time<T>(items: impl Stream<Item = T> + Send + 'static) -> impl Stream<Item = T> + Send + 'static {
    let mut items = Box::pin(items);
    let mut has_given = false;
    stream::poll_fn(move |context| {
        if std::mem::take(&mut has_given) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = pin!(items.next());
        let next = std::future::Future::poll(next, context);
        has_given = next.is_ready();
        next
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::sync::{Arc, Mutex};

    fn read(text: &[u8]) -> (Vec<io::Result<String>>, Vec<String>) {
        let (reader, mut writer) = io::pipe().unwrap();
        let text = text.to_owned();
        let writing = std::thread::spawn(move || drop(writer.write_all(&text)));
        let strays = Arc::<Mutex<Vec<String>>>::default();
        let kept = strays.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let lines = runtime.block_on(async move {
            from_agent(reader.into(), move |line| kept.lock().unwrap().push(line)).unwrap().collect().await
        });
        writing.join().unwrap();
        let strays = strays.lock().unwrap().clone();
        (lines, strays)
    }

    #[test]
    fn messages_are_told_from_what_else_an_agent_prints() {
        let (lines, strays) = read(b"Starting\n{\"a\":1}\r\n\n  {\"b\":2}\nDone");
        let lines: Vec<String> = lines.into_iter().map(Result::unwrap).collect();
        assert_eq!(lines, ["{\"a\":1}", "  {\"b\":2}"]);
        assert_eq!(strays, ["Starting", "", "Done"]);
    }

    #[test]
    fn a_message_without_an_end_is_refused() {
        let mut text = vec![b'{'; LINE_MAX + 2];
        text.push(b'\n');
        let (lines, _) = read(&text);
        assert!(lines[0].is_err(), "{lines:?}");
    }
}
