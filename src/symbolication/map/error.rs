//! What can go wrong, in words for the person who uploaded the map or looks after the files.

use std::io;

/// Why an upload was not converted. Every message except those of [`MapError::Write`] and
/// [`MapError::Thread`] concerns the upload and may be shown to the uploader.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// Not JSON at all; the cause tells line and column.
    #[error("not JSON: {0}")]
    Json(String),
    /// JSON, but not what a source map looks like.
    #[error("not a source map: {0}")]
    Shape(String),
    /// A wrong value inside `mappings`.
    #[error("bad mappings{section}: generated line {line}, segment {segment}: {problem}")]
    Mapping {
        /// `""`, or ` of sections[3].map`.
        section: String,
        /// 1-based generated line (the count of `;` before, plus one).
        line: u64,
        /// 1-based segment within that line.
        segment: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// More than [`Budget`](super::Budget) allows.
    #[error("too many {what}: {got}, the limit is {limit}")]
    OverBudget {
        /// What was counted.
        what: &'static str,
        /// The most that is allowed.
        limit: u64,
        /// What the map has (at least: counting stops at the limit).
        got: u64,
    },
    /// The writer failed (a full disk): not the uploader's fault.
    #[error("writing the compact map: {0}")]
    Write(#[from] io::Error),
    /// The worker thread could not be started or died: not the uploader's fault.
    #[error("converting the map: {0}")]
    Thread(String),
}

impl MapError {
    /// Whether the upload is at fault (422) rather than this server (503).
    pub fn is_upload_fault(&self) -> bool {
        !matches!(self, Self::Write(_) | Self::Thread(_))
    }
}

/// Why a compact file could not be opened. All except [`OpenError::Io`] are fixed by converting the upload
/// again.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file is missing or cannot be mapped.
    #[error("opening the compact map: {0}")]
    Io(#[from] io::Error),
    /// Written by another version of this program.
    #[error("compact map of format {got}, this program reads format {expected}")]
    Version {
        /// The file's format.
        got: u32,
        /// [`FORMAT_VERSION`](super::FORMAT_VERSION).
        expected: u32,
    },
    /// Not a compact map, cut short, or changed since it was written.
    #[error("damaged compact map: {0}")]
    Damaged(&'static str),
}
