//! Brotli in bounded memory. A decoder takes up to 16 MiB for its window, whatever the body's limit, and an
//! allocator with a pool for each thread keeps that in every thread that ever decompressed one: with glibc's,
//! 200 bodies of fifty bytes at once took 177 MiB. So large pieces are mapped, and unmapped with the decoder.

use brotli_decompressor::reader::DecompressorCustomAlloc as Reader;
use brotli_decompressor::writer::DecompressorWriterCustomAlloc as Writer;
use brotli_decompressor::{Allocator, SliceWrapper, SliceWrapperMut, StandardAlloc};
use memmap2::MmapMut;
use std::io::{Read, Write};

/// Allocations of this size and larger are mapped, in bytes.
const LARGE: usize = 128 << 10;
/// Bytes read or written at once.
const BUFFER: usize = 4 << 10;

/// Decompresses what it reads.
pub(super) fn reader(wire: impl Read) -> impl Read {
    Reader::new(wire, Maps.alloc_cell(BUFFER), Maps, StandardAlloc::default(), StandardAlloc::default())
}

/// Decompresses what is written to it.
pub(super) fn writer<W: Write + Send + 'static>(plain: W) -> impl Write + Send {
    Writer::new(plain, Maps.alloc_cell(BUFFER), Maps, StandardAlloc::default(), StandardAlloc::default())
}

/// Allocates zeroed memory, mapped if it is large.
struct Maps;

enum Memory {
    Small(Vec<u8>),
    Large(MmapMut),
}

impl Allocator<u8> for Maps {
    type AllocatedMemory = Memory;

    fn alloc_cell(&mut self, length: usize) -> Memory {
        let mapped = if length < LARGE { None } else { MmapMut::map_anon(length).ok() };
        mapped.map_or_else(|| Memory::Small(vec![0; length]), Memory::Large)
    }

    fn free_cell(&mut self, memory: Memory) {
        drop(memory);
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::Small(Vec::new())
    }
}

impl SliceWrapper<u8> for Memory {
    fn slice(&self) -> &[u8] {
        match self {
            Self::Small(bytes) => bytes,
            Self::Large(map) => map,
        }
    }
}

impl SliceWrapperMut<u8> for Memory {
    fn slice_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Small(bytes) => bytes,
            Self::Large(map) => map,
        }
    }
}
