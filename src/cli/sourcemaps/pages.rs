//! How a build's pages load its scripts, which shows how the addresses in stacks will begin.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of a page that are read.
const PAGE_MAX: u64 = 4 << 20;

/// A page and a script that it loads.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::cli) struct Loaded {
    /// The page's path.
    pub(in crate::cli) page: String,
    /// The script's address in the page.
    pub(in crate::cli) address: String,
    /// The part before the script's path, as a `~` prefix.
    pub(in crate::cli) prefix: String,
}

/// The pages in `dir` and beside it, the nearest first. An unreadable directory counts as empty.
pub(in crate::cli) fn find(dir: &Path) -> Vec<PathBuf> {
    pages_of(&[dir.to_owned(), beside(dir)])
}

fn pages_of(folders: &[PathBuf]) -> Vec<PathBuf> {
    let is_page = |path: &PathBuf| {
        let ending = path.extension().and_then(OsStr::to_str);
        let about = fs::metadata(path);
        matches!(ending, Some("html" | "htm"))
            && about.is_ok_and(|about| about.is_file() && about.len() <= PAGE_MAX)
    };
    let mut found = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut pages: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_page).collect();
        pages.sort();
        found.extend(pages);
    }
    found
}

/// The directory that holds `dir`, which may be written as `dist`, `.` or `../dist/..`.
fn beside(dir: &Path) -> PathBuf {
    match (dir.file_name(), dir.parent()) {
        (Some(_), Some(parent)) if parent.as_os_str().is_empty() => PathBuf::from("."),
        (Some(_), Some(parent)) => parent.to_owned(),
        _ => dir.join(".."),
    }
}

/// The first page that loads one of the scripts by an absolute path or address.
pub(in crate::cli) fn loading(pages: &[PathBuf], served: &[&str]) -> Option<Loaded> {
    pages.iter().find_map(|page| {
        let html = fs::read_to_string(page).ok()?;
        let (address, prefix) =
            addresses(&html).find_map(|address| Some((address, prefix(address, served)?)))?;
        Some(Loaded { page: page.display().to_string(), address: address.to_owned(), prefix })
    })
}

/// The tags of scripts and preloaded modules.
fn tags(html: &str) -> impl Iterator<Item = &str> {
    let tags = html.split('<').map(|tag| tag.split('>').next().unwrap_or_default());
    tags.filter(|tag| tag.split_whitespace().next() == Some("script") || tag.contains("preload"))
}

/// The values of `src` and `href` of scripts and preloaded modules.
fn addresses(html: &str) -> impl Iterator<Item = &str> {
    tags(html).filter_map(address)
}

fn address(tag: &str) -> Option<&str> {
    let attribute = |name: &str| {
        let (at, _) = tag.match_indices(name).find(|(at, _)| tag[..*at].ends_with(char::is_whitespace))?;
        Some(at + name.len())
    };
    let at = ["src=", "href="].into_iter().find_map(attribute)?;
    let value = &tag[at..];
    match value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        Some(quote) => value[1..].split(quote).next(),
        None => value.split(char::is_whitespace).next(),
    }
}

/// The part of an address before one of the paths, as `~/…`; `None` for a relative address or another script.
fn prefix(address: &str, served: &[&str]) -> Option<String> {
    let bare = address.split(['?', '#']).next()?;
    let path = match bare.split_once("://") {
        Some((_, rest)) => &rest[rest.find('/')?..],
        None if bare.starts_with("//") => &bare[2 + bare[2..].find('/')?..],
        None => bare,
    };
    let longest =
        served.iter().filter(|served| path.strip_suffix(**served).is_some_and(|front| front.ends_with('/')));
    let found = longest.max_by_key(|served| served.len())?;
    let front = path.strip_suffix(found)?;
    front.starts_with('/').then(|| format!("~{front}"))
}

#[cfg(test)]
mod tests {
    use super::{addresses, beside, find, pages_of, prefix};
    use std::fs;
    use std::path::Path;

    const HTML: &str = r#"<!doctype html><html><head>
        <script type="module" crossorigin src="/app/assets/index-1.js"></script>
        <link rel="modulepreload" href='/app/assets/vendor-2.js'><link rel="stylesheet" href="/app/a.css">
        <script src=plain.js defer></script><script>inline()</script></head></html>"#;

    #[test]
    fn the_scripts_of_a_page_are_found() {
        let found: Vec<&str> = addresses(HTML).collect();
        assert_eq!(found, ["/app/assets/index-1.js", "/app/assets/vendor-2.js", "plain.js"]);
    }

    #[test]
    fn the_prefix_is_the_part_before_the_path() {
        let served = ["assets/index.js", "index.js"];
        for (address, expected) in [
            ("/assets/index.js", Some("~/")),
            ("/app/assets/index.js?v=1", Some("~/app/")),
            ("/app/other/index.js", Some("~/app/other/")),
            ("https://cdn.example/x/assets/index.js", Some("~/x/")),
            ("//cdn.example/assets/index.js", Some("~/")),
            ("assets/index.js", None),
            ("./assets/index.js", None),
            ("/other.js", None),
            ("/myassets/theindex.js", None),
        ] {
            assert_eq!(prefix(address, &served).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn an_unreadable_directory_does_not_hide_other_pages() {
        for (dir, parent) in [
            ("dist", "."),
            ("dist/", "."),
            ("./dist", "."),
            ("/srv/dist", "/srv"),
            (".", "./.."),
            ("..", "../.."),
            ("dist/..", "dist/../.."),
            ("/", "/.."),
        ] {
            assert_eq!(beside(Path::new(dir)), Path::new(parent), "{dir}");
        }
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("index.html"), HTML).unwrap();
        let page = [root.path().join("index.html")];
        // A missing directory is unreadable even for root.
        let gone = root.path().join("gone");
        assert_eq!(pages_of(&[root.path().to_owned(), gone.clone()]), page);
        assert_eq!(pages_of(&[gone, root.path().to_owned()]), page);
        fs::create_dir(root.path().join("dist")).unwrap();
        fs::write(root.path().join("dist/a.htm"), HTML).unwrap();
        assert_eq!(find(&root.path().join("dist")), [root.path().join("dist/a.htm"), page[0].clone()]);
    }
}
