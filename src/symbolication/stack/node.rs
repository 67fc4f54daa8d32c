//! What Node prints above an uncaught error: the place of the throw, its line of source, and a marker.

use super::Frame;
use super::line::{lines, number, source};

/// Gives the line of source to the frame that threw.
pub(super) fn add_source<'a>(text: &'a str, frames: &mut [Frame<'a>]) {
    let Some((file, line, source)) = heading(text) else { return };
    let mut frames = frames.iter_mut();
    if let Some(frame) = frames.find(|frame| (frame.url, frame.line) == (Some(file), Some(line))) {
        frame.context_line = Some(source);
    }
}

/// `/srv/pay.js:2`, the source, and `^` beneath it.
fn heading(text: &str) -> Option<(&str, u32, &str)> {
    let mut lines = lines(text.trim_start());
    let (file, line) = lines.next()?.rsplit_once(':')?;
    let code = lines.next()?;
    let marker = lines.next()?.trim();
    let is_marked = !marker.is_empty() && marker.bytes().all(|byte| byte == b'^');
    if is_marked { Some((file, number(line)?, source(code)?)) } else { None }
}
