//! Verifies the signatures of calls to inbound addresses.
//!
//! A call carries either an HMAC-SHA256 of the body in hex, keyed with the secret as it is shown, in one of four
//! headers; or a signature by Standard Webhooks, which covers an id and a time as well and is keyed with the bytes
//! that the secret encodes in Base64.

use crate::crypto::token;
use crate::delivery::hook::SECRET_PREFIX;
use crate::time::{MINUTE, SECOND, Timestamp};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The headers that may have the signature, in order of precedence.
const HEADERS: [&str; 4] = ["x-webhook-signature", "x-signature", "x-hub-signature-256", "x-signature-256"];
/// How far a call's time may be from ours, in milliseconds.
const CLOCKS: i64 = 5 * MINUTE;
/// Characters of a call's id.
const ID_MAX: usize = 256;

/// A call that was signed with the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The sender's id of the call: the same when it is repeated.
    pub id: Option<String>,
}

/// Verifies a call. `header` returns the value of a header by its lower-case name. `None`: the signature is wrong or
/// missing, or too old.
pub fn check<'h>(
    secret: &str,
    header: impl Fn(&str) -> Option<&'h str>,
    body: &[u8],
    now: Timestamp,
) -> Option<Signed> {
    if let Some(given) = HEADERS.iter().find_map(|name| header(name)) {
        let given = given.trim();
        let given = given.strip_prefix("sha256=").unwrap_or(given);
        let is_good = is_equal(&unhex(given)?, &token::signature(secret.as_bytes(), body));
        let id = header("x-github-delivery").filter(|id| is_id(id)).map(str::to_owned);
        return is_good.then_some(Signed { id });
    }
    let (id, time) = (header("webhook-id").filter(|id| is_id(id))?, header("webhook-timestamp")?);
    let key = STANDARD.decode(secret.strip_prefix(SECRET_PREFIX)?).ok()?;
    let seconds: i64 = time.trim().parse().ok()?;
    let distance = seconds.checked_mul(SECOND)?.checked_sub(now.millis())?;
    if distance.checked_abs()? > CLOCKS {
        return None;
    }
    let message = [id.as_bytes(), b".", time.trim().as_bytes(), b".", body].concat();
    let expected = token::signature(&key, &message);
    let is_good = header("webhook-signature")?.split(' ').any(|one| {
        let given = one.strip_prefix("v1,").and_then(|text| STANDARD.decode(text).ok());
        given.is_some_and(|given| is_equal(&given, &expected))
    });
    is_good.then(|| Signed { id: Some(id.to_owned()) })
}

fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= ID_MAX
}

/// Compares in constant time.
fn is_equal(given: &[u8], expected: &[u8; 32]) -> bool {
    given.len() == expected.len()
        && given.iter().zip(expected).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests;
