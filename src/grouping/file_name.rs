//! File names as grouping compares them: the same for every host, build and release.

use std::borrow::Cow;

use super::machine;
use super::token::{is_eight_hash, is_hex_hash, is_random, is_version, uuid};

/// Extensions of files that bundlers write, with hashes in their names. Sources (`.ts`, `.py`) are named by
/// people.
const BUNDLED: [&str; 8] = ["js", "mjs", "cjs", "css", "html", "wasm", "map", "bundle"];

/// Parts that bundlers put behind the hash: `main.4f8d2c1a.chunk.js`.
const BEHIND_HASH: [&str; 10] =
    [".chunk", ".bundle", ".module", ".legacy", "-legacy", ".esm", ".umd", ".prod", ".production", "._"];

/// Directories in which bundlers name files by nothing but their hash.
const HASHED: [&str; 7] = ["_nuxt", "chunks", "assets", "immutable", "nodes", "entry", "_astro"];

/// The name to group by; empty if there is no file (`<anonymous>`). Borrowed if only its ends change.
///
/// * Scheme, host, query and fragment of URLs are removed, so that production, staging and a developer's port
///   are the same; of bundlers' URLs (`webpack://app/./src/x.js`) the source path stays. URLs of browser
///   extensions keep their scheme and name. `blob:` and `data:` have no name.
/// * Hashes in names of bundled files are removed: `app-3f9a8c1b.js`, `index-BxY12Abc.js`,
///   `chunk-ABCDEFGH.js`, `main.4f8d2c1a9b.chunk.js`, and so is `.min`. A file named by nothing but a hash
///   becomes `<hash>.js`.
/// * Directories that are a hash, a UUID, a build number (`12345`, `v123`) or a version of three parts become
///   `<hash>`, `<num>`, `<version>`; `name@1.2.3` becomes `name@<version>`. `v1` and `v2` are different code
///   and stay.
/// * Of local paths the user, temporary directories and the place of an installation ([`machine`]) do not count.
pub fn normalise(file: &str) -> Cow<'_, str> {
    let file = file.trim();
    let path = path_of(file);
    if !is_remote(file) && machine::is_local(path) {
        return rename_segments(machine::within_package(path), true);
    }
    // All lower case without digits: no hash, no version, no number.
    let plain = !path.bytes().any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    if plain && !path.contains(".min.") && !path.contains("_next/static/") {
        return Cow::Borrowed(path);
    }
    rename_segments(path, false)
}

/// Whether a script's address exists on one machine only: below a home, in a temporary directory, or where a device
/// stores an application. No source map can be uploaded for it.
pub fn is_of_one_machine(file: &str) -> bool {
    let file = file.trim();
    let path = path_of(file);
    if is_remote(file) || !machine::is_local(path) {
        return false;
    }
    let renamed = rename_segments(path, true);
    machine::within_package(path).len() < path.len()
        || ["<user>", "<tmp>", "<hash>"].iter().any(|part| renamed.contains(part))
}

/// Whether an address is not that of a local file (`https://`, `app:///`, `webpack://`): so its directories were named by
/// people.
fn is_remote(file: &str) -> bool {
    file.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme) && scheme != "file")
}

/// The part of an address or path that names the file.
fn path_of(file: &str) -> &str {
    if matches!(file, "<anonymous>" | "[native code]" | "native" | "native code") {
        return "";
    }
    for nameless in ["data:", "blob:", "wasm:"] {
        if file.starts_with(nameless) {
            return nameless;
        }
    }
    let file = file.split('?').next().unwrap_or(file);
    match file.split_once("://") {
        Some((scheme, rest)) if is_scheme(scheme) => {
            let rest = rest.split('#').next().unwrap_or(rest);
            if scheme.ends_with("-extension") {
                return &file[..scheme.len() + 3 + rest.len()];
            }
            let path = &rest[rest.find('/').unwrap_or(rest.len())..];
            match scheme {
                "webpack" | "webpack-internal" | "turbopack" | "vite" | "rollup" => {
                    path.trim_start_matches(['.', '/'])
                }
                _ if path.is_empty() => "/",
                _ => path,
            }
        }
        _ => file.strip_prefix("./").unwrap_or(file),
    }
}

fn is_scheme(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// Goes through the segments; copies only once one changes.
fn rename_segments(path: &str, is_local: bool) -> Cow<'_, str> {
    let mut renamed: Option<String> = None;
    let (mut start, mut parents) = (0, ["", ""]);
    while start <= path.len() {
        let end = path[start..].find(['/', '\\']).map_or(path.len(), |length| start + length);
        let segment = &path[start..end];
        let is_last = end == path.len();
        let of_machine =
            if is_local && !is_last { machine::rename(segment, parents, &path[..start]) } else { None };
        let name = of_machine.unwrap_or_else(|| rename(segment, parents, is_last));
        if *name != *segment {
            renamed.get_or_insert_with(|| path[..start].to_owned());
        }
        if let Some(renamed) = &mut renamed {
            renamed.push_str(&name);
            renamed.push_str(path.get(end..=end).unwrap_or_default());
        }
        parents = [parents[1], segment];
        start = end + 1;
    }
    renamed.map_or(Cow::Borrowed(path), Cow::Owned)
}

/// A segment's new name, owned if it changed.
fn rename<'a>(segment: &'a str, parents: [&str; 2], is_last: bool) -> Cow<'a, str> {
    match segment.rsplit_once('.') {
        Some((stem, ending)) if is_last && !stem.is_empty() && BUNDLED.contains(&ending) => {
            rename_bundle(segment, stem, ending, parents[1])
        }
        _ => rename_folder(segment, parents),
    }
}

fn rename_folder<'a>(segment: &'a str, parents: [&str; 2]) -> Cow<'a, str> {
    let bytes = segment.as_bytes();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    if parents == ["_next", "static"] && !is_next_folder(segment) {
        return Cow::Owned("<build>".to_owned());
    }
    if digits == 0 {
        return Cow::Borrowed(segment);
    }
    let placeholder = if digits == bytes.len() {
        if digits < 5 {
            return Cow::Borrowed(segment);
        }
        "<num>"
    } else if is_version(bytes) || (bytes[0] == b'v' && digits >= 3 && digits == bytes.len() - 1) {
        "<version>"
    } else if is_hex_hash(bytes) || uuid(bytes) == Some(bytes.len()) || is_opaque(bytes) {
        "<hash>"
    } else {
        return without_version(segment);
    };
    Cow::Owned(placeholder.to_owned())
}

/// Directories that Next.js puts where the build id would be.
fn is_next_folder(segment: &str) -> bool {
    matches!(segment, "chunks" | "css" | "media" | "runtime" | "pages" | "webpack" | "development" | "image")
        || segment.contains('.')
}

/// A random id without dots or dashes that separate words.
fn is_opaque(token: &[u8]) -> bool {
    let joined = token.iter().all(|byte| byte.is_ascii_alphanumeric() || is_sign(*byte));
    joined && token.len() >= 16 && is_random(token)
}

fn is_sign(byte: u8) -> bool {
    matches!(byte, b'-' | b'_')
}

/// `vue@3.4.1` → `vue@<version>`, and with what package managers append.
fn without_version(segment: &str) -> Cow<'_, str> {
    match segment.rsplit_once('@') {
        Some((name, version)) if !name.is_empty() && is_dotted(version) => {
            Cow::Owned(format!("{name}@<version>"))
        }
        _ => Cow::Borrowed(segment),
    }
}

/// Begins with two numbers and a dot between.
fn is_dotted(version: &str) -> bool {
    let digit = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    digit(version) && version.split_once('.').is_some_and(|(_, rest)| digit(rest))
}

/// A bundled file without hashes and `.min`.
fn rename_bundle<'a>(segment: &'a str, stem: &str, ending: &str, parent: &str) -> Cow<'a, str> {
    let stem_in = stem;
    let (stem, behind) = split_behind(stem);
    let name = without_hashes(stem);
    if name.len() + behind.len() == stem_in.len() && !is_hash(name.as_bytes(), parent) {
        return Cow::Borrowed(segment);
    }
    let name = if is_hash(name.as_bytes(), parent) { "<hash>" } else { name };
    Cow::Owned(format!("{name}{behind}.{ending}"))
}

/// Splits off what follows the hash, without `.min`.
fn split_behind(stem: &str) -> (&str, &str) {
    let stem = stem.strip_suffix(".min").unwrap_or(stem);
    let behind = BEHIND_HASH.iter().find(|behind| stem.ends_with(*behind));
    let at = stem.len() - behind.map_or(0, |behind| behind.len());
    if at == 0 { (stem, "") } else { stem.split_at(at) }
}

/// Removes hashes from the end until none is left, then one from the front. Each step looks only at what it
/// may remove.
fn without_hashes(stem: &str) -> &str {
    let mut name = stem;
    loop {
        let shorter = name.strip_suffix(".min").or_else(|| without_eight(name));
        match shorter.or_else(|| without_token(name)) {
            Some(shorter) => name = shorter,
            None => break,
        }
    }
    match name.split_once(['.', '-']) {
        Some((hash, rest)) if !rest.is_empty() && is_hex_hash(hash.as_bytes()) => rest,
        _ => name,
    }
}

/// `index-BxY12Abc` → `index`. The hash itself may contain `-` and `_`.
fn without_eight(name: &str) -> Option<&str> {
    let bytes = name.as_bytes();
    let at = bytes.len().checked_sub(9).filter(|at| *at > 0)?;
    let parted = matches!(bytes[at], b'-' | b'.');
    let token = &bytes[at + 1..];
    let base64 = token.iter().all(|byte| byte.is_ascii_alphanumeric() || is_sign(*byte));
    if parted && base64 && is_eight_hash(token) { Some(&name[..at]) } else { None }
}

/// `main.4f8d2c1a9b` → `main`: hexadecimal, a long number, or a long random token.
fn without_token(name: &str) -> Option<&str> {
    let at = name.rfind(['.', '-', '_', '~']).filter(|at| *at > 0)?;
    let token = &name.as_bytes()[at + 1..];
    let hash = is_hex_hash(token) || is_build_number(token) || is_opaque(token);
    hash.then(|| name[..at].trim_end_matches(['.', '-', '_', '~'])).filter(|name| !name.is_empty())
}

/// Eight digits or more, unless they are a date, which people use in file names.
fn is_build_number(token: &[u8]) -> bool {
    let number = token.len() >= 8 && token.iter().all(u8::is_ascii_digit);
    number && !(token.len() == 8 && is_day(token))
}

fn is_day(token: &[u8]) -> bool {
    let century = token.starts_with(b"19") || token.starts_with(b"20");
    century && matches!(&token[4..6], [b'0', b'1'..=b'9'] | [b'1', b'0'..=b'2']) && token[6] < b'4'
}

/// Whether a whole name is a hash.
fn is_hash(name: &[u8], parent: &str) -> bool {
    is_hex_hash(name)
        || uuid(name) == Some(name.len())
        || is_opaque(name)
        || (HASHED.contains(&parent) && is_eight_hash(name))
}
