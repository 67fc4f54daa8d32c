//! Numbers that are the identity of an error: its code. Whatever else is counted or measured is not.

use super::pattern::is_word;
use std::ops::RangeInclusive;

/// The most digits of a code.
const DIGITS: usize = 6;

/// The codes of compilers, databases and frameworks: letters, and how many digits. What has the same letters and another
/// number of digits is a ticket, a flight or an order.
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
    if let Some(at) = hexadecimal(rest, word).filter(|_| is_named(before, 0)) {
        return Some(at);
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (digits == word && digits <= DIGITS && !goes_on(&rest[digits..]) && is_named(before, digits))
        .then_some(digits)
}

/// The code in the address of a framework's page of errors: `https://go.apollo.dev/c/err#%7B…%22message%22%3A15`.
pub(super) fn of_address(url: &str) -> Option<&str> {
    const KEYS: [&str; 3] = ["invariant=", "code=", "%22message%22%3A"];
    let (path, rest) = url.split_at(url.find(['?', '#'])?);
    if !path.contains("rror") && !path.ends_with("/err") {
        return None;
    }
    KEYS.iter().find_map(|key| {
        let value = &rest[rest.find(key)? + key.len()..];
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        (1..=DIGITS).contains(&digits).then(|| &value[..digits])
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

/// `1.5`, `5 of 10`, `5%`, `5 ms`: that is counted.
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

/// `ORA-00942`, `NG0203`, `TS2345`; and any such word that is all there is.
fn prefixed(before: &str, rest: &str, word: usize) -> Option<usize> {
    if before.bytes().next_back().is_some_and(|last| is_word(last) || last == b'-') {
        return None;
    }
    let letters = rest.bytes().take_while(u8::is_ascii_uppercase).count();
    let dash = usize::from(matches!(rest.as_bytes().get(letters), Some(b'-' | b'_')));
    let digits = rest[letters + dash..].bytes().take_while(u8::is_ascii_digit).count();
    let length = letters + dash + digits;
    let is_whole = ends(&rest[length..]) && (dash == 1 || length == word) && (2..=DIGITS).contains(&digits);
    if !is_whole || !(1..=8).contains(&letters) {
        return None;
    }
    let known: &[(&str, RangeInclusive<usize>)] = if dash == 1 { &DASHED } else { &CODES };
    let is_known = known.iter().any(|(name, count)| *name == &rest[..letters] && count.contains(&digits));
    // Prisma's `P2002`, MongoDB's `E11000`: where a code stands, and not a parking space or an employee.
    let is_placed =
        before.trim_end().is_empty() || before.ends_with([':', '(', '[']) || before.ends_with(": ");
    let is_short = is_placed && dash == 0 && matches!((&rest[..letters], digits), ("P", 4) | ("E", 5));
    let is_error = dash == 0 || rest[..letters].ends_with("ERR") || letters == 1;
    let is_alone = is_error
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

/// Whether the text before a number of so many digits says that it is a code.
fn is_named(before: &str, digits: usize) -> bool {
    let signed = before.strip_suffix('-').unwrap_or(before);
    let bare = signed.trim_end_matches([' ', ':', '=', '#', '[', '(']);
    let sign = &signed[bare.len()..];
    if sign.is_empty() {
        return false;
    }
    let (rest, last) = split_word(bare);
    match last.to_ascii_lowercase().as_str() {
        "errno" | "winerror" | "osstatus" | "hresult" | "sqlcode" | "errcode" | "errorcode"
        | "error_code" | "exitcode" | "exit_code" | "returncode" | "return_code" => true,
        // `Minified React error #418`, `ERROR 1064 (42000)`: but not `3 errors: 5`, `error: 12`, `job error #88213`.
        "error" => (sign.contains('#') && digits <= 4) || is_of_mysql(bare, sign),
        // `Error Number: 1064`, and not that of an order.
        "nr" | "no" | "number" => {
            let (_, before) = split_word(rest.trim_end());
            let is_error = before.eq_ignore_ascii_case("error") || before.eq_ignore_ascii_case("exception");
            is_error && sign.contains([':', '='])
        }
        "signal" => sign == " ",
        "code" => digits <= 5 && is_a_code(rest, sign) && !is_of_people(before),
        "status" => {
            let (_, before) = split_word(rest.trim_end());
            before.eq_ignore_ascii_case("exit")
        }
        _ => false,
    }
}

/// `ERROR 1064`, as MySQL's tools write it.
fn is_of_mysql(bare: &str, sign: &str) -> bool {
    sign == " " && bare.ends_with("ERROR")
}

/// `error code 5`, `exited with code 127`, `(code: 5)`, `code=1006`; but not `Invalid code 12345`.
fn is_a_code(rest: &str, sign: &str) -> bool {
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
    let is_end = word.eq_ignore_ascii_case("with") && is_one(&ENDED, split_word(before.trim_end()).1);
    let is_field = rest.ends_with(['(', '{', '[', ',', ';']) || rest.ends_with(", ") || rest.ends_with("{ ");
    let is_assigned = rest.is_empty() && sign.contains(':');
    is_one(&BEFORE, word) || is_end || (is_field && sign != "#") || is_assigned || sign == "="
}

/// Whether a text is about a code that somebody has to type, or that belongs to a thing.
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
    let words = before.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.into_iter().any(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The last word, and what is before it.
fn split_word(text: &str) -> (&str, &str) {
    let word = text.bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    text.split_at(text.len() - word)
}
