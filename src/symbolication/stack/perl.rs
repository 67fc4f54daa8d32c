//! Perl: `cart is empty at lib/Shop/Cart.pm line 17.` and, of Carp, `\tShop::Cart::total(17) called at shop.pl line 31`.
//! Each of those lines has the function that was called and the place of the call, so a function's own place is in the line
//! above.

use super::line::{lines, name, number, rfind, source_frame, trim_start, url};
use super::{Frame, READ_FRAMES};

/// Whether a line is Carp's.
pub(super) fn is_marked(line: &str) -> bool {
    called(line).is_some() || throw(line).is_some()
}

/// The frames, throw first.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let mut frames = Vec::with_capacity(16);
    let mut place = None;
    for line in lines(text) {
        if let Some((function, next)) = called(line) {
            let (file, line) = place.unzip();
            frames.push(source_frame(name(function), file, line));
            place = Some(next);
            if frames.len() == READ_FRAMES {
                return frames;
            }
        } else if frames.is_empty() {
            place = place.or_else(|| throw(line));
        }
    }
    if let Some((file, line)) = place {
        frames.push(source_frame(None, Some(file), Some(line)));
    }
    frames
}

/// `Shop::Cart::total(17) called at shop.pl line 31`.
fn called(line: &str) -> Option<(&str, (&str, u32))> {
    let text = trim_start(line);
    let at = rfind(text, " called at ")?;
    let function = &text[..at];
    let function = function.split_once('(').map_or(function, |(function, _)| function);
    Some((function, position(&text[at + " called at ".len()..])?))
}

/// The end of the message's line: `… at lib/Shop/Cart.pm line 17.`
fn throw(line: &str) -> Option<(&str, u32)> {
    let at = rfind(line, " at ")?;
    let place = position(&line[at + " at ".len()..])?;
    let known = [".pl", ".pm", ".t", ".cgi", ".psgi", "-e"].iter().any(|end| place.0.ends_with(end));
    known.then_some(place)
}

/// `shop.pl line 31.`, `shop.pl line 31, <STDIN> line 2.`
fn position(text: &str) -> Option<(&str, u32)> {
    let (file, line) = text.split_once(" line ")?;
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_end = matches!(line.as_bytes().get(digits), None | Some(b'.' | b','));
    Some((url(file)?, number(&line[..digits]).filter(|_| is_end)?))
}
