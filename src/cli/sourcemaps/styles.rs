//! The style sheets of a build, which replays of it are drawn with.

use super::build::{self, Filter};
use super::check::content_hash;
use super::plan::url_of;
use crate::cli::ci::Result;
use crate::releases::check_url;
use crate::releases::styles::{COUNT_MAX, SIZE_MAX, TOTAL_MAX};
use crate::text::bytes;
use std::fs;
use std::path::{Path, PathBuf};

/// A style sheet of a build.
pub(super) struct Style {
    pub(super) file: PathBuf,
    /// The address that pages load it from.
    pub(super) url: String,
    pub(super) content_hash: String,
    /// Bytes.
    pub(super) size: u64,
}

/// The style sheets under a directory that servers accept, and a warning for each that they would not. Skipping one
/// does not keep the others from being uploaded.
///
/// # Errors
/// If the directory cannot be read.
pub(super) fn find(dir: &Path, filter: &Filter, prefix: &str) -> Result<(Vec<Style>, Vec<String>)> {
    let (mut styles, mut warnings) = (Vec::new(), Vec::new());
    let (mut total, mut beyond) = (0, 0_usize);
    for (path, file) in build::files(dir)?.1 {
        if !path.ends_with(".css") || filter.leaves_out(&path) {
            continue;
        }
        let url = url_of(prefix, filter.served(&path));
        if styles.iter().any(|other: &Style| other.url == url) {
            warnings.push(format!("{path} is not uploaded: another style sheet is served from {url}"));
            continue;
        }
        let fits = check_url(&url, prefix).map_err(|error| error.to_string());
        let style = match fits.and_then(|()| read(&file, url)) {
            Ok(style) => style,
            Err(why) => {
                warnings.push(format!("{path} is not uploaded: {why}"));
                continue;
            }
        };
        if styles.len() as u64 == COUNT_MAX || total + style.size > TOTAL_MAX {
            beyond += 1;
            continue;
        }
        total += style.size;
        styles.push(style);
    }
    if beyond > 0 {
        let most = bytes(TOTAL_MAX);
        warnings.push(format!(
            "{beyond} style sheets are not uploaded: a release has at most {COUNT_MAX}, and {most} of them"
        ));
    }
    Ok((styles, warnings))
}

fn read(file: &Path, url: String) -> Result<Style, String> {
    let size = fs::metadata(file).map_err(|error| error.to_string())?.len();
    if size > SIZE_MAX {
        return Err(format!("it has {}, and servers take {} of a style sheet", bytes(size), bytes(SIZE_MAX)));
    }
    let content = fs::read(file).map_err(|error| error.to_string())?;
    let (content_hash, size) = (content_hash(&content), content.len() as u64);
    Ok(Style { file: file.to_owned(), url, content_hash, size })
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::cli::sourcemaps::build::Filter;
    use crate::releases::styles::SIZE_MAX;
    use std::fs;

    #[test]
    fn the_style_sheets_of_a_build_have_the_addresses_of_its_scripts() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("out/a b")).unwrap();
        fs::create_dir_all(dir.path().join("node_modules")).unwrap();
        let files =
            ["out/a b/shop.css", "out/print.css", "out/app.js", "out/a.css.map", "node_modules/x.css"];
        for path in files {
            fs::write(dir.path().join(path), "a{}").unwrap();
        }
        let filter = Filter { ignore: vec!["print.css".into()], strip_prefix: vec!["out".into()] };
        let (styles, warnings) = find(dir.path(), &filter, "~/app/").unwrap();
        let found: Vec<_> = styles.iter().map(|style| (style.url.as_str(), style.size)).collect();
        assert_eq!((found, warnings.len()), (vec![("~/app/a%20b/shop.css", 3)], 0));
        assert!(styles[0].content_hash.starts_with("sha256:"), "{}", styles[0].content_hash);
    }

    #[test]
    fn one_that_is_too_large_or_has_the_address_of_another_is_left_out_and_said() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("out")).unwrap();
        fs::write(dir.path().join("out/small.css"), "a{}").unwrap();
        fs::write(dir.path().join("large.css"), vec![b' '; SIZE_MAX as usize + 1]).unwrap();
        fs::write(dir.path().join("small.css"), "").unwrap();
        // Each of its characters takes six in an address, or nine.
        let deep = ["é", "日"].map(|character| character.repeat(80)).join("/");
        fs::create_dir_all(dir.path().join(format!("{deep}/{deep}"))).unwrap();
        fs::write(dir.path().join(format!("{deep}/{deep}/x.css")), "").unwrap();
        let filter = Filter { strip_prefix: vec!["out".into()], ..Filter::default() };
        let (styles, warnings) = find(dir.path(), &filter, "~/").unwrap();
        assert_eq!((styles.len(), warnings.len()), (1, 3), "{warnings:?}");
        assert!(warnings[0].starts_with("large.css is not uploaded: it has 4.0 MiB"), "{warnings:?}");
        assert!(warnings[1].starts_with("small.css is not uploaded: another"), "{warnings:?}");
        assert!(warnings[2].contains("is not uploaded: url: expected 1 to 2048 characters"), "{warnings:?}");
    }
}
