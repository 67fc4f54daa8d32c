//! Tokens with known prefixes: keys of cloud providers and code hosts, JSON Web Tokens, Mayday's own.

use std::ops::Range;

/// The shortest token without dots, in bytes: `{"alg":"dir"}`, the first part of a JSON Web Token.
const RUN_MIN: usize = 18;

/// The fewest bytes of a JSON Web Token's first part, and of all other parts together.
const PART_MIN: usize = 16;

/// What follows the prefix of a token, up to the end of its run of characters.
#[derive(Clone, Copy)]
pub(super) enum Rest {
    /// At least this many letters and digits.
    Plain(usize),
    /// Exactly this many upper-case letters and digits.
    Capitals(usize),
    /// At least this many letters, digits, `-` and `_`, one of them a digit.
    Mixed(usize),
    /// Somewhere in the next [`NEAR`] bytes, a stretch of letters and digits that is not a word.
    Stretch,
}

/// The random part of a token begins within this many bytes.
const NEAR: usize = 64;
/// The fewest letters and digits of a stretch that is not a word, if one of them is a digit, and if none is.
const STRETCH: usize = 16;
const STRETCH_OF_LETTERS: usize = 24;

/// The vendors, where not obvious: Amazon (`AKIA` …), Google (`AIza`, `GOCSPX-`), GitHub (`gh?_`), GitLab
/// (`glpat-`), Stripe (`sk_live_` …), OpenAI and Anthropic (`sk-`), Slack (`xox?-`), Shopify (`shpat_`),
/// DigitalOcean (`dop_v1_`), Hugging Face (`hf_`), Mayday (`ok_`, `pat_`, `st_`; `pk_` is public).
pub(super) const HEADS: [(&str, Rest); 35] = [
    ("AKIA", Rest::Capitals(16)),
    ("ASIA", Rest::Capitals(16)),
    ("ABIA", Rest::Capitals(16)),
    ("AIza", Rest::Mixed(30)),
    ("GOCSPX-", Rest::Mixed(20)),
    ("dckr_pat_", Rest::Mixed(20)),
    ("dop_v1_", Rest::Plain(32)),
    ("gho_", Rest::Plain(20)),
    ("ghp_", Rest::Plain(20)),
    ("ghr_", Rest::Plain(20)),
    ("ghs_", Rest::Plain(20)),
    ("ghu_", Rest::Plain(20)),
    ("github_pat_", Rest::Plain(20)),
    ("glpat-", Rest::Mixed(16)),
    ("hf_", Rest::Plain(30)),
    ("npm_", Rest::Plain(30)),
    ("ok_", Rest::Plain(40)),
    ("pat_", Rest::Plain(40)),
    ("pypi-", Rest::Mixed(40)),
    ("rk_live_", Rest::Plain(16)),
    ("rk_test_", Rest::Plain(16)),
    ("shpat_", Rest::Plain(32)),
    ("sk-", Rest::Stretch),
    ("sk_live_", Rest::Plain(16)),
    ("sk_test_", Rest::Plain(16)),
    ("sntrys_", Rest::Plain(30)),
    ("sntryu_", Rest::Plain(30)),
    ("st_", Rest::Plain(43)),
    ("whsec_", Rest::Plain(20)),
    ("xapp-", Rest::Mixed(16)),
    ("xoxa-", Rest::Mixed(13)),
    ("xoxb-", Rest::Mixed(13)),
    ("xoxp-", Rest::Mixed(13)),
    ("xoxr-", Rest::Mixed(13)),
    ("xoxs-", Rest::Mixed(13)),
];

/// All tokens have a run of eighteen letters, digits, `-` and `_`, so only every eighteenth byte is looked at
/// first.
pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at + RUN_MIN - 1) {
        if !is_of_run(*byte) {
            at += RUN_MIN;
            continue;
        }
        let before = bytes[at..at + RUN_MIN].iter().rev().take_while(|byte| is_of_run(**byte)).count();
        let start = at + RUN_MIN - before;
        at = start + run_length(bytes, start);
        if at - start >= RUN_MIN
            && let Some(token) = token_within(bytes, start..at).or_else(|| dotted(bytes, start..at))
        {
            at = at.max(token.end);
            found.push(token);
        }
    }
}

/// The first token of a run, up to the run's end; a JSON Web Token continues after it.
fn token_within(bytes: &[u8], run: Range<usize>) -> Option<Range<usize>> {
    let mut web_token = true;
    let mut start = run.start;
    loop {
        let rest = &bytes[start..run.end];
        if rest.starts_with(b"eyJ") && std::mem::take(&mut web_token) {
            // Whether one begins here depends on what follows the run, so this is checked only once.
            if let Some(end) = web_token_end(bytes, start..run.end) {
                return Some(start..end);
            }
        }
        if may_begin(rest) && begins(rest) {
            return Some(start..run.end);
        }
        // Another token may begin after a hyphen; none is shorter than a run.
        start += 1 + rest.iter().position(|byte| matches!(byte, b'-' | b'_'))?;
        if run.end - start < RUN_MIN {
            return None;
        }
    }
}

/// A key of SendGrid: `SG.`, 22 characters, a dot, and 43 more.
fn dotted(bytes: &[u8], run: Range<usize>) -> Option<Range<usize>> {
    let before = bytes[..run.start].strip_suffix(b"SG.")?;
    let begins = before.last().is_none_or(|byte| !is_of_run(*byte));
    let end = run.end + 1 + run_length(bytes.get(run.end + 1..)?, 0);
    (begins && bytes[run.end] == b'.' && end - run.end > PART_MIN).then_some(before.len()..end)
}

fn begins(rest: &[u8]) -> bool {
    let of = |(head, shape): &(&str, Rest)| {
        rest.strip_prefix(head.as_bytes()).is_some_and(|rest| fits(rest, *shape))
    };
    HEADS.iter().any(of)
}

fn fits(rest: &[u8], shape: Rest) -> bool {
    match shape {
        Rest::Plain(least) => {
            rest.iter().take(least).take_while(|byte| byte.is_ascii_alphanumeric()).count() == least
        }
        Rest::Capitals(length) => {
            let is_capital = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
            let count = rest.iter().take(length + 1).take_while(is_capital).count();
            count == length && rest.get(length).is_none_or(|next| !next.is_ascii_alphanumeric())
        }
        Rest::Mixed(least) => rest.len() >= least && rest[..least].iter().any(u8::is_ascii_digit),
        Rest::Stretch => {
            let near = &rest[..rest.len().min(NEAR)];
            near.split(|byte| !byte.is_ascii_alphanumeric()).any(is_random)
        }
    }
}

fn is_random(stretch: &[u8]) -> bool {
    let has_digit = stretch.iter().any(u8::is_ascii_digit);
    stretch.len() >= if has_digit { STRETCH } else { STRETCH_OF_LETTERS }
}

/// Whether a text begins with the first two letters of some prefix; most parts of ids and file names do not.
fn may_begin(text: &[u8]) -> bool {
    let [a, b, ..] = text else { return false };
    match a {
        b'A' => matches!(b, b'B' | b'I' | b'K' | b'S'),
        b'G' => *b == b'O',
        b'd' => matches!(b, b'c' | b'o'),
        b'g' => matches!(b, b'h' | b'i' | b'l'),
        b'h' => *b == b'f',
        b'n' => *b == b'p',
        b'o' | b'r' => *b == b'k',
        b'p' => matches!(b, b'a' | b'y'),
        b's' => matches!(b, b'h' | b'k' | b'n' | b't'),
        b'w' => *b == b'h',
        b'x' => matches!(b, b'a' | b'o'),
        _ => false,
    }
}

/// Where the JSON Web Token with this first part ends: it has three or five parts separated by dots, or, if
/// it was cut off, two, of which the second is JSON as well.
fn web_token_end(bytes: &[u8], first: Range<usize>) -> Option<usize> {
    let part = |dot: usize| (bytes.get(dot) == Some(&b'.')).then(|| dot + 1 + run_length(bytes, dot + 1));
    if first.len() < PART_MIN {
        return None;
    }
    let second = part(first.end)?;
    let Some(third) = part(second) else {
        return bytes[first.end + 1..].starts_with(b"eyJ").then_some(second);
    };
    if third - first.end < PART_MIN {
        return None;
    }
    let fourth = part(third).filter(|fourth| fourth - third > 1);
    let fifth = fourth.and_then(part).filter(|fifth| fifth - fourth.unwrap_or(third) > 1);
    Some(fifth.or(fourth).unwrap_or(third))
}

fn run_length(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().take_while(|byte| is_of_run(**byte)).count()
}

/// Uses a table, because this is called for one byte in four.
fn is_of_run(byte: u8) -> bool {
    static OF_RUN: [bool; 256] = {
        let (mut table, mut byte) = ([false; 256], 0_u8);
        while byte < 128 {
            table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
            byte += 1;
        }
        table
    };
    OF_RUN[usize::from(byte)]
}
