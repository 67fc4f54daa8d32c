//! Dates and times in messages.

/// Length of the date, time or both at the start of a text; `None` if there is none.
///
/// `2024-01-02`, `2024/01/02`, `01/02/2024`, `02.01.2024`, with `T03:04:05.678Z` or
/// ` 03:04 +01:00` behind; `03:04:05`; `Tue, 02 Jan 2024 03:04:05 GMT`,
/// `Tue Jan 02 2024 03:04:05 GMT+0100 (Central European Standard Time)`, `Jan 2, 2024`.
/// `12:30` alone is as likely a position and no time.
pub(crate) fn date(text: &[u8]) -> Option<usize> {
    let length = match text.first()? {
        b'0'..=b'9' => {
            numeric(text).or_else(|| named(text)).map(|end| with_time(text, end)).or_else(|| {
                let end = clock(text, true)?;
                Some(end)
            })?
        }
        b'A'..=b'Z' => with_time(text, named(text)?),
        _ => return None,
    };
    let goes_on = text.get(length).is_some_and(|byte| byte.is_ascii_alphanumeric());
    (!goes_on).then_some(length)
}

/// A number of `min..=max` digits, not followed by another digit: its end and value.
fn digits(text: &[u8], at: usize, min: usize, max: usize) -> Option<(usize, u32)> {
    let run = text.get(at..)?.iter().take(max + 1).take_while(|byte| byte.is_ascii_digit());
    let mut value = 0;
    let mut count = 0;
    for digit in run {
        value = value * 10 + u32::from(digit - b'0');
        count += 1;
    }
    (min..=max).contains(&count).then_some((at + count, value))
}

fn numeric(text: &[u8]) -> Option<usize> {
    let (end, first) = digits(text, 0, 1, 4)?;
    let sign = *text.get(end).filter(|sign| matches!(sign, b'-' | b'/' | b'.'))?;
    let (end, second) = digits(text, end + 1, 1, 2)?;
    let third = (text.get(end) == Some(&sign)).then_some(end + 1)?;
    if first > 31 {
        let (end, day) = digits(text, third, 1, 2)?;
        let fits = sign != b'.' && (1000..=9999).contains(&first);
        return (fits && (1..=12).contains(&second) && (1..=31).contains(&day)).then_some(end);
    }
    let (end, year) = digits(text, third, 4, 4)?;
    ((1..=31).contains(&first) && (1..=31).contains(&second) && year >= 1000).then_some(end)
}

/// `hh:mm` or `hh:mm:ss` with a fraction. A time without a date (`whole`) must have seconds, and two digits
/// each, because positions in files look similar but have no leading zeros.
fn clock(text: &[u8], whole: bool) -> Option<usize> {
    let (end, hour) = digits(text, 0, if whole { 2 } else { 1 }, 2)?;
    let (end, minute) = digits(text, after(text, end, b":")?, 2, 2)?;
    if hour > 24 || minute > 59 {
        return None;
    }
    let seconds = after(text, end, b":").and_then(|at| digits(text, at, 2, 2));
    let Some((end, _)) = seconds.filter(|(_, second)| *second <= 60) else {
        return if whole { None } else { Some(end) };
    };
    let fraction = after(text, end, b".,").and_then(|at| digits(text, at, 1, 9));
    Some(zone(text, fraction.map_or(end, |(end, _)| end)))
}

fn after(text: &[u8], at: usize, signs: &[u8]) -> Option<usize> {
    signs.contains(text.get(at)?).then_some(at + 1)
}

/// The end of a date with the time behind it, if there is one.
fn with_time(text: &[u8], end: usize) -> usize {
    let at = match text.get(end..) {
        Some([b',', b' ', ..]) => end + 2,
        Some([b'T' | b't' | b' ' | b'_', ..]) => end + 1,
        _ => return end,
    };
    match text.get(at..).and_then(|rest| clock(rest, false)) {
        Some(length) => at + length,
        None => end,
    }
}

/// The end of `Z`, `+01:00`, ` GMT+0100 (Some Name)`, ` UTC` or ` PM` behind a time.
fn zone(text: &[u8], end: usize) -> usize {
    let rest = &text[end..];
    let word = |rest: &[u8], name: &[u8]| {
        rest.starts_with(name) && !rest.get(name.len()).is_some_and(u8::is_ascii_alphabetic)
    };
    let named = [&b"Z"[..], b" GMT", b" UTC", b" AM", b" PM"];
    let length = named.iter().find(|name| word(rest, name)).map_or(0, |name| name.len());
    let offset = usize::from(length == 0 && rest.first() == Some(&b' '));
    let length = length + offset_length(&rest[length + offset..]).map_or(0, |more| more + offset);
    let behind = &rest[length..];
    let parenthesis = behind.starts_with(b" (") && length >= 4;
    let close = behind.iter().take(60).position(|byte| *byte == b')').filter(|_| parenthesis);
    end + length + close.map_or(0, |close| close + 1)
}

/// `+01:00` or `+0100`.
fn offset_length(text: &[u8]) -> Option<usize> {
    after(text, 0, b"+-")?;
    if let Some((end, _)) = digits(text, 1, 4, 4) {
        return Some(end);
    }
    let (end, _) = digits(text, 1, 2, 2)?;
    Some(after(text, end, b":").and_then(|at| digits(text, at, 2, 2)).map_or(end, |(end, _)| end))
}

/// `Tue, 02 Jan 2024`, `Tue Jan 02 2024`, `Jan 2, 2024`, `2 January 2024`.
fn named(text: &[u8]) -> Option<usize> {
    const DAYS: [&[u8]; 7] = [b"mon", b"tue", b"wed", b"thu", b"fri", b"sat", b"sun"];
    let at = name(text, 0, &DAYS).map_or(0, |end| gap(text, end));
    let (at, is_first) = match month(text, at) {
        Some(end) => (gap(text, end), true),
        None => (at, false),
    };
    let (end, _) = digits(text, at, 1, 2)?;
    let at = gap(text, end);
    let at = if is_first { at } else { gap(text, month(text, at)?) };
    digits(text, at, 4, 4).map(|(end, _)| end)
}

fn month(text: &[u8], at: usize) -> Option<usize> {
    const MONTHS: [&[u8]; 12] =
        [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];
    name(text, at, &MONTHS)
}

/// The end of a word that begins with one of the names; at most nine letters (`September`).
fn name(text: &[u8], at: usize, names: &[&[u8]]) -> Option<usize> {
    let rest = text.get(at..)?;
    let letters = rest.iter().take(10).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let start = rest.get(..3).filter(|_| (3..10).contains(&letters))?;
    names.iter().any(|name| start.eq_ignore_ascii_case(name)).then_some(at + letters)
}

/// Skips one comma and one space.
fn gap(text: &[u8], at: usize) -> usize {
    let at = at + usize::from(text.get(at) == Some(&b','));
    at + usize::from(text.get(at) == Some(&b' '))
}
