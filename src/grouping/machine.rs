//! The parts of local paths that differ between users, machines and runs: homes, temporary directories, installations.

use super::token::is_random;
use std::borrow::Cow;

/// Whether a path can have such parts. A page of a site may be named `/home/cart`.
pub(super) fn is_local(path: &str) -> bool {
    const ROOTS: [&str; 12] = [
        "/home/",
        "/Users/",
        "/tmp/",
        "/var/",
        "/private/",
        "/data/",
        "/nix/",
        "/snap/",
        "/export/",
        "/mnt/",
        "/containers/",
        "/proc/",
    ];
    let bytes = path.as_bytes();
    let bare = bytes.strip_prefix(b"/").unwrap_or(bytes);
    let drive = matches!(bare, [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    drive || ROOTS.iter().any(|root| path.starts_with(root)) || has_root(path)
}

fn has_root(path: &str) -> bool {
    [".app/", "app.asar", "_MEI", ".mount_", "WindowsApps", "_bazel_"].iter().any(|mark| path.contains(mark))
}

/// What is left of a path when the place of its installation is cut off: applications for desktops and phones are packed.
pub(super) fn within_package(path: &str) -> &str {
    for mark in ["app.asar", ".app/", "base.apk"] {
        let Some(at) = memchr::memmem::rfind(path.as_bytes(), mark.as_bytes()) else { continue };
        let start = path[..at].rfind(['/', '\\']).map_or(0, |slash| slash + 1);
        return &path[start..];
    }
    // On macOS the two names lead to one place.
    let private = path.starts_with("/private/var/") || path.starts_with("/private/tmp/");
    if private { &path["/private".len()..] } else { path }
}

/// The new name of a directory below `before`, which ends with the names of `parents`, if it is one of those.
pub(super) fn rename<'a>(segment: &'a str, parents: [&str; 2], before: &str) -> Option<Cow<'a, str>> {
    let [outer, parent] = parents;
    let below = below_root(before)?;
    if is_home(below) {
        return Some(Cow::Borrowed("<user>"));
    }
    let is_temporary = is_temporary(below) || (outer, parent) == ("Local", "Temp");
    let fixed = match (outer, parent) {
        _ if is_temporary && is_made_up(segment) => "<tmp>",
        _ if is_folder_of_macos(below) => "<tmp>",
        ("snap", _) if below.starts_with("snap/") && is_revision(segment) => "<version>",
        ("data", "app") if segment.starts_with("~~") => "<hash>",
        _ if segment.starts_with("_MEI") || segment.starts_with(".mount_") => "<tmp>",
        _ if segment.starts_with("_bazel_") => "_bazel_<user>",
        _ => {
            return part(segment, outer, parent)
                .map(Cow::Borrowed)
                .or_else(|| released(segment).map(Cow::Owned));
        }
    };
    Some(Cow::Borrowed(fixed))
}

/// The path without its root: `/`, `C:\`, `/C:/`, and `/mnt/c/` of Windows' own Linux.
fn below_root(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(['/', '\\']).unwrap_or(path);
    let bytes = rest.as_bytes();
    match bytes {
        [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic() => Some(&rest[3..]),
        [b'm', b'n', b't', b'/', drive, b'/', ..] if drive.is_ascii_alphabetic() => Some(&rest[6..]),
        _ => Some(rest),
    }
}

/// Whether the directories of people are in this one.
fn is_home(below: &str) -> bool {
    const HOMES: [&str; 4] = ["home", "export/home", "Users", "Documents and Settings"];
    let name = below.strip_suffix(['/', '\\']).unwrap_or_default();
    HOMES.contains(&name) || (below.ends_with('\\') && name.eq_ignore_ascii_case("users"))
}

fn is_temporary(below: &str) -> bool {
    matches!(below, "tmp/" | "var/tmp/" | "private/tmp/" | "private/var/tmp/")
}

/// `/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/`: both belong to a user.
fn is_folder_of_macos(below: &str) -> bool {
    let below = below.strip_prefix("private/").unwrap_or(below);
    below.strip_prefix("var/folders/").is_some_and(|rest| rest.matches('/').nth(1).is_none())
}

/// Whether a name looks generated; names that people choose contain neither digits nor mixed case.
fn is_made_up(name: &str) -> bool {
    let last = name.rsplit(['-', '_', '.']).next().unwrap_or(name).as_bytes();
    let changes =
        last.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count();
    name.bytes().any(|byte| byte.is_ascii_digit())
        || name.starts_with("tmp")
        || (last.len() >= 6 && changes > 0)
}

/// `17`, `x3`.
fn is_revision(name: &str) -> bool {
    let digits = name.strip_prefix('x').unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// What stays of a name with a hash or version.
fn part<'a>(segment: &'a str, outer: &str, parent: &str) -> Option<&'a str> {
    if (outer, parent) == ("nix", "store") {
        return segment.split_once('-').map(|(_, name)| name);
    }
    if parent == "WindowsApps" {
        return segment.split_once('_').map(|(name, _)| name);
    }
    if outer == "app" && parent.starts_with("~~") || (outer, parent) == ("data", "app") {
        return segment.split_once('-').map(|(name, _)| name);
    }
    // Of pipenv and poetry.
    let (name, hash) = segment.rsplit_once('-')?;
    (parent.ends_with("virtualenvs") && is_random(hash.as_bytes())).then_some(name)
}

/// `app-1.2.3`, as Windows installers name the directory of a version.
fn released(segment: &str) -> Option<String> {
    let (name, version) = segment.split_once('-')?;
    let is_version = name.eq_ignore_ascii_case("app") && super::token::is_version(version.as_bytes());
    is_version.then(|| format!("{name}-<version>"))
}
