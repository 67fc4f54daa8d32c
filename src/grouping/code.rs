//! Recognizes error codes: numbers that identify an error, as opposed to counts and measurements.

use super::pattern::is_word;
use std::ops::RangeInclusive;

/// The most digits of a code.
const DIGITS: usize = 6;
/// The same for those that the system gives: `3221225477` is how Windows ends a program.
const SYSTEM_DIGITS: usize = 10;
/// The same behind the letters of a product.
const PREFIXED_DIGITS: usize = 8;

/// The codes of compilers, databases and frameworks: letters, and how many digits. With a different
/// number of digits it is more likely a ticket, flight or order number.
const CODES: [(&str, RangeInclusive<usize>); 27] = [
    ("AADSTS", 5..=7),
    ("ARJUNA", 6..=6),
    ("BC", 5..=5),
    ("CA", 4..=4),
    ("CS", 4..=4),
    ("CWWK", 4..=6),
    ("DEP", 4..=4),
    ("EF", 4..=4),
    ("HHH", 6..=8),
    ("HV", 6..=6),
    ("IDX", 5..=5),
    ("IJ", 6..=6),
    ("ISPN", 6..=6),
    ("JBAS", 6..=6),
    ("LNK", 4..=4),
    ("MSB", 4..=4),
    ("NETSDK", 4..=4),
    ("NG", 4..=5),
    ("NU", 4..=4),
    ("PGRST", 3..=3),
    ("SQL", 4..=5),
    ("SRVE", 4..=4),
    ("TS", 4..=5),
    ("UT", 6..=6),
    ("WFLY", 4..=4),
    ("WFLYCTL", 4..=4),
    ("WFLYSRV", 4..=4),
];

/// Those with a dash, all of Oracle.
const DASHED: [(&str, RangeInclusive<usize>); 8] = [
    ("CRS", 4..=5),
    ("DPI", 4..=4),
    ("DPY", 4..=4),
    ("KUP", 5..=5),
    ("NJS", 3..=3),
    ("ORA", 5..=5),
    ("PLS", 5..=5),
    ("TNS", 5..=5),
];

/// The length of the code at the start of `rest`; `before` is what stands to its left.
pub(super) fn length(before: &str, rest: &str) -> Option<usize> {
    let word = rest.bytes().take_while(|byte| is_word(*byte)).count();
    if word == 0 || !rest.is_ascii_prefix(word) {
        return None;
    }
    if follows_sqlstate(before) {
        let is_state =
            word == 5 && rest[..5].bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        return is_state.then_some(5);
    }
    if !rest.as_bytes()[0].is_ascii_digit() {
        return prefixed(before, rest, word);
    }
    if let Some(at) = hexadecimal(rest, word).filter(|_| is_named(before, 0, "")) {
        return Some(at);
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &rest[digits..];
    let is_code = digits == word && !goes_on(behind) && is_named(before, digits, behind);
    is_code.then_some(digits)
}

/// The code in the address of a framework's page of errors: `https://go.apollo.dev/c/err#%7B…%22message%22%3A15`.
pub(super) fn of_address(url: &str) -> Option<&str> {
    const KEYS: [&str; 3] = ["invariant=", "code=", "%22message%22%3A"];
    let (path, rest) = url.split_at(url.find(['?', '#'])?);
    if !path.contains("rror") && !path.ends_with("/err") {
        return None;
    }
    KEYS.iter().find_map(|key| {
        let at = rest.find(key)?;
        let is_parameter = key.starts_with('%') || rest[..at].ends_with(['?', '&', '#']);
        let value = &rest[at + key.len()..];
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        let is_code = is_parameter && (1..=DIGITS).contains(&digits) && ends(&value[digits..]);
        is_code.then(|| &value[..digits])
    })
}

trait Prefix {
    fn is_ascii_prefix(&self, length: usize) -> bool;
}

impl Prefix for str {
    fn is_ascii_prefix(&self, length: usize) -> bool {
        self.as_bytes()[..length].is_ascii()
    }
}

/// `1.5`, `5 of 10`, `5%`, `5 ms`: these are counts.
fn goes_on(behind: &str) -> bool {
    match behind.as_bytes() {
        [b'.' | b',' | b':' | b'-' | b'/', next, ..] => next.is_ascii_digit(),
        [b'%', ..] => true,
        _ => ["of", "times", "items", "rows", "bytes", "ms", "seconds"]
            .iter()
            .any(|word| behind.strip_prefix(' ').and_then(|text| text.strip_prefix(word)).is_some_and(ends)),
    }
}

fn ends(text: &str) -> bool {
    !text.bytes().next().is_some_and(is_word)
}

/// `0x80070005`.
fn hexadecimal(rest: &str, word: usize) -> Option<usize> {
    let digits = rest[..word].strip_prefix("0x").or_else(|| rest[..word].strip_prefix("0X"))?;
    ((1..=8).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(word)
}

/// `ORA-00942`, `NG0203`, `SRVE0255E`; or any such word that makes up the whole message.
fn prefixed(before: &str, rest: &str, word: usize) -> Option<usize> {
    if before.bytes().next_back().is_some_and(|last| is_word(last) || last == b'-') {
        return None;
    }
    let letters = rest.bytes().take_while(u8::is_ascii_uppercase).count();
    let dash = usize::from(matches!(rest.as_bytes().get(letters), Some(b'-' | b'_')));
    let digits = rest[letters + dash..].bytes().take_while(u8::is_ascii_digit).count();
    // IBM's end with how severe they are.
    let severity = matches!(rest.as_bytes().get(letters + dash + digits), Some(b'E' | b'W' | b'I' | b'N'));
    let length = letters + dash + digits + usize::from(severity && dash == 0);
    let is_whole =
        ends(&rest[length..]) && (dash == 1 || length == word) && (2..=PREFIXED_DIGITS).contains(&digits);
    if !is_whole || !(1..=8).contains(&letters) {
        return None;
    }
    let known: &[(&str, RangeInclusive<usize>)] = if dash == 1 { &DASHED } else { &CODES };
    let is_known = known.iter().any(|(name, count)| *name == &rest[..letters] && count.contains(&digits));
    // Prisma's `P2002`, MongoDB's `E11000`: where a code stands, and not a parking space or an employee.
    let is_placed =
        before.trim_end().is_empty() || before.ends_with([':', '(', '[']) || before.ends_with(": ");
    let is_short = is_placed && dash == 0 && matches!((&rest[..letters], digits), ("P", 4) | ("E", 5));
    let is_error = (letters == 1 && dash == 0) || rest[..letters].ends_with("ERR");
    let is_alone = is_error
        && digits <= DIGITS
        && before.trim_matches(['[', '(', ' ']).is_empty()
        && rest[length..].trim_matches([']', ')', '.', ':', ' ']).is_empty();
    (is_known || is_short || is_alone).then_some(length)
}

/// `SQLSTATE 53100`, `SQLSTATE[42S02]`, `sqlstate: 23505`.
fn follows_sqlstate(before: &str) -> bool {
    let before = before.trim_end_matches([' ', ':', '=', '[', '(', '"', '\'']);
    let start = before.len().saturating_sub("sqlstate".len());
    before.get(start..).is_some_and(|word| word.eq_ignore_ascii_case("sqlstate"))
}

/// Whether the texts around a number of so many digits say that it is a code.
fn is_named(before: &str, digits: usize, behind: &str) -> bool {
    let signed = before.strip_suffix('-').unwrap_or(before);
    let bare = signed.trim_end_matches([' ', ':', '=', '#', '[', '(']);
    let sign = &signed[bare.len()..];
    if sign.is_empty() {
        return false;
    }
    let (rest, last) = split_word(bare);
    match last.to_ascii_lowercase().as_str() {
        "winerror" | "osstatus" | "hresult" | "exitcode" | "exit_code" | "returncode" | "return_code" => {
            digits <= SYSTEM_DIGITS
        }
        "errno" | "sqlcode" | "errcode" | "errorcode" | "error_code" => digits <= DIGITS,
        // `Minified React error #418`, but not `3 errors: 5`, `error: 12`, `job error #88213`; `ERROR 1064 (42000)`, as MySQL's
        // tools write it, but not the process of `ERROR 4711 --- [main]`.
        "error" => {
            let is_of_mysql = sign == " " && bare.ends_with("ERROR") && behind.starts_with(" (");
            (sign.contains('#') && digits <= 3) || (is_of_mysql && digits <= DIGITS)
        }
        // `Error Number: 1064`, and not that of an order.
        "nr" | "no" | "number" => {
            let (_, before) = split_word(rest.trim_end());
            let is_error = before.eq_ignore_ascii_case("error") || before.eq_ignore_ascii_case("exception");
            is_error && sign.contains([':', '=']) && digits <= DIGITS
        }
        // `killed by signal 9`, but not `weak signal 73 dBm`.
        "signal" => sign == " " && digits <= 2 && !behind.starts_with([' ', '-']),
        "code" => is_a_code(rest, sign, digits),
        "status" => {
            let (_, before) = split_word(rest.trim_end());
            before.eq_ignore_ascii_case("exit") && digits <= SYSTEM_DIGITS
        }
        _ => false,
    }
}

/// `error code 5`, `exited with code 127`, `(code: 5)`, `code=1006`; but not `Invalid code 12345`.
fn is_a_code(rest: &str, sign: &str, digits: usize) -> bool {
    const BEFORE: [&str; 18] = [
        "error", "exit", "exited", "return", "returned", "result", "response", "vendor", "reason", "close",
        "closed", "failure", "fault", "native", "driver", "db", "and", "err",
    ];
    const ENDED: [&str; 13] = [
        "exit",
        "exited",
        "exits",
        "failed",
        "fails",
        "closed",
        "ended",
        "finished",
        "returned",
        "terminated",
        "died",
        "crashed",
        "completed",
    ];
    let is_one = |names: &[&str], word: &str| names.iter().any(|known| word.eq_ignore_ascii_case(known));
    let (before, word) = split_word(rest.trim_end());
    if word.eq_ignore_ascii_case("with") && is_one(&ENDED, split_word(before.trim_end()).1) {
        return digits <= SYSTEM_DIGITS;
    }
    if is_one(&BEFORE, word) {
        return digits <= DIGITS;
    }
    let is_field = rest.ends_with(['(', '{', '[', ',', ';']) || rest.ends_with(", ") || rest.ends_with("{ ");
    let is_assigned = rest.is_empty() && sign.contains(':');
    ((is_field && sign != "#") || is_assigned || sign == "=") && digits <= 5 && !is_of_people(rest)
}

/// Whether a text is about a code that a person enters, such as a PIN, or that labels a thing, such as a coupon.
fn is_of_people(before: &str) -> bool {
    const WORDS: [&str; 27] = [
        "2fa",
        "area",
        "barcode",
        "confirmation",
        "country",
        "coupon",
        "currency",
        "dial",
        "discount",
        "gift",
        "invite",
        "login",
        "mfa",
        "one-time",
        "otp",
        "password",
        "phone",
        "pin",
        "postal",
        "postcode",
        "product",
        "promo",
        "sms",
        "verification",
        "verify",
        "voucher",
        "zip",
    ];
    /// What stands further away is about something else.
    const WINDOW: usize = 80;
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(WINDOW))..];
    let words = near.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.into_iter().any(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The last word, and what is before it.
fn split_word(text: &str) -> (&str, &str) {
    let word = text.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    text.split_at(text.len() - word)
}
