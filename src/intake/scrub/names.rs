//! Names that say that their value is a secret or an address.

use std::borrow::Cow;

/// A name contains one of these, after [`squash`].
pub(super) const SECRET_PARTS: [&str; 22] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "authorization",
    "cookie",
    "apikey",
    "accesskey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "credential",
    "xsrf",
    "csrf",
    "creditcard",
    "cardnumber",
    "socialsecurity",
    "connectionstring",
    "sessionkey",
    "otpcode",
];

/// A name is one of these, after [`squash`]: parts of too many harmless words.
const SECRET_NAMES: [&str; 10] =
    ["auth", "pwd", "pin", "cvv", "cvc", "ssn", "otp", "jwt", "sessionid", "dsnkey"];

const IP_NAMES: [&str; 8] =
    ["ip", "ipaddress", "ipaddr", "clientip", "remoteip", "remoteaddr", "xforwardedfor", "xrealip"];

/// Lower case without `-`, `_`, `.` and spaces, so that `X-Api-Key`, `api_key` and `apiKey` are one.
pub(super) fn squash(name: &str) -> Cow<'_, str> {
    // Most names are so already.
    if name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
    let mut squashed = String::with_capacity(name.len());
    for c in name.chars().filter(|c| !matches!(c, '-' | '_' | ' ' | '.')) {
        match c.is_ascii() {
            true => squashed.push(c.to_ascii_lowercase()),
            false => squashed.extend(c.to_lowercase()),
        }
    }
    Cow::Owned(squashed)
}

pub(super) fn is_secret_name(squashed: &str) -> bool {
    SECRET_NAMES.contains(&squashed) || has_secret_part(squashed.as_bytes())
}

/// `contains` for all parts at once: every name of every event is asked, and most letters start none.
fn has_secret_part(name: &[u8]) -> bool {
    let starts =
        |rest: &[u8]| is_head(rest) && SECRET_PARTS.iter().any(|part| rest.starts_with(part.as_bytes()));
    (0..name.len()).any(|at| starts(&name[at..]))
}

/// Whether a text begins with the first three letters of a secret part.
fn is_head(text: &[u8]) -> bool {
    let [a, b, c, ..] = text else { return false };
    matches!(
        &[*a, *b, *c],
        b"pas"
            | b"sec"
            | b"tok"
            | b"aut"
            | b"coo"
            | b"api"
            | b"acc"
            | b"pri"
            | b"sig"
            | b"enc"
            | b"cre"
            | b"xsr"
            | b"csr"
            | b"car"
            | b"soc"
            | b"con"
            | b"ses"
            | b"otp"
    )
}

pub(super) fn is_ip_name(squashed: &str) -> bool {
    IP_NAMES.contains(&squashed)
}
