//! Lua: `stack traceback:`, then `\tcart.lua:17: in function 'total'`, `\t[C]: in function 'error'`.

use super::line::{find, lines, name, number, source_frame, trim_start, url};
use super::{Frame, READ_FRAMES};

/// Whether a line opens a traceback.
pub(super) fn is_marked(line: &str) -> bool {
    line.trim_end_matches(':').ends_with("stack traceback")
}

/// The frames, throw first.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let behind = lines(text).skip_while(|line| !is_marked(line)).skip(1);
    behind.filter_map(frame).take(READ_FRAMES).collect()
}

fn frame(line: &str) -> Option<Frame<'_>> {
    let text = trim_start(line);
    let at = find(text, ": in ")?;
    let (place, what) = (&text[..at], &text[at + ": in ".len()..]);
    let function = function(what);
    if place == "[C]" {
        return Some(Frame { in_app: false, ..source_frame(function.or(Some("[C]")), None, None) });
    }
    let (file, line) = place.rsplit_once(':')?;
    Some(source_frame(function, url(file), Some(number(line)?)))
}

/// The name in `function 'total'`, `upvalue 'f'`, `method 'total'`, `function <cart.lua:12>`, `main chunk`.
fn function(what: &str) -> Option<&str> {
    match what.split_once(' ') {
        Some(("main", "chunk")) => Some("main chunk"),
        Some((_, quoted)) => {
            // Older versions open with a backtick and close with an apostrophe.
            let inner = quoted.strip_prefix(['\'', '`', '"']);
            let quoted = inner.and_then(|rest| rest.split(['\'', '"']).next()).unwrap_or(quoted);
            // A function without a name, by the place of its definition: that moves with every change.
            if quoted.starts_with('<') { None } else { name(quoted) }
        }
        None => None,
    }
}
