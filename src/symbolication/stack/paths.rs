//! Parts of file paths.

/// What follows the last dot of the last segment.
pub(super) fn extension(path: &str) -> &str {
    let bytes = path.as_bytes();
    for at in (bytes.len().saturating_sub(8)..bytes.len()).rev() {
        match bytes[at] {
            b'.' => return &path[at + 1..],
            b'/' | b'\\' => break,
            _ => {}
        }
    }
    ""
}

pub(super) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\'])
}
