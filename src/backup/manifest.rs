//! The manifest of a backup.

use crate::error::{Error, Result};
use crate::store::is_reserved;
use crate::time::Timestamp;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::io::{self, BufReader, Read};

/// The manifest's name in a backup.
pub(super) const MANIFEST: &str = "manifest.json";
/// The version of a backup's layout. It is raised when a Mayday that knows only the previous one could not restore
/// it.
pub(super) const FORMAT: u32 = 1;
/// The databases that every backup has.
const DATABASES: [&str; 2] = ["main.db", "logs.db"];
/// The largest manifest that is read, in bytes: enough for over a million files. Parsing takes about as much memory.
pub(super) const MANIFEST_MAX: u64 = 256 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: u32,
    /// The version of Mayday that made it.
    pub mayday: String,
    pub created_at: Timestamp,
    pub instance: String,
    /// Versions of the schemas of both databases.
    pub schema_main: i64,
    pub schema_logs: i64,
    /// Every event that was accepted up to this position of the journal is in it.
    pub last_position: i64,
    pub secrets: Kind,
    /// Every other file, in the order in which an archive has them.
    pub files: Vec<FileRecord>,
}

/// Where the secrets of the instance are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// In the backup, `CLOUD_SECRET_KEY` among them.
    Included,
    /// The same, sealed with a passphrase.
    Sealed,
    /// The operator left them out.
    LeftOut,
    /// `CLOUD_SECRET_KEY` is configured outside the data directory, so a backup cannot have it.
    Configured,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Relative, with `/`.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Written in lower-case hexadecimal, as `sha256sum` prints it.
    #[serde(serialize_with = "write_hex", deserialize_with = "read_hex")]
    pub sha256: [u8; 32],
}

fn write_hex<S: Serializer>(bytes: &[u8; 32], to: S) -> std::result::Result<S::Ok, S::Error> {
    to.serialize_str(&crate::crypto::token::hex(bytes))
}

fn read_hex<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<[u8; 32], D::Error> {
    let text = std::borrow::Cow::<str>::deserialize(from)?;
    let mut bytes = [0; 32];
    let digits = |byte: usize| text.get(2 * byte..2 * byte + 2);
    let is_hex = text.len() == 64 && text.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
    for (index, byte) in bytes.iter_mut().enumerate() {
        let read = digits(index).filter(|_| is_hex).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        *byte = read.ok_or_else(|| D::Error::custom("a SHA-256 that is no 64 hexadecimal digits"))?;
    }
    Ok(bytes)
}

/// The part of a manifest that every format has.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

impl Manifest {
    /// Refuses a manifest in a newer format than this Mayday knows, whatever else it contains.
    ///
    /// # Errors
    /// The outer error says why it could not be read, the inner one what is wrong with it.
    pub(super) fn check_format(from: &mut dyn Read) -> io::Result<Result<()>> {
        Ok(parsed(from)?.and_then(|Format { format }| {
            if format <= FORMAT {
                return Ok(());
            }
            Err(Error::internal(format!(
                "its format is {format}, and this Mayday ({}) knows {FORMAT}: use the version that made it, or a newer one",
                crate::version::version()
            )))
        }))
    }

    /// Reads a manifest of this format. Its paths never lead out of a directory.
    ///
    /// # Errors
    /// As [`Self::check_format`].
    pub(super) fn read(from: &mut dyn Read) -> io::Result<Result<Self>> {
        Ok(parsed(from)?.and_then(Self::checked))
    }

    fn checked(manifest: Self) -> Result<Self> {
        let mut names = BTreeSet::new();
        for file in &manifest.files {
            if !is_plain(&file.path) || !names.insert(file.path.as_str()) {
                return Err(fault(&format_args!("the path {:?}", crate::text::shown(&file.path, 100))));
            }
        }
        // A file cannot also be a directory.
        for file in &manifest.files {
            let mut folders = file.path.match_indices('/').map(|(end, _)| &file.path[..end]);
            if let Some(folder) = folders.find(|folder| names.contains(folder)) {
                return Err(fault(&format_args!("the path {:?}", crate::text::shown(folder, 100))));
            }
        }
        match DATABASES.into_iter().find(|name| manifest.file(name).is_none()) {
            Some(missing) => Err(fault(&format_args!("it does not list {missing}"))),
            None => Ok(manifest),
        }
    }

    pub(super) fn text(&self) -> Vec<u8> {
        // A struct of texts and numbers always serializes.
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    pub fn file(&self, path: &str) -> Option<&FileRecord> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The total size of all files, in bytes.
    pub fn size(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.size))
    }

    /// Lines that describe the backup to people.
    pub fn lines(&self) -> Vec<String> {
        // The first one has the name of the instance.
        let count =
            |folder| self.files.iter().filter(|file| file.path.starts_with(folder)).count().saturating_sub(1);
        let secrets = match self.secrets {
            Kind::Included => "included",
            Kind::Sealed => "included, sealed with a passphrase",
            Kind::LeftOut => "left out: restoring needs secrets.env or CLOUD_SECRET_KEY of this instance",
            Kind::Configured => {
                "not in the data directory: restoring needs the CLOUD_SECRET_KEY that the server is configured with"
            }
        };
        vec![
            format!("taken at   {} by Mayday {}", self.created_at, self.mayday),
            format!("instance   {}", self.instance),
            format!(
                "contents   {} in {} files, {} of source maps and {} of replays; schema versions {} (main.db) and {} (logs.db)",
                crate::text::bytes(self.size()),
                self.files.len(),
                count("sourcemaps/"),
                count("replays/"),
                self.schema_main,
                self.schema_logs
            ),
            format!("secrets    {secrets}"),
        ]
    }
}

fn fault(what: &dyn std::fmt::Display) -> Error {
    Error::internal(format!("{MANIFEST} is damaged ({what})"))
}

/// Parses JSON from a stream, so that the whole text is never in memory.
fn parsed<T: DeserializeOwned>(from: &mut dyn Read) -> io::Result<Result<T>> {
    match serde_json::from_reader(BufReader::with_capacity(64 << 10, from)) {
        Err(error) if error.is_io() => Err(error.into()),
        read => Ok(read.map_err(|error| fault(&error))),
    }
}

/// Whether a path is relative, stays below the directory, and is not one that a backup or a data directory uses
/// itself.
fn is_plain(path: &str) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && name != "." && name != ".." && !name.contains(['\\', '\0']);
    let first = path.split('/').next().unwrap_or_default();
    // SQLite would apply a log file beside a database, but the database is checked without it.
    let is_beside = DATABASES.iter().any(|name| first.starts_with(name) && first != *name);
    path != MANIFEST
        && path.len() < 1_000
        && path.split('/').all(is_name)
        && !is_reserved(first)
        && !is_beside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(paths: &[&str]) -> Manifest {
        let file = |path: &&str| FileRecord { path: (*path).to_owned(), size: 1, sha256: [10; 32] };
        Manifest {
            format: FORMAT,
            mayday: "0.1.0".into(),
            created_at: Timestamp::from_millis(1),
            instance: "i".into(),
            schema_main: 1,
            schema_logs: 1,
            last_position: 7,
            secrets: Kind::Included,
            files: paths.iter().map(file).collect(),
        }
    }

    fn read(text: &[u8]) -> Result<Manifest> {
        let (mut first, mut second) = (text, text);
        Manifest::check_format(&mut first).unwrap()?;
        Manifest::read(&mut second).unwrap()
    }

    fn refused(text: &[u8]) -> String {
        match read(text) {
            Err(Error::Internal(cause)) => cause.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_manifest_survives_writing_and_reading() {
        let manifest = manifest(&["main.db", "logs.db", "sourcemaps/ab/c.map"]);
        assert_eq!(read(&manifest.text()).unwrap(), manifest);
        assert!(
            String::from_utf8(manifest.text())
                .unwrap()
                .contains(&format!("\"sha256\": \"{}\"", "0a".repeat(32)))
        );
        let other = |hash: &str| String::from_utf8(manifest.text()).unwrap().replace(&"0a".repeat(32), hash);
        for hash in ["0a", &"0A".repeat(32), &"+1".repeat(32), &"é".repeat(32)] {
            assert!(refused(other(hash).as_bytes()).contains("64 hexadecimal digits"), "{hash}");
        }
    }

    #[test]
    fn no_path_leads_out_of_the_directory() {
        for path in [
            "../x",
            "/x",
            "a/../../x",
            "a//b",
            ".",
            "",
            "manifest.json",
            "main.db",
            "a\0b",
            "run.lock",
            "run.lock/x",
            "main.db-wal",
            "logs.db-journal",
            "main.db/x",
            "restore.new/x",
            "restore.state",
            "before-restore-20260101T000000Z/main.db",
            "backup.new/x",
            "lost+found/x",
        ] {
            let text = refused(&manifest(&["main.db", "logs.db", path]).text());
            assert!(text.contains("manifest.json is damaged (the path"), "{path}: {text}");
        }
    }

    #[test]
    fn a_newer_format_is_refused_whatever_it_holds() {
        let text = refused(br#"{"format": 2, "parts": []}"#);
        assert!(text.contains("its format is 2"), "{text}");
        assert!(refused(b"{").contains("is damaged"));
        assert!(refused(&manifest(&["main.db"]).text()).contains("does not list logs.db"));
    }
}
