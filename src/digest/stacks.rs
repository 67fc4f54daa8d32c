//! Remembers recently resolved stacks. Most events of an issue throw from the same place; resolving the
//! frames again, and serializing and hashing them only to find them stored already, was a third of the
//! digest's work.

use crate::error::{Error, Result};
use crate::event::frame::Frame;
use crate::ids::{ProjectId, ReleaseId, SourceMapId};
use crate::releases::Candidates;
use crate::store::compress;
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of JSON of all remembered stacks, about 8 KB each with their source lines; the frames take about as
/// much again.
const REMEMBERED: usize = 8 << 20;
/// The largest stack that is remembered, in bytes of JSON.
const REMEMBERED_ONE: usize = 256 << 10;

/// Texts remembered; most of them lead to the same few stacks.
const TEXTS: usize = 4_096;

/// The frames of an exception and of each of its causes.
type Chain = Vec<Vec<Frame>>;

/// A resolved chain.
pub struct Stack {
    pub chain: Chain,
    /// The source maps that resolved its frames, each once.
    pub maps: Vec<SourceMapId>,
    /// Its stored form; `None` without frames.
    pub stored: Option<StackBlob>,
    /// Bytes of its JSON.
    pub size: usize,
}

/// A chain as it is stored.
pub struct StackBlob {
    /// zstd of the JSON of the chain.
    pub frames: Vec<u8>,
    /// blake3 of the JSON.
    pub hash: [u8; 16],
}

/// A project and release. (Which debug ids are known is the same within a project until something changes.)
type StackScope = (ProjectId, Option<ReleaseId>);

fn place(candidates: &Candidates) -> StackScope {
    (candidates.project, candidates.release.as_ref().map(|release| release.id))
}

/// Chains before resolving, each with its result. Valid as long as releases and maps stay the same: the
/// resolver clears them together with its own cache.
///
/// These are our own tables rather than a crate's caches, because both hold the same stacks, so they are
/// limited together and cleared together. Two caches would each count what they share, and keep twice as much
/// or half as much.
#[derive(Default)]
pub struct Stacks {
    known: HashMap<(StackScope, Chain), Arc<Stack>>,
    /// The same, by the hash of the text they were parsed from.
    texts: HashMap<(StackScope, [u8; 32]), FromText>,
    bytes: usize,
}

impl Stacks {
    pub fn clear(&mut self) {
        self.known.clear();
        self.texts.clear();
        self.bytes = 0;
    }

    pub fn get(&self, candidates: &Candidates, chain: Chain) -> Lookup {
        let key = (place(candidates), chain);
        match self.known.get(&key) {
            Some(known) => Lookup::Known(known.clone()),
            None => Lookup::New(key.1),
        }
    }

    pub fn get_text(&self, candidates: &Candidates, hash: [u8; 32]) -> Option<FromText> {
        self.texts.get(&(place(candidates), hash)).cloned()
    }

    pub fn remember_text(&mut self, candidates: &Candidates, hash: [u8; 32], found: FromText) {
        if found.stack.size > REMEMBERED_ONE {
            return;
        }
        if self.texts.len() >= TEXTS {
            self.texts.clear();
        }
        self.texts.insert((place(candidates), hash), found);
    }

    pub fn remember(&mut self, candidates: &Candidates, chain: Chain, stack: Arc<Stack>) {
        if stack.size > REMEMBERED_ONE {
            return;
        }
        if self.bytes + stack.size > REMEMBERED {
            self.clear();
        }
        // A chain without frames has a key, too.
        self.bytes += stack.size.max(64);
        self.known.insert((place(candidates), chain), stack);
    }
}

/// The result for the texts of a chain, and the platform judging by their notation.
#[derive(Clone)]
pub struct FromText {
    pub stack: Arc<Stack>,
    pub platform: Option<&'static str>,
    /// Which exceptions of the chain have more frames than are kept, as bits.
    pub cut: u16,
}

/// The result of a look-up; a new chain is handed back.
pub enum Lookup {
    Known(Arc<Stack>),
    New(Chain),
}

impl Stack {
    /// Serializes a resolved chain.
    pub fn new(chain: Chain) -> Result<Self> {
        if chain.iter().all(Vec::is_empty) {
            return Ok(Self { chain, maps: Vec::new(), stored: None, size: 0 });
        }
        let json = serde_json::to_vec(&chain).map_err(Error::internal)?;
        let mut hash = [0; 16];
        hash.copy_from_slice(&blake3::hash(&json).as_bytes()[..16]);
        let stored = Some(StackBlob { frames: compress(&json)?, hash });
        Ok(Self { maps: maps_of(&chain), stored, size: json.len(), chain })
    }

    /// Whether a source map should resolve one of its frames, and none does.
    pub fn is_open(&self) -> bool {
        self.chain.iter().flatten().any(|frame| frame.mappable && frame.resolved.is_none())
    }
}

fn maps_of(chain: &[Vec<Frame>]) -> Vec<SourceMapId> {
    let resolved = chain.iter().flatten().filter_map(|frame| frame.resolved.as_ref());
    let mut maps: Vec<SourceMapId> = resolved.map(|resolved| resolved.source_map_id).collect();
    maps.sort_unstable();
    maps.dedup();
    maps
}
