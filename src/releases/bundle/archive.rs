//! Reads a zip from front to back, file by file, without holding any of it.

use crate::error::{Error, Result};
use crate::text::shown;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek as _};
use zip::read::read_zipfile_from_stream;
use zip::result::ZipError;

/// The most files in an archive, of any kind.
const ENTRIES_MAX: usize = 20_000;

/// Calls `visit` with the name and content of each file. The names are unchecked.
///
/// # Errors
/// 422 if it is not a readable zip, or an error of `visit`.
pub(super) fn each(archive: &File, mut visit: impl FnMut(&str, &mut dyn Read) -> Result<()>) -> Result<()> {
    let mut archive = BufReader::new(archive);
    archive.rewind().map_err(Error::storage)?;
    for index in 0.. {
        if index == ENTRIES_MAX {
            return Err(Error::invalid(format!("The zip has more than {ENTRIES_MAX} files")));
        }
        let Some(mut file) =
            read_zipfile_from_stream(&mut archive).map_err(|error| refusal(index, &error))?
        else {
            break;
        };
        let Ok(name) = std::str::from_utf8(file.name_raw()).map(str::to_owned) else { continue };
        if file.encrypted() {
            return Err(Error::invalid(format!("`{}` in the zip is encrypted", shown(&name, 64))));
        }
        visit(&name, &mut file)?;
    }
    Ok(())
}

fn refusal(index: usize, error: &ZipError) -> Error {
    let text = match error {
        ZipError::Io(cause) if cause.kind() == ErrorKind::UnexpectedEof => "it ends early".to_owned(),
        ZipError::UnsupportedArchive(text) if text.contains("file length") => {
            "a file's length stands behind it. Write the zip to a file, not into a pipe".to_owned()
        }
        error => error.to_string(),
    };
    match index {
        0 => Error::invalid(format!("The body is not a zip: {text}")),
        _ => Error::invalid(format!("The zip cannot be read after {index} files: {text}")),
    }
}

/// Reads pieces of a file in the archive.
///
/// # Errors
/// 422 if its compressed bytes are damaged.
pub(super) fn pieces(
    name: &str,
    file: &mut dyn Read,
    mut take: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let read = file.read(&mut buffer).map_err(|error| {
            Error::invalid(format!("`{}` in the zip cannot be unpacked: {error}", shown(name, 64)))
        })?;
        if read == 0 {
            return Ok(());
        }
        take(&buffer[..read])?;
    }
}
