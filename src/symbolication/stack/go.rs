//! Go: `goroutine 1 [running]:` and pairs of lines, `pkg.fn(...)` and `\t/path/x.go:12 +0x1d`.

use super::line::{lines, name, number, source_frame, trim_start, url};
use super::{Frame, READ_FRAMES};

/// Whether a line opens a goroutine.
pub(super) fn is_marked(line: &str) -> bool {
    line.starts_with("goroutine ") && line.contains(" [") && line.ends_with(':')
}

/// The frames of the first goroutine, which is the one that threw.
///
/// A stack taken by a deferred function shows the handler above the runtime's `panic`. Those frames stay but
/// do not count as the application's, so that the handler does not group everything together.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::with_capacity(16);
    let mut function = None;
    for line in lines(text).skip_while(|line| !is_marked(line)).skip(1) {
        if is_marked(line) || frames.len() == READ_FRAMES {
            break;
        }
        if !line.starts_with('\t') && !line.starts_with("    ") {
            function = Some(line);
        } else if let Some(frame) = function.take().and_then(|head| frame(head, line)) {
            frames.push(frame);
        }
    }
    let panic = frames.iter().rposition(|frame| frame.function == Some("panic"));
    for frame in &mut frames[..panic.unwrap_or(0)] {
        frame.in_app = false;
    }
    frames
}

fn frame<'a>(head: &'a str, place: &'a str) -> Option<Frame<'a>> {
    let created = head.strip_prefix("created by ");
    let function = match created {
        Some(rest) => rest.split(" in goroutine ").next(),
        None => memchr::memrchr(b'(', head.as_bytes()).map(|open| &head[..open]),
    };
    let place = trim_start(place);
    let place = place.split_once(" +0x").map_or(place, |(place, _)| place);
    let (file, line) = place.rsplit_once(':')?;
    let frame = source_frame(function.and_then(name), url(file), Some(number(line)?));
    Some(Frame { is_async: created.is_some(), ..frame })
}
