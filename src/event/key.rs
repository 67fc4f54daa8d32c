//! The stored form of ids. Most are hexadecimal and take half the space as bytes. They are returned exactly
//! as sent.
//!
//! ```text
//! 16 bytes              32 hexadecimal digits in lower case
//! 1, then 16 bytes      a UUID in lower case with its four dashes
//! 0, then UTF-8         every other text; 2 and 0 where that would be 16 bytes
//! ```

const TEXT: u8 = 0;
const UUID: u8 = 1;
const TEXT_OF_15: u8 = 2;
/// Where a UUID has its dashes.
const DASHES: [usize; 4] = [8, 13, 18, 23];

/// The stored form of an event id or trace id.
pub fn encode(id: &str) -> Vec<u8> {
    if let Some(bytes) = from_hex(id.bytes()) {
        return bytes.to_vec();
    }
    let is_uuid = id.len() == 36 && DASHES.iter().all(|at| id.as_bytes()[*at] == b'-');
    let digits = id.bytes().enumerate().filter(|(at, _)| !DASHES.contains(at)).map(|(_, byte)| byte);
    if let Some(bytes) = is_uuid.then(|| from_hex(digits)).flatten() {
        return [&[UUID], &bytes[..]].concat();
    }
    let tag: &[u8] = if id.len() == 15 { &[TEXT_OF_15, TEXT] } else { &[TEXT] };
    [tag, id.as_bytes()].concat()
}

/// The id that [`encode`] was given.
pub fn decode(stored: &[u8]) -> String {
    match stored {
        bytes if bytes.len() == 16 => to_hex(bytes),
        [UUID, bytes @ ..] => {
            let mut text = to_hex(bytes);
            for at in DASHES {
                text.insert(at.min(text.len()), '-');
            }
            text
        }
        [TEXT_OF_15, TEXT, text @ ..] | [TEXT, text @ ..] | text => {
            String::from_utf8_lossy(text).into_owned()
        }
    }
}

/// 32 digits as 16 bytes; `None` for anything else.
fn from_hex(mut digits: impl Iterator<Item = u8>) -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    for byte in &mut bytes {
        *byte = digit(digits.next()?)? << 4 | digit(digits.next()?)?;
    }
    digits.next().is_none().then_some(bytes)
}

/// Lower case only, because the id must be returned as sent.
fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests;
