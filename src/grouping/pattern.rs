//! Addresses and other variable parts of messages. Every function returns the length of the part at the start
//! of a text, or `None`, and looks no further than that part.

/// Longest part of an e-mail address in front of the `@`.
const MAILBOX: usize = 64;

fn run(text: &[u8], is: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| is(**byte)).count()
}

/// Characters of words: letters, digits, `_`, and all that is not ASCII.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// `https://host/path`, `data:image/png;base64,…`, up to white space, quotes and brackets, without
/// the punctuation of the sentence.
pub(crate) fn url(text: &[u8]) -> Option<usize> {
    if !text.first()?.is_ascii_alphabetic() {
        return None;
    }
    let scheme = run(&text[..text.len().min(24)], |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
    });
    let rest = text[scheme..].strip_prefix(b":")?;
    let named = rest.starts_with(b"//") || matches!(&text[..scheme], b"data" | b"mailto");
    if !named {
        return None;
    }
    let body = body(rest);
    let tail = rest[..body].iter().rev().take_while(|byte| b".,;:!?".contains(byte)).count();
    (body > tail + 2).then_some(scheme + 1 + body - tail)
}

/// Length of an address behind its scheme. In its query, `[]` and `[name]` belong to names of parameters.
fn body(rest: &[u8]) -> usize {
    const NAME: usize = 40;
    let (mut at, mut in_query) = (0, false);
    while let Some(byte) = rest.get(at) {
        in_query |= *byte == b'?';
        let name = run(&rest[at + 1..rest.len().min(at + 1 + NAME)], |byte| {
            byte.is_ascii_alphanumeric() || byte == b'_'
        });
        let is_parameter = in_query && *byte == b'[' && rest[at + 1 + name..].starts_with(b"]");
        if is_parameter {
            at += name + 2;
        } else if byte.is_ascii_whitespace() || b"\"'`<>()[]{}".contains(byte) {
            break;
        } else {
            at += 1;
        }
    }
    at
}

/// `name@host.example`.
pub(crate) fn email(text: &[u8]) -> Option<usize> {
    let head = &text[..text.len().min(MAILBOX + 1)];
    let at = run(head, |byte| is_word(byte) || b".+-%".contains(&byte));
    if at == 0 || text.get(at) != Some(&b'@') {
        return None;
    }
    let mut end = at + 1;
    let mut labels = 0;
    loop {
        let label = run(&text[end..], |byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if label == 0 {
            return None;
        }
        labels += 1;
        end += label;
        // A dot at the end of a sentence is not part of the address.
        let goes_on = text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
        if text.get(end) != Some(&b'.') || !goes_on {
            break;
        }
        end += 1;
    }
    (labels >= 2).then_some(end)
}

/// `10.0.0.1`, `10.0.0.1:8080`, `10.0.0.0/8`.
pub(crate) fn ipv4(text: &[u8]) -> Option<usize> {
    let mut end = 0;
    for part in 0..4 {
        if part > 0 {
            end += usize::from(text.get(end) == Some(&b'.'));
        }
        let digits = run(&text[end..text.len().min(end + 4)], |byte| byte.is_ascii_digit());
        if !(1..=3).contains(&digits) {
            return None;
        }
        end += digits;
        if part < 3 && text.get(end) != Some(&b'.') {
            return None;
        }
    }
    let goes_on = text[end..].starts_with(b".") && text.get(end + 1).is_some_and(u8::is_ascii_digit);
    let ends = !goes_on && !text.get(end).is_some_and(|byte| is_word(*byte));
    ends.then(|| end + suffix(&text[end..], b":/"))
}

/// Length of a port or prefix length: one of the signs and up to five digits.
fn suffix(text: &[u8], signs: &[u8]) -> usize {
    if !text.first().is_some_and(|first| signs.contains(first)) {
        return 0;
    }
    match run(&text[1..], |byte| byte.is_ascii_digit()) {
        digits @ 1..=5 if !text.get(digits + 1).is_some_and(|byte| is_word(*byte)) => digits + 1,
        _ => 0,
    }
}

/// IPv6 (`2001:db8::1`, `::1`, `fe80::1%eth0`) and hardware addresses (`aa:bb:cc:dd:ee:ff`). At least one
/// group must contain a digit, so that `bad::face` stays a path.
pub(crate) fn ipv6(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(46)];
    let end = run(text, |byte| byte.is_ascii_hexdigit() || byte == b':');
    // A sentence may continue with a colon.
    let end = if text[..end].ends_with(b"::") { end } else { end - trailing_colon(&text[..end]) };
    let body = &text[..end];
    if text.get(end).is_some_and(|byte| is_word(*byte)) || !body.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let groups = body.split(|byte| *byte == b':').count();
    let long = body.split(|byte| *byte == b':').any(|group| group.len() > 4);
    let gaps = body.windows(2).filter(|pair| pair == b"::").count();
    let pairs = body.split(|byte| *byte == b':').all(|group| group.len() == 2);
    let full = groups == 8 && gaps == 0;
    let short = gaps == 1 && groups <= 9 && !body.windows(3).any(|three| three == b":::");
    if long || !(full || short || (groups == 6 && pairs)) {
        return None;
    }
    let interface = match text.get(end) {
        Some(b'%') => 1 + run(&text[end + 1..], |byte| byte.is_ascii_alphanumeric()),
        _ => 0,
    };
    Some(end + interface)
}

fn trailing_colon(body: &[u8]) -> usize {
    usize::from(body.last() == Some(&b':'))
}

/// `0x7ffee4`: a pointer or a number in hexadecimal.
pub(crate) fn pointer(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X"))?;
    let digits = run(rest, |byte| byte.is_ascii_hexdigit());
    (digits > 0).then_some(digits + 2)
}

/// `12`, `1.5`, `1,234.56`, `1.2.3`, `1e-7`: digits, with further ones behind a dot or comma.
pub(crate) fn number(text: &[u8]) -> Option<usize> {
    let mut end = run(text, |byte| byte.is_ascii_digit());
    if end == 0 {
        return None;
    }
    while let [b'.' | b',', rest @ ..] = &text[end..]
        && let digits @ 1.. = run(rest, |byte| byte.is_ascii_digit())
    {
        end += digits + 1;
    }
    Some(end + exponent(&text[end..]))
}

fn exponent(text: &[u8]) -> usize {
    let [b'e' | b'E', rest @ ..] = text else {
        return 0;
    };
    let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    let digits = run(&rest[sign..], |byte| byte.is_ascii_digit());
    let ends = !rest.get(sign + digits).is_some_and(|byte| is_word(*byte));
    if digits > 0 && ends { 1 + sign + digits } else { 0 }
}
