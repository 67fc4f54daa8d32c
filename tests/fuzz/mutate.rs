//! Mutations of seeds: bytes are changed, moved and joined; JSON is also changed as a tree, so that the result is
//! still JSON.

use super::targets::Numbers;
use serde_json::{Map, Value, json};

/// Bytes of an input at most.
const LONGEST: usize = 256 << 10;

/// Tokens to insert: extreme numbers, and text with a meaning in one of the formats.
const TOKENS: [&str; 44] = [
    "null",
    "true",
    "-1",
    "0",
    "1e999",
    "-0",
    "1e-400",
    "18446744073709551616",
    "4294967295",
    "2147483648",
    "0.1",
    "\"\"",
    "{}",
    "[]",
    "{\"a\":",
    "[[[[",
    "\\u0000",
    "\\ud800",
    "\\udc00",
    "\\ud83d\\ude00",
    "\\",
    "\"",
    ",",
    ":",
    "\n",
    "\r\n",
    "\n    at ",
    "@",
    " line 3 > eval",
    "Caused by: ",
    "  File \"",
    "goroutine 1 [running]:\n",
    "stack backtrace:\n",
    "4111 1111 1111 1111",
    "Bearer abcdefghijklmnop",
    "password=",
    "[Filtered]",
    "-----BEGIN PRIVATE KEY-----",
    "{{ default }}",
    ";;;;",
    "ggggggggB",
    "AAAA,",
    "é",
    "\u{202e}\u{0}\u{feff}",
];

/// A mutation of one of the seeds.
pub(crate) fn mutate(numbers: &mut Numbers, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut input = seeds[numbers.below(seeds.len())].clone();
    if numbers.below(3) > 0
        && let Some(changed) = as_json(numbers, &input, seeds)
    {
        input = changed;
        if numbers.below(4) > 0 {
            return input;
        }
    }
    for _ in 0..=numbers.below(4) {
        injure(numbers, &mut input, seeds);
        input.truncate(LONGEST);
    }
    input
}

fn range(numbers: &mut Numbers, length: usize) -> std::ops::Range<usize> {
    let start = numbers.below(length);
    let most = if numbers.below(4) == 0 { length } else { 16 };
    start..(start + 1 + numbers.below(most)).min(length)
}

fn injure(numbers: &mut Numbers, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    if input.is_empty() {
        input.push(b' ');
    }
    let range = range(numbers, input.len());
    match numbers.below(10) {
        0 => input[range.start] ^= 1 << numbers.below(8),
        1 => input[range.start] = numbers.below(256) as u8,
        2 => drop(input.drain(range)),
        3 => input.truncate(range.start),
        4 => {
            let again =
                input[range.clone()].repeat(1 + numbers.below(if range.len() < 64 { 400 } else { 4 }));
            input.splice(range, again).for_each(drop);
        }
        5 => input[range].reverse(),
        6 => {
            let other = &seeds[numbers.below(seeds.len())];
            let from = numbers.below(other.len());
            input.truncate(range.start);
            input.extend_from_slice(&other[from..]);
        }
        7 => input[range].iter_mut().for_each(|byte| *byte = numbers.below(256) as u8),
        _ => {
            let end = if numbers.below(2) == 0 { range.start } else { range.end };
            input.splice(range.start..end, TOKENS[numbers.below(TOKENS.len())].bytes()).for_each(drop);
        }
    }
}

/// Changes a seed as a tree. A first byte that steers the target stays before it.
fn as_json(numbers: &mut Numbers, input: &[u8], seeds: &[Vec<u8>]) -> Option<Vec<u8>> {
    let start = usize::from(!matches!(input.first(), Some(b'{' | b'[')));
    let mut tree: Value = serde_json::from_slice(input.get(start..)?).ok()?;
    for _ in 0..=numbers.below(3) {
        let other = &seeds[numbers.below(seeds.len())];
        let other: Option<Value> = serde_json::from_slice(other).ok();
        change(numbers, &mut tree, other.as_ref());
    }
    let mut changed = input[..start].to_vec();
    changed.extend(tree.to_string().into_bytes());
    (changed.len() <= LONGEST).then_some(changed)
}

/// Changes one value somewhere in a tree.
fn change(numbers: &mut Numbers, tree: &mut Value, other: Option<&Value>) {
    let inner: Vec<&mut Value> = match tree {
        Value::Object(fields) => fields.values_mut().collect(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    let count = inner.len();
    if count > 0 && numbers.below(5) > 0 {
        let at = numbers.below(count);
        return inner.into_iter().nth(at).into_iter().for_each(|value| change(numbers, value, other));
    }
    match (numbers.below(3), &mut *tree) {
        (0, Value::Object(fields)) => field(numbers, fields, other),
        (0, Value::Array(items)) => item(numbers, items),
        _ => *tree = value(numbers, tree, other),
    }
}

fn field(numbers: &mut Numbers, fields: &mut Map<String, Value>, other: Option<&Value>) {
    let names: Vec<String> = fields.keys().cloned().collect();
    let known = names.get(numbers.below(names.len())).cloned().unwrap_or_default();
    match numbers.below(4) {
        0 => drop(fields.remove(&known)),
        1 => {
            let moved = fields.remove(&known).unwrap_or_default();
            fields.insert(TOKENS[numbers.below(TOKENS.len())].to_owned(), moved);
        }
        2 => {
            if let Some(Value::Object(theirs)) = other {
                let (name, value) = theirs.iter().nth(numbers.below(theirs.len())).unzip();
                fields.extend(name.cloned().zip(value.cloned()));
            }
        }
        _ => {
            let many = 1 + numbers.below(300);
            fields.extend((0..many).map(|number| (format!("k{number}"), json!(number.to_string()))));
        }
    }
}

fn item(numbers: &mut Numbers, items: &mut Vec<Value>) {
    let at = numbers.below(items.len());
    match numbers.below(3) {
        0 if !items.is_empty() => drop(items.remove(at)),
        1 => items.reverse(),
        _ => {
            let one = items.get(at).cloned().unwrap_or_default();
            items.extend(std::iter::repeat_n(one, 1 + numbers.below(300)));
        }
    }
}

/// Another value in place of one.
fn value(numbers: &mut Numbers, old: &Value, other: Option<&Value>) -> Value {
    let token = TOKENS[numbers.below(TOKENS.len())];
    match (numbers.below(9), old) {
        (0, _) => Value::Null,
        (1, _) => json!(numbers.below(2) == 0),
        (2, _) => json!([0, -1, 1_795_000_000, i64::MAX, i64::MIN][numbers.below(5)]),
        (3, _) => json!([0.5, -0.0, 1e300, 5e-324, 1e15][numbers.below(5)]),
        (4, _) => (0..numbers.below(70)).fold(old.clone(), |inner, _| json!([inner])),
        (5, Value::String(text)) => json!(text.repeat(1 + numbers.below(40))),
        (6, Value::String(text)) => {
            let at = text.floor_char_boundary(numbers.below(text.len() + 1));
            json!(format!("{}{token}{}", &text[..at], &text[at..]))
        }
        (7, _) => other.cloned().unwrap_or_default(),
        _ => serde_json::from_str(token).unwrap_or_else(|_| json!(token)),
    }
}
