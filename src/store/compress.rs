//! zstd with a context kept for each thread: creating one costs more than compressing an event.

use crate::error::{Error, Result};
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::get_frame_content_size;

/// The level is what the measurements favour: higher ones cost more than they save.
const LEVEL: i32 = 1;

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Compresses; called by the thread that brings the bytes, never by a writer.
pub fn compress(plain: &[u8]) -> Result<Vec<u8>> {
    let compressed = COMPRESSOR.with_borrow_mut(|kept| match kept {
        Some(compressor) => compressor.compress(plain),
        None => kept.insert(Compressor::new(LEVEL)?).compress(plain),
    });
    compressed.map_err(Error::internal)
}

/// Decompresses what [`compress`] produced, to at most `most` bytes.
///
/// # Errors
/// If it is damaged or larger.
pub fn decompress(compressed: &[u8], most: usize) -> Result<Vec<u8>> {
    // The frame says how large it is, so no more than that is allocated.
    let announced = get_frame_content_size(compressed).ok().flatten();
    let room = announced.map_or(most, |size| usize::try_from(size).unwrap_or(most).min(most));
    let plain = DECOMPRESSOR.with_borrow_mut(|kept| match kept {
        Some(decompressor) => decompressor.decompress(compressed, room),
        None => kept.insert(Decompressor::new()?).decompress(compressed, room),
    });
    plain.map_err(Error::internal)
}
