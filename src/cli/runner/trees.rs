//! Trees that other programs wrote, copied, moved and removed: never through a link, and nothing but files, folders and links.

use super::folder::{FOLDER, all_names, names, open_file, open_folder};
use super::git::Check;
use memchr::memmem::Finder;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::fs::{fchmod, fstat, mkdirat, openat, readlinkat, renameat, statat, symlinkat, unlinkat};
use rustix::io::Errno;
use std::fs::{self, File, Permissions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// How deep folders may lie within one another: each is open while what is in it is looked at.
const DEPTH_MAX: usize = 100;
/// Entries of a tree that is copied.
const ENTRIES_MAX: usize = 1_000_000;
/// Places that are moved: git compares each file that it finds with all of them.
const PLACES_MAX: usize = 5_000;
/// Bytes that are searched at once,
const PIECE: usize = 256 << 10;
/// and that the kernel copies before is looked again whether it is to go on.
const SHARE: u64 = 64 << 20;
/// What git reads among the files: it works in a checkout as if nothing had been moved there.
const OF_GIT: [&[u8]; 4] = [b".git", b".gitattributes", b".gitignore", b".gitmodules"];

type Result<T> = std::result::Result<T, String>;

/// What a copy may have.
pub(super) struct Bounds<'a> {
    /// Of files, and of what links lead to.
    pub(super) bytes: u64,
    /// What may stand in none of its files and links; empty: anything may.
    pub(super) without: &'a [u8],
    pub(super) check: Check<'a>,
}

/// Copies what is in a folder into one that is empty; its bytes. Times of files stay, and so do their rights, as far as they are
/// their owner's, a group's and others'.
///
/// # Errors
/// If it is more than the bounds allow, or has what may not be in it, the disk refuses, or `check` wants it to end.
pub(super) fn copy(from: &Path, to: &Path, bounds: &Bounds<'_>) -> Result<u64> {
    let finder = (!bounds.without.is_empty()).then(|| Finder::new(bounds.without));
    let mut copying = Copying { bounds, finder, bytes: 0, entries: 0, piece: vec![0; PIECE] };
    copying.folder(&open(from)?, &open(to)?, 0)?;
    Ok(copying.bytes)
}

struct Copying<'a> {
    bounds: &'a Bounds<'a>,
    finder: Option<Finder<'a>>,
    bytes: u64,
    entries: usize,
    piece: Vec<u8>,
}

impl Copying<'_> {
    fn folder(&mut self, from: &OwnedFd, to: &OwnedFd, depth: usize) -> Result<()> {
        check_depth(depth)?;
        let names = all_names(from, ENTRIES_MAX - self.entries + 1).map_err(fault)?;
        self.entries += names.len();
        if self.entries > ENTRIES_MAX {
            return Err(format!("it has more than {ENTRIES_MAX} files"));
        }
        names.iter().try_for_each(|name| self.entry(from, to, name, depth))
    }

    fn entry(&mut self, from: &OwnedFd, to: &OwnedFd, name: &[u8], depth: usize) -> Result<()> {
        (self.bounds.check)()?;
        match kind(from, name)? {
            Some(FileType::RegularFile) => self.file(from, to, name),
            Some(FileType::Symlink) => {
                let target = readlinkat(from, name, Vec::<u8>::new()).map_err(fault)?;
                self.count(target.as_bytes().len() as u64)?;
                self.search(target.as_bytes())?;
                symlinkat(&target, to, name).map_err(fault)
            }
            Some(FileType::Directory) => {
                let inner = open_folder(from, name).ok_or_else(gone)?;
                let mode = fstat(&inner).map_err(fault)?.st_mode & 0o777;
                mkdirat(to, name, Mode::from_raw_mode(0o700)).map_err(fault)?;
                let target = open_folder(to, name).ok_or_else(gone)?;
                self.folder(&inner, &target, depth + 1)?;
                // Whoever owns the copy adds to it, and removes it.
                fchmod(&target, Mode::from_raw_mode(mode | 0o700)).map_err(fault)
            }
            // Pipes, sockets and devices lead to nobody elsewhere.
            _ => Ok(()),
        }
    }

    fn file(&mut self, from: &OwnedFd, to: &OwnedFd, name: &[u8]) -> Result<()> {
        let mut source = open_file(from, name).ok_or_else(gone)?;
        let found = source.metadata().map_err(fault)?;
        let new = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut target = File::from(openat(to, name, new, Mode::from_raw_mode(0o600)).map_err(fault)?);
        if self.finder.is_some() {
            self.searched(&mut source, &mut target)?;
        } else {
            self.copied(&mut source, &mut target)?;
        }
        let mode = found.permissions().mode() & 0o777 | 0o600;
        target.set_permissions(Permissions::from_mode(mode)).map_err(fault)?;
        // What goes by times is not to take something old for new.
        found.modified().and_then(|at| target.set_modified(at)).map_err(fault)
    }

    /// Copies a file that may have anything in it: the kernel does that, and shares the blocks where the file system can.
    fn copied(&mut self, source: &mut File, target: &mut File) -> Result<()> {
        loop {
            let left = self.bounds.bytes.saturating_sub(self.bytes).saturating_add(1);
            let mut share = (&mut *source).take(left.min(SHARE));
            let count = std::io::copy(&mut share, target).map_err(fault)?;
            if count == 0 {
                return Ok(());
            }
            self.count(count)?;
        }
    }

    /// Copies a file that may not have something in it.
    fn searched(&mut self, source: &mut File, target: &mut File) -> Result<()> {
        // The end of what was read may be the beginning of it.
        let kept = self.bounds.without.len().saturating_sub(1);
        let mut held = 0;
        loop {
            let count = source.read(&mut self.piece[held..]).map_err(fault)?;
            if count == 0 {
                return Ok(());
            }
            self.count(count as u64)?;
            let end = held + count;
            self.search(&self.piece[..end])?;
            target.write_all(&self.piece[held..end]).map_err(fault)?;
            held = kept.min(end);
            self.piece.copy_within(end - held..end, 0);
        }
    }

    fn search(&self, bytes: &[u8]) -> Result<()> {
        match &self.finder {
            Some(finder) if finder.find(bytes).is_some() => {
                Err("it has the name of its own folder in its files".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn count(&mut self, bytes: u64) -> Result<()> {
        (self.bounds.check)()?;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes <= self.bounds.bytes {
            return Ok(());
        }
        Err(format!("it has more than {}", crate::text::bytes(self.bounds.bytes)))
    }
}

/// Moves what a folder has, and `against` has not, to the same paths in `to`, which may be `against`. Git's own folders and files
/// stay where they are, and so does what has a name that cannot stand in a line. Returns what was moved, by its path, and why that
/// is not all: it is too much, the disk refuses, or `check` wants it to end.
pub(super) fn move_new(
    from: &Path,
    against: &Path,
    to: &Path,
    check: Check<'_>,
) -> (Vec<Vec<u8>>, Result<()>) {
    let mut moving = Moving { check, places: Vec::new() };
    let moved = moving.all(from, against, to);
    (moving.places, moved)
}

struct Moving<'a> {
    check: Check<'a>,
    places: Vec<Vec<u8>>,
}

impl Moving<'_> {
    fn all(&mut self, from: &Path, against: &Path, to: &Path) -> Result<()> {
        self.folder([&open(from)?, &open(against)?, &open(to)?], b"", 0)
    }

    fn folder(&mut self, folders: [&OwnedFd; 3], path: &[u8], depth: usize) -> Result<()> {
        (self.check)()?;
        check_depth(depth)?;
        for name in all_names(folders[0], ENTRIES_MAX).map_err(fault)? {
            let is_plain = !name.iter().any(u8::is_ascii_control);
            if is_plain && !OF_GIT.iter().any(|own| name.eq_ignore_ascii_case(own)) {
                let slash: &[u8] = if path.is_empty() { b"" } else { b"/" };
                self.entry(folders, &name, ([path, slash, name.as_slice()].concat(), depth))?;
            }
        }
        Ok(())
    }

    fn entry(
        &mut self,
        [from, against, to]: [&OwnedFd; 3],
        name: &[u8],
        (place, depth): (Vec<u8>, usize),
    ) -> Result<()> {
        match (kind(from, name)?, kind(against, name)?) {
            (Some(_), None) => {
                if self.places.len() >= PLACES_MAX {
                    return Err(format!("it is in more than {PLACES_MAX} places"));
                }
                renameat(from, name, to, name).map_err(fault)?;
                self.places.push(place);
                Ok(())
            }
            (Some(FileType::Directory), Some(FileType::Directory)) => {
                let (from, against) = (open_folder(from, name), open_folder(against, name));
                let (from, against) = (from.ok_or_else(gone)?, against.ok_or_else(gone)?);
                let is_made = mkdirat(to, name, Mode::from_raw_mode(0o700)).is_ok();
                let inner = open_folder(to, name).ok_or_else(gone)?;
                self.folder([&from, &against, &inner], &place, depth + 1)?;
                if is_made {
                    // It stays if there is something in it.
                    let _ = unlinkat(to, name, AtFlags::REMOVEDIR);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Removes a folder with all that is in it, also if whoever wrote it has made folders in it read-only.
///
/// # Errors
/// If the disk refuses.
pub(super) fn remove(folder: &Path) -> std::io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            if let Ok(place) = rustix::fs::open(folder, PLACE, Mode::empty()) {
                make_writable(&place, 0);
            }
            fs::remove_dir_all(folder)
        }
        removed => removed,
    }
}

/// How a folder is opened that may not even be read.
const PLACE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Lets the owner of a folder, and of those in it, write there.
fn make_writable(place: &OwnedFd, depth: usize) {
    // What was opened so is changed by its name among the descriptors alone.
    let own = format!("/proc/self/fd/{}", place.as_raw_fd());
    let is_made = fs::set_permissions(own, Permissions::from_mode(0o700)).is_ok();
    let folder = is_made.then(|| openat(place, ".", FOLDER, Mode::empty()).ok()).flatten();
    let Some(folder) = folder.filter(|_| depth <= DEPTH_MAX) else { return };
    for name in names(&folder, ENTRIES_MAX) {
        if let Ok(inner) = openat(&folder, name.as_slice(), PLACE, Mode::empty()) {
            make_writable(&inner, depth + 1);
        }
    }
}

fn open(folder: &Path) -> Result<OwnedFd> {
    rustix::fs::open(folder, FOLDER, Mode::empty()).map_err(|error| format!("{}: {error}", folder.display()))
}

/// What there is of a name, if there is anything.
fn kind(folder: &OwnedFd, name: &[u8]) -> Result<Option<FileType>> {
    match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => Ok(Some(FileType::from_raw_mode(found.st_mode))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(fault(error)),
    }
}

fn check_depth(depth: usize) -> Result<()> {
    if depth > DEPTH_MAX { Err("its folders lie too deep within one another".to_owned()) } else { Ok(()) }
}

fn gone() -> String {
    "something of it cannot be read, or was replaced meanwhile".to_owned()
}

fn fault(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests;
