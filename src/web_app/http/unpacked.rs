//! Embedded files that are only stored compressed, for the few clients that accept no compression: each is in memory
//! once, however many clients receive it.

use bytes::Bytes;
use flate2::read::GzDecoder;
use std::collections::HashMap;
use std::io::Read as _;
use std::sync::{LazyLock, Mutex, PoisonError};

/// At most all embedded files, about 4 MiB.
static UNPACKED: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);

/// The file at `path`, of which `packed` is the gzip form; `None` if that is not what the build wrote.
pub(super) fn of(path: &str, packed: &[u8]) -> Option<Bytes> {
    let mut files = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = files.get(path) {
        return Some(known.clone());
    }
    let mut plain = Vec::with_capacity(4 * packed.len());
    GzDecoder::new(packed).read_to_end(&mut plain).ok()?;
    let plain = Bytes::from(plain);
    files.insert(path.to_owned(), plain.clone());
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write as _;

    #[test]
    fn a_file_is_in_memory_only_once() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"the script").unwrap();
        let packed = encoder.finish().unwrap();
        let [first, again] = [(); 2].map(|()| of("assets/of-the-test.js", &packed).unwrap());
        assert_eq!((&first[..], first.as_ptr()), (&b"the script"[..], again.as_ptr()));
        assert_eq!(of("assets/broken.js", &packed[..10]), None);
    }
}
