//! Files that only their owner reads: the secrets and the setup token.

use crate::sabotage;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Puts a new file (0600) in the place of whatever bears the name, at once and for good: a crash
/// leaves the old or the new. A link is replaced, never followed; so is a file of somebody else.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let temporary = beside(path);
    match fs::remove_file(&temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = options().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    File::open(folder_of(path))?.sync_all()
}

/// Takes rights away that others have on a file or folder beyond `mode`; one that is not there is no error.
///
/// # Errors
/// When they have some and that cannot be changed.
pub fn narrow(path: &Path, mode: u32) -> io::Result<()> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?.permissions().mode() & 0o7777,
    };
    if found & !mode & 0o077 == 0 || sabotage::on("wide_rights") {
        return Ok(());
    }
    tracing::warn!(
        path = %path.display(),
        found = format!("{found:o}"),
        now = format!("{mode:o}"),
        "others had rights on what is the server's alone: they are taken away"
    );
    set_mode(path, found, mode)
}

/// The same for one that is known to have the rights `found`, and where that is nothing to tell of.
///
/// # Errors
/// When they cannot be changed.
pub fn set_mode(path: &Path, found: u32, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|error| {
        let text = format!("others have rights on it (mode {found:o}), which cannot be taken away: {error}");
        io::Error::new(error.kind(), text)
    })
}

/// Options that follow no link and wait for nobody at a pipe.
pub fn options() -> fs::OpenOptions {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let mut options = fs::OpenOptions::new();
    #[expect(clippy::cast_possible_wrap, reason = "flags of the operating system")]
    options.custom_flags(flags.bits() as i32);
    options
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, ToOwned::to_owned);
    name.push(".new");
    path.with_file_name(name)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
