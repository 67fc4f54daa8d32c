//! The debug id that a build gives a script and its source map, which connects them whatever their names.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A UUID.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DebugId(pub [u8; 16]);

impl DebugId {
    /// Parses 32 hexadecimal digits in either case, with or without hyphens.
    pub fn parse(text: &str) -> Option<Self> {
        let mut digits = text.bytes().filter(|byte| *byte != b'-').map(|byte| (byte as char).to_digit(16));
        let mut bytes = [0; 16];
        for byte in &mut bytes {
            let (high, low) = (digits.next()??, digits.next()??);
            *byte = u8::try_from(high << 4 | low).ok()?;
        }
        (text.len() <= 36 && digits.next().is_none()).then_some(Self(bytes))
    }

    /// The id for these contents: identical builds get identical ids.
    pub fn of(contents: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for content in contents {
            hasher.update(content);
        }
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        // RFC 9562, version 8: a custom UUID.
        bytes[6] = bytes[6] & 0x0f | 0x80;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Self(bytes)
    }
}

impl fmt::Display for DebugId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, byte) in self.0.iter().enumerate() {
            let hyphen = if matches!(at, 4 | 6 | 8 | 10) { "-" } else { "" };
            write!(f, "{hyphen}{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for DebugId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for DebugId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DebugId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("expected a UUID"))
    }
}

#[cfg(test)]
mod tests;
