//! Sealed values: somebody who has the database without `CLOUD_SECRET_KEY` cannot read them, and a value that
//! is moved to another row or column does not open.
//!
//! A sealed value is a version (1 byte), the key's id (4 bytes), a random nonce (24 bytes) and the ciphertext
//! with its tag (XChaCha20-Poly1305: nonces of that length may be random). The value's place is the
//! associated data.

use crate::crypto::secret::Secret;
use crate::crypto::token;
use crate::error::{Error, Result};
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

const VERSION: u8 = 1;
const ID: usize = 4;
const NONCE: usize = 24;
/// Bytes before the ciphertext.
const HEAD: usize = 1 + ID + NONCE;

/// What a sealed value is bound to: it opens nowhere else.
#[derive(Debug, Clone, Copy)]
pub struct SealContext<'a> {
    pub table: &'static str,
    pub column: &'static str,
    /// Identifies the row for its whole life, and is known before it is written.
    pub row: &'a str,
}

impl SealContext<'_> {
    /// Each part prefixed with its length, so that no two places have the same bytes.
    fn bytes(&self) -> Vec<u8> {
        let parts = [self.table, self.column, self.row];
        parts
            .iter()
            .flat_map(|part| {
                let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
                length.to_be_bytes().into_iter().chain(part.bytes())
            })
            .collect()
    }
}

/// Seals and opens values with a key derived from `CLOUD_SECRET_KEY`.
#[derive(Clone)]
pub struct Seal {
    cipher: XChaCha20Poly1305,
    id: [u8; ID],
}

impl Seal {
    pub fn new(secret: &Secret) -> Self {
        let key = token::keyed_hash(secret, "mayday seal 1: key");
        let named = token::keyed_hash(secret, "mayday seal 1: id of the key");
        Self { cipher: XChaCha20Poly1305::new(&key.into()), id: [named[0], named[1], named[2], named[3]] }
    }

    /// # Errors
    /// Internal if the operating system cannot provide randomness.
    pub fn seal(&self, place: &SealContext<'_>, plain: &[u8]) -> Result<Vec<u8>> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|error| Error::internal(error.to_string()))?;
        let payload = Payload { msg: plain, aad: &place.bytes() };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| Error::internal("a value cannot be sealed"))?;
        Ok([[VERSION].as_slice(), &self.id, &nonce, &sealed].concat())
    }

    /// # Errors
    /// Internal if it was sealed with another key or for another place, or is damaged.
    pub fn open(&self, place: &SealContext<'_>, sealed: &[u8]) -> Result<Vec<u8>> {
        let fault =
            |cause: &str| Error::internal(format!("{}.{} of a row {cause}", place.table, place.column));
        let Some((head, ciphertext)) = sealed.split_at_checked(HEAD).filter(|(head, _)| head[0] == VERSION)
        else {
            return Err(fault("is not a sealed value"));
        };
        if head[1..=ID] != self.id {
            return Err(fault(
                "was sealed with another CLOUD_SECRET_KEY: give the one that belongs to main.db",
            ));
        }
        let mut nonce = [0; NONCE];
        nonce.copy_from_slice(&head[1 + ID..]);
        let payload = Payload { msg: ciphertext, aad: &place.bytes() };
        self.cipher
            .decrypt(&XNonce::from(nonce), payload)
            .map_err(|_| fault("does not open: it is damaged, or was moved from another row"))
    }
}

#[cfg(test)]
mod tests;
