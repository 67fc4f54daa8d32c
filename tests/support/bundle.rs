//! A bundle of source maps: a zip with its manifest.

use super::{Value, json};
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(crate) struct Bundle(ZipWriter<Cursor<Vec<u8>>>);

impl Bundle {
    pub(crate) fn new() -> Self {
        Self(ZipWriter::new(Cursor::new(Vec::new())))
    }

    /// With `0.map`, `1.map`, … for these urls.
    pub(crate) fn of(release: &str, maps: &[(&str, &str)]) -> Vec<u8> {
        let files =
            maps.iter().zip(0..).map(|((url, _), at)| json!({"url": url, "file": format!("{at}.map")}));
        let bundle = Self::new().manifest(&json!({"release": release, "files": files.collect::<Vec<_>>()}));
        let named = maps.iter().zip(0..);
        named.fold(bundle, |bundle, ((_, map), at)| bundle.file(&format!("{at}.map"), map)).encode()
    }

    pub(crate) fn manifest(self, manifest: &Value) -> Self {
        self.file("manifest.json", manifest.to_string())
    }

    pub(crate) fn file(mut self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.0.start_file(name, SimpleFileOptions::default()).unwrap();
        self.0.write_all(content.as_ref()).unwrap();
        self
    }

    pub(crate) fn link(mut self, name: &str, target: &str) -> Self {
        self.0.add_symlink(name, target, SimpleFileOptions::default()).unwrap();
        self
    }

    pub(crate) fn encode(self) -> Vec<u8> {
        self.0.finish().unwrap().into_inner()
    }
}
