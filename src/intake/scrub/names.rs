//! Names that say that their value is a secret or an address.

/// A name contains one of these, after [`squash`].
const SECRET_PARTS: [&str; 22] = [
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
pub(super) fn squash(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ' | '.')).flat_map(char::to_lowercase).collect()
}

pub(super) fn is_secret_name(squashed: &str) -> bool {
    SECRET_NAMES.contains(&squashed) || SECRET_PARTS.iter().any(|part| squashed.contains(part))
}

pub(super) fn is_ip_name(squashed: &str) -> bool {
    IP_NAMES.contains(&squashed)
}
