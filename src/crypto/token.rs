//! Random tokens, and the hashes that are stored of them.

use crate::crypto::secret::Secret;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Random bytes from the operating system.
///
/// # Panics
/// If the operating system cannot provide randomness: nothing can be done safely without it.
#[expect(clippy::expect_used, reason = "without randomness no token is safe to make")]
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `bytes` random bytes (at most 64) as lower-case hex.
pub fn random_hex(bytes: usize) -> String {
    hex(&random::<64>()[..bytes.min(64)])
}

/// The bytes of a random UUID (version 4), 122 bits.
pub fn uuid_bytes() -> [u8; 16] {
    let mut bytes = random::<16>();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    bytes
}

/// A random UUID as text.
pub fn uuid() -> String {
    let hex = hex(&uuid_bytes());
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// `length` random characters of 0-9A-Za-z, 5.95 bits each, without bias.
pub fn random_base62(length: usize) -> String {
    let mut text = String::with_capacity(length);
    while text.len() < length {
        for byte in random::<64>() {
            // 248 is the largest multiple of 62 that fits in a byte.
            if byte < 248 && text.len() < length {
                text.push(char::from(BASE62[usize::from(byte % 62)]));
            }
        }
    }
    text
}

/// The token of a single-use link, 256 bits.
pub fn link() -> String {
    random_base62(43)
}

/// A session token, 256 bits.
pub fn session() -> String {
    format!("st_{}", random_base62(43))
}

/// A setup token: 128 bits, eight groups of four lower-case hex digits joined by `-`.
pub fn setup() -> String {
    let hex = random_hex(16);
    let groups: Vec<&str> = (0..8).map(|group| &hex[group * 4..group * 4 + 4]).collect();
    groups.join("-")
}

/// The hash stored of session, state and link tokens.
pub fn keyed_hash(secret: &Secret, token: &str) -> [u8; 32] {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.bytes()).expect("HMAC takes keys of any length");
    mac.update(token.as_bytes());
    mac.finalize().into_bytes().into()
}

/// HMAC-SHA256 of a message.
pub fn signature(key: &[u8], message: &[u8]) -> [u8; 32] {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(message);
    mac.finalize().into_bytes().into()
}

/// The hash stored of keys. They have at least 190 bits, so a plain hash cannot be reversed by guessing, and
/// a changed `JWT_SECRET` leaves them valid.
pub fn key_hash(key: &str) -> [u8; 32] {
    *blake3::hash(key.as_bytes()).as_bytes()
}
