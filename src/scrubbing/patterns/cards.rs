//! Card numbers.

use std::ops::Range;

/// Digits of a card number.
const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;

/// Runs of 13 to 19 digits, possibly separated by single spaces or hyphens, that start like a card number and
/// have a correct check digit.
///
/// A card number has at least 13 bytes, so only every 13th byte is looked at first.
pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let (bytes, step) = (text.as_bytes(), *CARD_DIGITS.start());
    let mut at = 0;
    while let Some(byte) = bytes.get(at + step - 1) {
        if is_of_run(byte) {
            let before = bytes[at..at + step].iter().rev().take_while(|byte| is_of_run(byte)).count();
            let start = at + step - before;
            at = start + bytes[start..].iter().take_while(|byte| is_of_run(byte)).count();
            if at - start >= step {
                cards_within(bytes, start..at, found);
            }
        } else {
            at += step;
        }
    }
}

fn is_of_run(byte: &u8) -> bool {
    matches!(byte, b'0'..=b'9' | b' ' | b'-')
}

/// The card numbers within a stretch of digits, spaces and hyphens.
pub(super) fn cards_within(bytes: &[u8], stretch: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut at = stretch.start;
    while let Some(offset) = bytes[at..stretch.end].iter().position(u8::is_ascii_digit) {
        let start = at + offset;
        let end = run_end(bytes, start);
        if end - start < *CARD_DIGITS.start() {
            at = end;
            continue;
        }
        let digits = digits(&bytes[start..end]);
        let alone = start == 0 || !(bytes[start - 1].is_ascii_alphanumeric() || bytes[start - 1] == b'.');
        let ends = bytes.get(end).is_none_or(|next| !next.is_ascii_alphanumeric());
        if alone && ends && CARD_DIGITS.contains(&digits.len()) && matches!(digits[0], 2..=6) && luhn(&digits)
        {
            found.push(start..end);
        }
        at = end;
    }
}

/// Where a run of digits with single spaces or hyphens between them ends.
fn run_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'0'..=b'9' => end = at + 1,
            b' ' | b'-' if at == end => {}
            _ => break,
        }
    }
    end
}

/// The digits of a run; only as many are kept as are needed to tell that it is too long.
fn digits(run: &[u8]) -> Vec<u8> {
    let digits = run.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
    digits.take(CARD_DIGITS.end() + 1).collect()
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, digit)| match (index % 2, u32::from(*digit)) {
            (0, digit) => digit,
            (_, digit) if digit > 4 => digit * 2 - 9,
            (_, digit) => digit * 2,
        })
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}
