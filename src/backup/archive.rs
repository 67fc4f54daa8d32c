//! The archive form of a backup: tar, compressed with zstd. The manifest is the first entry, so that the rest can be
//! checked while it is read.
//!
//! An archive to restore may come from anywhere, so nothing in it decides how much memory reading it takes.

use super::manifest::{MANIFEST, MANIFEST_MAX, Manifest};
use super::tree::Stoppable;
use crate::store::Stop;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use tar::{Builder, EntryType, Header};
use zstd::stream::{read::Decoder, write::Encoder};

/// Up to this level, compressing takes less time than writing the bytes it saves; most of a backup is compressed
/// already.
const LEVEL: i32 = 3;

/// The longest name of an entry, in bytes.
const NAME_MAX: u64 = 1_024;
/// The most zero bytes after the last entry: tar programs pad the last record, of 10 KiB.
const PADDING_MAX: u64 = 64 << 10;

/// An archive that is being read.
pub(super) type Reading = tar::Archive<Source>;
type Source = Decoder<'static, BufReader<Box<dyn Read>>>;
type Entry<'a> = tar::Entry<'a, Source>;

/// Writes an archive of the `manifest`'s files below `root`; returns the writer.
pub(super) fn write<W: Write>(
    to: W,
    root: &Path,
    manifest: &Manifest,
    stop: &Stop,
    tell: &mut dyn FnMut(u64),
) -> io::Result<W> {
    let mut encoder = Encoder::new(to, LEVEL)?;
    encoder.include_checksum(true)?;
    let mut builder = Builder::new(encoder);
    let text = manifest.text();
    append(&mut builder, manifest, MANIFEST, text.len() as u64, &mut text.as_slice())?;
    for record in &manifest.files {
        let file = Stoppable::new(File::open(root.join(&record.path))?, stop);
        let mut telling = Telling { inner: file.take(record.size), tell };
        append(&mut builder, manifest, &record.path, record.size, &mut telling)?;
    }
    builder.into_inner()?.finish()
}

/// An upper bound of an archive's bytes.
pub(super) fn most(manifest: &Manifest) -> u64 {
    // Each file has a head of 512 bytes, another for a long name, and its content in blocks of 512 bytes. Data that
    // cannot be compressed grows by a 32,768th.
    let plain = manifest.size() + manifest.text().len() as u64 + 2_048 * (manifest.files.len() as u64 + 2);
    plain + plain / 1_000 + (1 << 20)
}

fn append<W: Write>(
    builder: &mut Builder<Encoder<'static, W>>,
    manifest: &Manifest,
    path: &str,
    size: u64,
    content: &mut dyn Read,
) -> io::Result<()> {
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_size(size);
    header.set_mode(0o600);
    header.set_mtime(u64::try_from(manifest.created_at.millis() / 1_000).unwrap_or_default());
    builder.append_data(&mut header, path, content)
}

struct Telling<'a, R> {
    inner: R,
    tell: &'a mut dyn FnMut(u64),
}

impl<R: Read> Read for Telling<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        (self.tell)(read as u64);
        Ok(read)
    }
}

/// Opens an archive.
pub(super) fn open(from: impl Read + 'static) -> io::Result<Reading> {
    Ok(tar::Archive::new(Decoder::new(Box::new(from) as Box<dyn Read>)?))
}

/// The files of an archive and their names, in their order.
pub(super) struct Files<'a>(tar::Entries<'a, Source>);

impl<'a> Files<'a> {
    pub(super) fn of(archive: &'a mut Reading) -> io::Result<Self> {
        // Raw, because otherwise tar reads a long name into memory, whatever length it claims.
        Ok(Self(archive.entries()?.raw(true)))
    }

    /// The next file, if any.
    ///
    /// # Errors
    /// If an entry is anything that `write` does not produce: regular files, and GNU's entries for names of over 100
    /// bytes.
    pub(super) fn next(&mut self) -> io::Result<Option<(String, Entry<'a>)>> {
        let mut long = None;
        while let Some(mut entry) = self.0.next().transpose()? {
            let named = || String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            match entry.header().entry_type() {
                EntryType::Regular => return Ok(Some((long.unwrap_or_else(named), entry))),
                EntryType::GNULongName if long.is_none() => long = Some(long_name(&mut entry)?),
                _ => {
                    let name = crate::text::shown(&named(), 100);
                    return Err(io::Error::other(format!("{name} is not a file")));
                }
            }
        }
        match long {
            Some(_) => Err(io::Error::other("the last name has no file")),
            None => Ok(None),
        }
    }
}

fn long_name(entry: &mut Entry<'_>) -> io::Result<String> {
    if entry.size() > NAME_MAX {
        return Err(io::Error::other(format!("it has a name of {} bytes", entry.size())));
    }
    let mut name = Vec::new();
    entry.read_to_end(&mut name)?;
    // It ends with a zero byte.
    name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(name.len()));
    Ok(String::from_utf8_lossy(&name).into_owned())
}

/// Reads to the end of the archive, where the compression's checksum is. Nothing may follow the last entry.
pub(super) fn check_end(archive: Reading) -> io::Result<()> {
    let mut rest = archive.into_inner().take(PADDING_MAX);
    let mut piece = [0; 4_096];
    loop {
        let read = rest.read(&mut piece)?;
        if read == 0 && rest.limit() > 0 {
            return Ok(());
        }
        if read == 0 || piece[..read].iter().any(|byte| *byte != 0) {
            return Err(io::Error::other("something follows its end"));
        }
    }
}

/// Passes the manifest, the first entry, to `read`.
pub(super) fn manifest<T>(
    mut archive: Reading,
    read: impl FnOnce(&mut dyn Read) -> io::Result<T>,
) -> io::Result<T> {
    match Files::of(&mut archive)?.next()? {
        Some((name, entry)) if name == MANIFEST => read(&mut entry.take(MANIFEST_MAX)),
        _ => Err(io::Error::other(format!("it does not begin with {MANIFEST}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of these entries: type, name, declared size, content.
    fn archive(entries: &[(EntryType, &str, u64, &[u8])]) -> Vec<u8> {
        let mut plain = Vec::new();
        for (kind, name, size, content) in entries {
            let mut header = Header::new_gnu();
            header.set_entry_type(*kind);
            header.set_path(name).unwrap();
            header.set_size(*size);
            header.set_cksum();
            plain.extend_from_slice(header.as_bytes());
            plain.extend_from_slice(content);
            plain.resize(plain.len().next_multiple_of(512), 0);
        }
        plain.resize(plain.len() + 1_024, 0);
        zstd::encode_all(plain.as_slice(), LEVEL).unwrap()
    }

    /// The names and contents of all entries.
    fn all(text: &[u8]) -> io::Result<Vec<(String, String)>> {
        let mut archive = open(io::Cursor::new(text.to_vec()))?;
        let (mut files, mut found) = (Files::of(&mut archive)?, Vec::new());
        while let Some((name, entry)) = files.next()? {
            found.push((name, io::read_to_string(entry)?));
        }
        check_end(archive)?;
        Ok(found)
    }

    fn refused(text: &[u8]) -> String {
        all(text).unwrap_err().to_string()
    }

    const FILE: (EntryType, &str, u64, &[u8]) = (EntryType::Regular, "a", 1, b"x");

    #[test]
    fn long_names_are_read_and_overlong_ones_refused() {
        let long = "n".repeat(200);
        let named = (EntryType::GNULongName, "././@LongLink", 201, [long.as_bytes(), b"\0"].concat());
        let named = (named.0, named.1, named.2, named.3.as_slice());
        assert_eq!(
            all(&archive(&[FILE, named, FILE])).unwrap(),
            [("a".to_owned(), "x".to_owned()), (long, "x".to_owned())]
        );
        let endless = (EntryType::GNULongName, "././@LongLink", 2 << 30, b"n".as_slice());
        assert!(refused(&archive(&[endless, FILE])).contains("a name of 2147483648 bytes"));
        assert!(refused(&archive(&[named, named, FILE])).contains("is not a file"));
        assert!(refused(&archive(&[FILE, named])).contains("has no file"));
    }

    #[test]
    fn an_archive_has_only_files() {
        for kind in [
            EntryType::XHeader,
            EntryType::XGlobalHeader,
            EntryType::Symlink,
            EntryType::Directory,
            EntryType::GNUSparse,
            EntryType::GNULongLink,
        ] {
            assert!(refused(&archive(&[(kind, "x", 1, b"x"), FILE])).contains("x is not a file"), "{kind:?}");
        }
    }

    #[test]
    fn nothing_may_follow_the_last_entry() {
        let whole = archive(&[FILE]);
        assert!(refused(&[whole.as_slice(), &whole].concat()).contains("something follows its end"));
        assert!(all(&[whole.as_slice(), b"x"].concat()).is_err());
        let zeros = |count| zstd::encode_all(vec![0; count].as_slice(), LEVEL).unwrap();
        all(&[whole.as_slice(), &zeros(9_216)].concat()).unwrap();
        assert!(
            refused(&[whole.as_slice(), &zeros(64 << 10)].concat()).contains("something follows its end")
        );
    }
}
