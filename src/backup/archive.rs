//! The form of a backup that is one file: tar, compressed with zstd. The manifest is its first entry, so that everything
//! after it can be checked while it is read.

use super::manifest::{MANIFEST, MANIFEST_MAX, Manifest};
use super::tree::transfer;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write as _};
use std::path::Path;
use tar::{Builder, EntryType, Header};
use zstd::stream::{read::Decoder, write::Encoder};

/// Compression costs less than writing what it saves up to here; most of a backup is compressed already.
const LEVEL: i32 = 3;

/// An archive that is being read.
pub(super) type Reading = tar::Archive<Decoder<'static, BufReader<File>>>;

/// Writes an archive of the files of `manifest` below `root`; it is on disk when this returns.
pub(super) fn write(
    to: &Path,
    root: &Path,
    manifest: &Manifest,
    tell: &mut dyn FnMut(u64),
) -> io::Result<()> {
    let file = super::tree::create(
        to.parent().unwrap_or(to),
        &to.file_name().unwrap_or_default().to_string_lossy(),
    )?;
    let mut encoder = Encoder::new(BufWriter::new(file), LEVEL)?;
    encoder.include_checksum(true)?;
    let mut builder = Builder::new(encoder);
    let text = manifest.text();
    append(&mut builder, manifest, MANIFEST, text.len() as u64, &mut text.as_slice())?;
    for record in &manifest.files {
        let mut telling = Telling { inner: File::open(root.join(&record.path))?.take(record.size), tell };
        append(&mut builder, manifest, &record.path, record.size, &mut telling)?;
    }
    let mut writer = builder.into_inner()?.finish()?;
    writer.flush()?;
    writer.get_ref().sync_all()
}

fn append(
    builder: &mut Builder<Encoder<'static, BufWriter<File>>>,
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
pub(super) fn open(path: &Path) -> io::Result<Reading> {
    Ok(tar::Archive::new(Decoder::new(File::open(path)?)?))
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
pub(super) fn manifest(path: &Path) -> io::Result<Vec<u8>> {
    let mut archive = open(path)?;
    let missing = || io::Error::other(format!("it does not begin with {MANIFEST}"));
    let entry = archive.entries()?.next().ok_or_else(missing)??;
    if name(&entry)? != MANIFEST {
        return Err(missing());
    }
    let mut text = Vec::new();
    transfer(&mut entry.take(MANIFEST_MAX), &mut text, &mut |_| {})?;
    Ok(text)
}
