use super::*;
use std::path::PathBuf;

/// A file of some events, and what is in it.
fn written(files: &Files) -> (FileName, PathBuf, String) {
    let events: Vec<String> = (0..300).map(|at| format!(r#"{{"type":3,"timestamp":{at}}}"#)).collect();
    let text = events.join(",");
    let mut file = files.create().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let name = files.keep(file.finish().unwrap()).unwrap();
    (name, files.blobs.path(&name, EXTENSION), text)
}

fn read(files: &Files, name: &FileName) -> Result<String, GapReason> {
    let mut text = String::new();
    files.read(name).unwrap()?.read_to_string(&mut text).unwrap();
    Ok(text)
}

#[test]
fn a_changed_bit_anywhere_in_a_file_and_a_missing_end_are_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let files = Files::open(directory.path()).unwrap();
    let (name, path, text) = written(&files);
    assert_eq!(read(&files, &name), Ok(text.clone()));
    let whole = std::fs::read(&path).unwrap();
    let mut harmless = 0;
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        std::fs::write(&path, changed).unwrap();
        match read(&files, &name) {
            Ok(found) => {
                assert_eq!(found, text, "byte {at}");
                harmless += 1;
            }
            Err(why) => assert_eq!(why, GapReason::FileDamaged, "byte {at}"),
        }
    }
    // The head has a bit without a meaning, and says how much memory is needed, which may be more than that.
    assert!(harmless < whole.len() / 20, "{harmless} of {} changes", whole.len());
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(read(&files, &name), Err(GapReason::FileDamaged), "{length} bytes");
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!(read(&files, &name), Err(GapReason::FileMissing));
}

#[test]
fn a_file_that_cannot_be_read_just_then_is_neither_missing_nor_damaged() {
    let directory = tempfile::tempdir().unwrap();
    let files = Files::open(directory.path()).unwrap();
    let (name, path, _) = written(&files);
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let Err(trouble) = files.read(&name) else { panic!("a folder was read") };
    assert!(matches!(trouble, Error::Unavailable { cause: Some(_), .. }), "{trouble}");
    for (number, why) in [
        (libc::EMFILE, None),
        (libc::EACCES, None),
        (libc::ENOMEM, None),
        (libc::ENOENT, Some(GapReason::FileMissing)),
        (libc::EIO, Some(GapReason::FileDamaged)),
    ] {
        assert_eq!(loss(&io::Error::from_raw_os_error(number)), why, "{number}");
    }
}

#[test]
fn a_file_without_a_checksum_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let files = Files::open(directory.path()).unwrap();
    let (name, path, text) = written(&files);
    // The flag of the content's checksum in the head of a frame (RFC 8878).
    let has_checksum = |file: &[u8]| file[4] & 4 != 0;
    let plain = zstd::encode_all(text.as_bytes(), LEVEL).unwrap();
    assert_eq!((has_checksum(&std::fs::read(&path).unwrap()), has_checksum(&plain)), (true, false));
    std::fs::write(&path, plain).unwrap();
    assert_eq!(read(&files, &name), Ok(text));
}

#[test]
fn a_file_that_cannot_be_synced_is_refused_and_not_kept() {
    let directory = tempfile::tempdir().unwrap();
    let files = Files::open(directory.path()).unwrap();
    let (_, path) = files.blobs.temporary().unwrap().into_parts();
    // The device takes all that is written, but no sync of it succeeds.
    let device = File::options().write(true).open("/dev/null").unwrap();
    let refused = files.keep(NamedTempFile::from_parts(device, path)).unwrap_err();
    assert!(matches!(refused, Error::Unavailable { cause: Some(_), .. }), "{refused}");
    for folder in std::fs::read_dir(directory.path()).unwrap() {
        let folder = folder.unwrap().path();
        assert_eq!(folder.read_dir().unwrap().count(), 0, "{folder:?}");
    }
    assert!(files.keep(files.create().unwrap().finish().unwrap()).is_ok());
}
