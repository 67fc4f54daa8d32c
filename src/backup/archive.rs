//! The form of a backup that is one file: tar, compressed with zstd. The manifest is its first entry, so that everything
//! after it can be checked while it is read.

use super::manifest::{MANIFEST, MANIFEST_MAX, Manifest};
use super::tree::{Stoppable, transfer};
use crate::store::Stop;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use tar::{Builder, EntryType, Header};
use zstd::stream::{read::Decoder, write::Encoder};

/// Compression costs less than writing what it saves up to here; most of a backup is compressed already.
const LEVEL: i32 = 3;

/// An archive that is being read.
pub(super) type Reading = tar::Archive<Decoder<'static, BufReader<Box<dyn Read>>>>;

/// Writes an archive of the files of `manifest` below `root`, and returns what it was written to.
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

/// The most bytes that an archive has.
pub(super) fn most(manifest: &Manifest) -> u64 {
    // A head of 512 bytes for each file, another one for a long name, and the file in blocks of as many; what cannot be
    // compressed grows by a 32,768th.
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

/// The name of an entry, which has to be a file.
pub(super) fn name<R: Read>(entry: &tar::Entry<'_, R>) -> io::Result<String> {
    let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    match entry.header().entry_type() {
        EntryType::Regular => Ok(name),
        _ => Err(io::Error::other(format!("{} is not a file", crate::text::shown(&name, 100)))),
    }
}

/// The text of the manifest, which is the first entry.
pub(super) fn manifest(mut archive: Reading) -> io::Result<Vec<u8>> {
    let missing = || io::Error::other(format!("it does not begin with {MANIFEST}"));
    let entry = archive.entries()?.next().ok_or_else(missing)??;
    if name(&entry)? != MANIFEST {
        return Err(missing());
    }
    let mut text = Vec::new();
    transfer(&mut entry.take(MANIFEST_MAX), &mut text, &mut |_| {})?;
    Ok(text)
}
