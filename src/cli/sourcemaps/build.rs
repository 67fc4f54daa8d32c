//! Finds the scripts of a build and their source maps.

use super::glob;
use super::script::{self, Comments};
use crate::cli::ci::{Failure, Result};
use crate::event::DebugId;
use crate::symbolication::map;
use percent_encoding::percent_decode_str;
use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The most files of a build that are listed.
const FILES_MAX: usize = 100_000;
/// Bytes of a script or a map that is read.
const FILE_MAX: u64 = 256 << 20;

/// Which scripts of a build to use.
#[derive(Debug, Default)]
pub(in crate::cli) struct Filter {
    /// Patterns of paths to leave out.
    pub(in crate::cli) ignore: Vec<String>,
    /// Prefixes to strip from paths; the first that matches is used.
    pub(in crate::cli) strip_prefix: Vec<String>,
}

impl Filter {
    pub(super) fn leaves_out(&self, path: &str) -> bool {
        self.ignore.iter().any(|pattern| glob::fits(pattern, path))
    }

    /// The path by which a file is served below the prefix.
    pub(super) fn served<'a>(&self, path: &'a str) -> &'a str {
        let stripped = self.strip_prefix.iter().find_map(|prefix| without_folders(path, prefix));
        stripped.unwrap_or(path).trim_start_matches('/')
    }
}

/// A script of a build.
#[derive(Debug)]
pub(in crate::cli) struct Script {
    pub(in crate::cli) file: PathBuf,
    /// Relative to the build's directory, with `/`.
    pub(in crate::cli) path: String,
    /// Its path below the prefix, as it is served.
    pub(in crate::cli) served: String,
    /// From the script, or else from its map.
    pub(in crate::cli) debug_id: Option<DebugId>,
    pub(in crate::cli) map: MapSource,
}

/// Where a script's source map was found.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::cli) enum MapSource {
    File(PathBuf),
    /// In the script itself.
    Inline,
    /// No map was found, and why.
    Missing(String),
}

impl Script {
    /// The bytes of its source map.
    pub(in crate::cli) fn read_map(&self) -> Result<Vec<u8>> {
        match &self.map {
            MapSource::File(path) => read(path),
            MapSource::Inline => {
                let text = read_text(&self.file)?;
                let bytes = Comments::of(&text).url.and_then(script::inline);
                bytes.ok_or_else(|| {
                    Failure::new(format!("{}: its inline source map cannot be decoded", self.path))
                })
            }
            MapSource::Missing(why) => Err(Failure::new(format!("{}: {why}", self.path))),
        }
    }
}

/// The files of a build's directory by their path in it, with `/`.
type Files = BTreeMap<String, PathBuf>;

/// The scripts under a directory, or the one that `dir` itself is.
///
/// # Errors
/// If the directory cannot be read.
pub(in crate::cli) fn scripts(dir: &Path, filter: &Filter) -> Result<Vec<Script>> {
    let (root, files) = files(dir)?;
    // Reads all maps, so only if nothing else names one.
    let by_id = LazyCell::new(|| maps_by_debug_id(&files));
    let headers = header_names(&files);
    let mut scripts = Vec::new();
    for (path, file) in &files {
        if !is_script(path) || filter.leaves_out(path) {
            continue;
        }
        let text = read_text(file)?;
        let comments = Comments::of(&text);
        let header = headers
            .iter()
            .rev()
            .find(|(pattern, _)| glob::fits(pattern, path))
            .map(|(_, name)| name.as_str());
        let map = match comments.url.or(header) {
            Some(url) if url.starts_with("data:") => match script::inline(url) {
                Some(_) => MapSource::Inline,
                None => MapSource::Missing("its inline source map cannot be decoded".into()),
            },
            url => external(&root, &files, path, url, || by_id.get(&comments.debug_id?).cloned()),
        };
        scripts.push(Script {
            file: file.clone(),
            path: path.clone(),
            served: filter.served(path).to_owned(),
            debug_id: comments.debug_id,
            map,
        });
    }
    Ok(scripts)
}

/// A path without one of these leading directories.
fn without_folders<'a>(path: &'a str, folders: &str) -> Option<&'a str> {
    let below = path.strip_prefix(folders)?;
    (folders.is_empty() || folders.ends_with('/') || below.starts_with('/')).then_some(below)
}

/// The file that a `sourceMappingURL` or header names, or else the one named after the script, or else the one with
/// its debug id.
fn external(
    root: &Path,
    files: &Files,
    path: &str,
    url: Option<&str>,
    by_id: impl FnOnce() -> Option<PathBuf>,
) -> MapSource {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = |name: &str| files.get(join(folder, name).as_deref()?).cloned();
    let mut tried = Vec::new();
    if let Some(url) = url {
        let bare = url.split(['?', '#']).next().unwrap_or_default();
        let name = percent_decode_str(bare).decode_utf8_lossy();
        let last = name.rsplit('/').next().unwrap_or_default();
        // An absolute address cannot be followed, but its file is usually beside the script.
        let found = match name.strip_prefix('/') {
            Some(from_root) => files.get(from_root).cloned(),
            None => beside(&name),
        };
        if let Some(found) = found.or_else(|| beside(last)) {
            return MapSource::File(found);
        }
        tried.push(format!(
            "its sourceMappingURL `{}` is no file in {}",
            crate::text::shown(url, 120),
            root.display()
        ));
    } else {
        tried.push("it has no sourceMappingURL".to_owned());
    }
    let own = format!("{path}.map");
    if let Some(found) = files.get(&own) {
        return MapSource::File(found.clone());
    }
    if let Some(found) = by_id() {
        return MapSource::File(found);
    }
    tried.push(format!("there is no {}", own.rsplit('/').next().unwrap_or_default()));
    MapSource::Missing(format!(
        "{}. Turn on source maps in the build, or leave it out with --ignore",
        tried.join(", and ")
    ))
}

/// A path relative to a directory of the build; `None` if it leads out of the build.
fn join(folder: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for component in Path::new(name).components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::ParentDir => drop(parts.pop()?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

pub(in crate::cli) fn is_script(path: &str) -> bool {
    [".js", ".mjs", ".cjs", ".bundle", ".jsbundle"].iter().any(|ending| path.ends_with(ending))
}

/// Source maps with a debug id, by that id.
fn maps_by_debug_id(files: &Files) -> HashMap<DebugId, PathBuf> {
    let maps = files.iter().filter(|(path, _)| path.ends_with(".map"));
    maps.filter_map(|(_, file)| Some((map::debug_id(&fs::read(file).ok()?)?, file.clone()))).collect()
}

/// The `SourceMap` headers in a `_headers` file of a static host: path pattern and map.
fn header_names(files: &Files) -> Vec<(String, String)> {
    let Some(text) = files.get("_headers").and_then(|file| fs::read_to_string(file).ok()) else {
        return Vec::new();
    };
    let (mut pattern, mut found) = (String::new(), Vec::new());
    for line in text.lines() {
        let trimmed = line.trim();
        if !line.starts_with(char::is_whitespace) {
            pattern = trimmed.trim_start_matches('/').to_owned();
        } else if let Some((name, value)) = trimmed.split_once(':')
            && (name.eq_ignore_ascii_case("SourceMap") || name.eq_ignore_ascii_case("X-SourceMap"))
        {
            found.push((pattern.clone(), value.trim().to_owned()));
        }
    }
    found
}

/// All files under `dir`. Links to directories are not followed, because they may form cycles.
pub(in crate::cli) fn files(dir: &Path) -> Result<(PathBuf, Files)> {
    let fault = |path: &Path, error: std::io::Error| Failure::new(format!("{}: {error}", path.display()));
    let about = fs::metadata(dir).map_err(|error| fault(dir, error))?;
    let mut files = Files::new();
    if about.is_file() {
        let root = dir.parent().map_or_else(PathBuf::new, Path::to_owned);
        for file in [dir.to_owned(), PathBuf::from(format!("{}.map", dir.display()))] {
            if let Some(name) = file.file_name().and_then(|name| name.to_str()).filter(|_| file.is_file()) {
                files.insert(name.to_owned(), file.clone());
            }
        }
        return Ok((root, files));
    }
    let mut folders = vec![(dir.to_owned(), String::new())];
    while let Some((folder, path)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| fault(&folder, error))? {
            let entry = entry.map_err(|error| fault(&folder, error))?;
            let kind = entry.file_type().map_err(|error| fault(&folder, error))?;
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| *name != "node_modules" && *name != ".git") else {
                continue;
            };
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            if kind.is_dir() {
                folders.push((entry.path(), path));
            } else if kind.is_file() || entry.path().is_file() {
                files.insert(path, entry.path());
            }
            if files.len() > FILES_MAX {
                return Err(Failure::new(format!("{} has more than {FILES_MAX} files", dir.display())));
            }
        }
    }
    Ok((dir.to_owned(), files))
}

pub(in crate::cli) fn read(path: &Path) -> Result<Vec<u8>> {
    let fault = |error: std::io::Error| Failure::new(format!("{}: {error}", path.display()));
    let size = fs::metadata(path).map_err(fault)?.len();
    if size > FILE_MAX {
        return Err(Failure::new(format!("{}: {} are too many", path.display(), crate::text::bytes(size))));
    }
    fs::read(path).map_err(fault)
}

/// Reads a text file in any encoding.
pub(in crate::cli) fn read_text(path: &Path) -> Result<String> {
    let bytes = read(path)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

#[cfg(test)]
mod tests;
