//! Function names in the form in which grouping compares them.
//!
//! What differs between engines and builds of the same function is removed; what a person wrote stays, so
//! that the result still reads well.

use std::borrow::Cow;

/// The number of digits from which a number in a name is taken for an id. Shorter ones are part of names:
/// `step2`, `sha256`, `es2015`.
const ID_DIGITS: usize = 5;

/// Prefixes: objects that hold every function of a module or page.
const HOLDERS: [&str; 10] = [
    "Object.",
    "Module.",
    "Window.",
    "window.",
    "global.",
    "globalThis.",
    "self.",
    "module.exports.",
    "exports.",
    "__webpack_modules__.",
];

/// The name to group by; empty if the frame has no meaningful name (`<anonymous>`, `anonymous`,
/// `global code`, webpack's numbered modules).
///
/// * `async fn`, `fn [as x]`, `Object.fn`, `window.fn` become `fn`; `new Foo` and `Foo.bar` stay.
/// * Firefox's `foo/<` and `foo/</<` become `foo/<anonymous>`, its `foo/bar<` `foo/bar/<anonymous>`.
/// * Numbers that bundlers and compilers append to make names unique are removed (`render$1`, `lambda$run$0`,
///   `main.func1`), and so are Rust's `::h0123456789abcdef` and `std[0123456789abcdef]`.
/// * Long numbers become `<num>`: `callback_1699999999` is `callback_<num>`.
pub fn clean(name: &str) -> Cow<'_, str> {
    let name = strip(name.trim());
    if is_nameless(name) {
        return Cow::Borrowed("");
    }
    match name.strip_suffix('<') {
        Some(outer) => {
            // `foo/</<` is nested deeper than `foo/<`, a difference that other engines do not show.
            let outer = outer.trim_end_matches(['/', '<']);
            if outer.is_empty() {
                return Cow::Borrowed("");
            }
            Cow::Owned(format!("{}/<anonymous>", hide_ids(outer)))
        }
        None => hide_ids(name),
    }
}

/// Without leading and trailing markers; always a substring of the name.
fn strip(name: &str) -> &str {
    let mut name = name.strip_prefix("async ").unwrap_or(name);
    if let Some((front, _)) = name.split_once(" [as ") {
        name = front;
    }
    while let Some(rest) = HOLDERS.iter().find_map(|holder| name.strip_prefix(holder)) {
        name = rest;
    }
    strip_number(strip_rust_hash(name))
}

/// `core::ops::call_once::h0123456789abcdef`.
fn strip_rust_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((front, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => front,
        _ => name,
    }
}

/// `render$1` → `render`, and for Go's closures `main.func1.2` → `main.func`.
fn strip_number(name: &str) -> &str {
    let digits = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let front = &name[..name.len() - digits(name)];
    if front.len() == name.len() {
        return name;
    }
    if let Some(outer) = front.strip_suffix('.')
        && let inner = &outer[..outer.len() - digits(outer)]
        && inner.ends_with(".func")
    {
        return inner;
    }
    match front.strip_suffix('$') {
        Some(outer) if !outer.is_empty() => outer,
        _ if front.ends_with(".func") => front,
        _ => name,
    }
}

/// Whether an engine or a bundler made the name up.
fn is_nameless(name: &str) -> bool {
    const NAMES: [&str; 13] = [
        "<anonymous>",
        "anonymous",
        "(anonymous)",
        "(anonymous function)",
        "anonymous function",
        "Anonymous function",
        "{anonymous}",
        "<unknown>",
        "?",
        "global code",
        "module code",
        "eval code",
        "eval",
    ];
    name.is_empty() || NAMES.contains(&name) || name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Without long numbers and the hashes of Rust's crates.
fn hide_ids(name: &str) -> Cow<'_, str> {
    let mut hidden: Option<String> = None;
    let (mut copied, mut at) = (0, 0);
    let bytes = name.as_bytes();
    while at < bytes.len() {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (length, placeholder) = match crate_hash(&bytes[at..]) {
            Some(length) => (length, Some("")),
            None => (digits.max(1), (digits >= ID_DIGITS).then_some("<num>")),
        };
        if let Some(placeholder) = placeholder {
            let hidden = hidden.get_or_insert_default();
            hidden.push_str(&name[copied..at]);
            hidden.push_str(placeholder);
            copied = at + length;
        }
        at += length;
    }
    match hidden {
        Some(hidden) => Cow::Owned(hidden + &name[copied..]),
        None => Cow::Borrowed(name),
    }
}

/// Length of `[0123456789abcdef]` at the front.
fn crate_hash(text: &[u8]) -> Option<usize> {
    let hash = text.get(..18)?.strip_prefix(b"[")?.strip_suffix(b"]")?;
    hash.iter().all(u8::is_ascii_hexdigit).then_some(18)
}
