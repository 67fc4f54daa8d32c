//! The place of the throw, if the message's line contains it: it is removed together with the message, and
//! may be the only frame there is.

use super::message::Text;
use super::{Flavor, Frame, Parsed, php, ruby, rust, swift};

/// Adds the frame contained in the text around the message, if there is one.
pub(super) fn with_throw<'a>(parsed: Parsed<'a>, text: &Text<'a>) -> Parsed<'a> {
    let (before, behind) = (text.before, text.behind());
    let alone = parsed.platform == Flavor::Unknown;
    let found = match parsed.platform {
        Flavor::Unknown | Flavor::Ruby | Flavor::Php => None
            .or_else(|| Some((Flavor::Ruby, ruby::throw(before)?)))
            .or_else(|| Some((Flavor::Php, of_php(text)?)))
            .or_else(|| Some((Flavor::Rust, rust::panic(before)?)))
            .or_else(|| Some((Flavor::Swift, swift::failure(before).or_else(|| swift::failure(behind))?))),
        _ => None,
    };
    match found {
        // Its function is in the lines behind.
        Some((Flavor::Php, place)) if alone || parsed.platform == Flavor::Php => {
            Parsed::new(Flavor::Php, php::thrown_at(text.rest(), Some(place)))
        }
        Some((flavor, frame)) if alone || (flavor == parsed.platform && parsed.frames[0] != frame) => {
            parsed.thrown_at(flavor, frame)
        }
        _ => parsed,
    }
}

/// If several exceptions are printed in a row, the message's line belongs to the first, not to the one that
/// was thrown.
fn of_php<'a>(text: &Text<'a>) -> Option<Frame<'a>> {
    if php::is_chained(text.after) { None } else { php::throw(text.behind()) }
}
