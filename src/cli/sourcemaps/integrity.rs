//! Finds hashes of scripts in the files of a build. Browsers block a script that no longer matches its hash.
//!
//! The hashes are compared without the addresses beside them, because a page may use the same name for another file,
//! and hashes also occur in import maps and in scripts that load others.

use super::{build, pages};
use crate::cli::ci::Result;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256, Sha384, Sha512};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const KINDS: [&str; 3] = ["sha256-", "sha384-", "sha512-"];

/// The hashes in a build's pages, templates, scripts and JSON files, each with the first file that has it.
pub(super) struct Hashes(HashMap<String, PathBuf>);

impl Hashes {
    /// # Errors
    /// If the directory cannot be read.
    pub(super) fn of(dir: &Path) -> Result<Self> {
        let own = build::files(dir)?.1.into_values();
        let mut found = HashMap::new();
        for path in own.filter(|path| may_name(path)).chain(pages::find(dir)) {
            // An unreadable file is reported where it matters.
            let read = build::read_text(&path).unwrap_or_default();
            let text = unescaped(&read);
            for hash in hashes(&text) {
                found.entry(bare(hash)).or_insert_with(|| path.clone());
            }
        }
        Ok(Self(found))
    }

    /// The file that contains a hash of these bytes.
    pub(super) fn holder(&self, script: &[u8]) -> Option<&Path> {
        let digests = [
            Sha256::digest(script).to_vec(),
            Sha384::digest(script).to_vec(),
            Sha512::digest(script).to_vec(),
        ];
        let texts =
            KINDS.iter().zip(digests).map(|(kind, digest)| format!("{kind}{}", STANDARD.encode(digest)));
        texts.filter_map(|text| self.0.get(&bare(&text))).map(PathBuf::as_path).next()
    }
}

/// The extensions of pages, scripts, JSON files and page templates.
const NAMING: [&str; 26] = [
    "html", "htm", "xhtml", "json", "js", "mjs", "cjs", "php", "phtml", "twig", "erb", "haml", "slim", "ejs",
    "hbs", "mustache", "njk", "j2", "jinja", "liquid", "cshtml", "razor", "jsp", "tmpl", "tpl", "heex",
];

fn may_name(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| NAMING.contains(&ending.to_ascii_lowercase().as_str()))
}

/// Replaces the escapes that templates and JSON use for Base64 characters.
fn unescaped(text: &str) -> Cow<'_, str> {
    const ESCAPED: [(&str, &str); 12] = [
        ("&#43;", "+"),
        ("&#x2b;", "+"),
        ("&#x2B;", "+"),
        ("&plus;", "+"),
        ("\\u002b", "+"),
        ("\\u002B", "+"),
        ("&#47;", "/"),
        ("&#x2f;", "/"),
        ("&#x2F;", "/"),
        ("&sol;", "/"),
        ("\\u002f", "/"),
        ("\\/", "/"),
    ];
    if !KINDS.iter().any(|kind| text.contains(kind)) {
        return Cow::Borrowed(text);
    }
    let replace = |text: Cow<'_, str>, (from, to): (&str, &str)| Cow::Owned(text.replace(from, to));
    ESCAPED.into_iter().fold(Cow::Owned(text.to_owned()), replace)
}

/// A hash without padding and in one alphabet, because browsers accept both.
fn bare(hash: &str) -> String {
    let (kind, digest) = hash.split_at(hash.find('-').map_or(0, |at| at + 1));
    format!("{kind}{}", digest.trim_end_matches('=').replace('-', "+").replace('_', "/"))
}

fn hashes(text: &str) -> impl Iterator<Item = &str> {
    KINDS.iter().flat_map(|kind| text.match_indices(kind)).map(|(at, kind)| {
        let rest = &text[at + kind.len()..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        &text[at..at + kind.len() + end]
    })
}

#[cfg(test)]
mod tests {
    use super::Hashes;
    use std::fs;

    /// The hash of `x();`.
    const SHA256: &str = "sha256-u0hEZo+vP4jlSWHVsZ/pT/SqeqZkZm10bvRFIjMF9R8=";
    const SHA384: &str = "sha384-uAMSwvqY1TWnFo/SI3BoxwGhoG+/r69zKRElu5H9Xnu5R+Gt49pZHZgaizPAgQMb";

    #[test]
    fn a_hash_is_found_in_every_place_that_a_build_may_have_it() {
        for (name, text) in [
            ("index.html", format!("<script integrity=\"{SHA384}\" src=/a.js></script>")),
            ("en/index.html", format!("<SCRIPT\nintegrity={SHA256} src=a%20b.js>")),
            ("layout.blade.php", format!("<script integrity='{SHA384}' src=\"<?= $app ?>\"></script>")),
            ("Views/Index.CSHTML", format!("<script integrity=\"{SHA256}\" src=\"~/a.js\"></script>")),
            (
                "maps.html",
                format!("<script type=importmap>{{\"integrity\": {{\"/a.js\": \"{SHA384}\"}}}}</script>"),
            ),
            (
                "hugo.html",
                format!("<script integrity=\"{}\">", SHA384.replace('+', "&#43;").replace('/', "&#x2f;")),
            ),
            (
                "assets.json",
                format!("{{\"integrity\": \"{}\"}}", SHA384.replace('/', "\\/").replace('+', "\\u002B")),
            ),
            (
                "url.html",
                format!(
                    "<script integrity={}>",
                    SHA256.replace('+', "-").replace(['/', '='], "_").trim_end_matches('_')
                ),
            ),
            ("runtime.js", format!("s.integrity={{7:\"sha256-xyz {SHA384}\"}}[n]")),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            let hashes = Hashes::of(dir.path()).unwrap();
            assert_eq!(hashes.holder(b"x();"), Some(path.as_path()));
            assert_eq!(hashes.holder(b"y();"), None, "{name}");
        }
    }
}
