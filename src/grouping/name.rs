//! Function names for a fingerprint: the same for every engine, compiler and run of a program.

use super::generated::without_generated;
use super::{GroupFrame, function};
use std::borrow::Cow;

/// The name to group by; empty if the frame has none.
///
/// In addition to what [`function::clean`] removes, this removes:
///
/// * What compilers and run-times generate (`$$Lambda$14/0x0800`, `<Main>b__0`).
/// * In scripts without a source map, the leading class or object, which Chrome writes and Safari does not,
///   and Firefox's guesses at the surrounding functions.
/// * In Ruby, the class before a method, which is printed since 3.4.
pub(super) fn of<'a>(frame: &GroupFrame<'a>) -> Cow<'a, str> {
    let raw = frame.function.unwrap_or_default();
    let name = match without_generated(raw) {
        Cow::Borrowed(name) => function::clean(name),
        Cow::Owned(name) => Cow::Owned(function::clean(&name).into_owned()),
    };
    if name.is_empty() {
        return name;
    }
    match language(frame.file.unwrap_or_default()) {
        _ if frame.resolved => name,
        Language::Script => within(name, of_script),
        Language::Ruby => within(name, of_ruby),
        Language::Jvm => within(name, of_jvm),
        Language::Other => name,
    }
}

fn within<'a>(name: Cow<'a, str>, part: impl Fn(&str) -> &str) -> Cow<'a, str> {
    match name {
        Cow::Borrowed(name) => Cow::Borrowed(part(name)),
        Cow::Owned(name) => Cow::Owned(part(&name).to_owned()),
    }
}

enum Language {
    Script,
    Ruby,
    Jvm,
    Other,
}

/// The language by the file's extension; addresses without one are pages.
fn language(file: &str) -> Language {
    let path = file.split(['?', '#']).next().unwrap_or(file);
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "js" | "mjs" | "cjs" | "jsx" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte" | "astro" | "html"
        | "htm" | "bundle" | "jsbundle" | "hbc" => Language::Script,
        "rb" | "erb" | "rake" | "ru" | "haml" | "slim" => Language::Ruby,
        "java" | "kt" | "kts" | "scala" | "groovy" | "clj" => Language::Jvm,
        "py" | "go" | "rs" | "php" | "cs" | "vb" | "fs" | "swift" | "c" | "s" | "ex" | "exs" => {
            Language::Other
        }
        _ if file.contains("://") => Language::Script,
        _ => Language::Other,
    }
}

/// `Cart.total` → `total`, `new Cart` → `Cart`, `Cart.[Symbol.iterator]` → `[Symbol.iterator]`; of
/// Firefox `cart/total` → `total`, and of a function without a name nothing.
fn of_script(name: &str) -> &str {
    const MARKS: [&str; 5] = ["new ", "get ", "set ", "static ", "async "];
    const FILES: [&str; 7] = [".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".vue"];
    // Bundlers name modules by their files.
    if FILES.iter().any(|ending| name.ends_with(ending)) {
        return name;
    }
    let name = MARKS.iter().find_map(|mark| name.strip_prefix(mark)).unwrap_or(name);
    let name = match name.rsplit_once('/') {
        Some((outer, inner)) if !outer.contains(' ') && !inner.contains(' ') => inner,
        _ => name,
    };
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$#.".contains(byte) || *byte >= 0x80;
    let words = name.bytes().take_while(word).count();
    let method = name[..words].rfind('.').map_or(name, |dot| &name[dot + 1..]);
    if matches!(method, "<anonymous>" | "anonymous" | "<computed>") { "" } else { method }
}

/// `Cart#total`, `Cart.total` and `block in Cart#total` → `total`: code moves into blocks and out of them.
fn of_ruby(name: &str) -> &str {
    let name = name.rsplit_once(" in ").map_or(name, |(_, method)| method);
    let is_word = !name.contains(['<', ' ', '/']);
    match name.rfind(['#', '.']) {
        Some(at) if is_word && at + 1 < name.len() => &name[at + 1..],
        _ => name,
    }
}

/// Without the class loader or module in front (`app//`, `java.base@17.0.2/`).
fn of_jvm(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, name)| name)
}
