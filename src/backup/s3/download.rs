//! Reading an object.

use bytes::{Buf as _, Bytes};
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use std::io::{self, Read};
use tokio::runtime::Handle;

/// Reads an object piece by piece.
pub(super) struct Download {
    pieces: BoxStream<'static, object_store::Result<Bytes>>,
    piece: Bytes,
    runtime: Handle,
}

impl Download {
    pub(super) fn new(pieces: BoxStream<'static, object_store::Result<Bytes>>, runtime: Handle) -> Self {
        Self { pieces, piece: Bytes::new(), runtime }
    }
}

impl Read for Download {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.runtime.block_on(self.pieces.next()) {
                Some(piece) => self.piece = piece.map_err(|error| super::unreached(&error))?,
                None => return Ok(0),
            }
        }
        let read = self.piece.len().min(into.len());
        self.piece.copy_to_slice(&mut into[..read]);
        Ok(read)
    }
}
