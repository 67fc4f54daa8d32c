//! Text sealed with a passphrase: the secrets of a backup.
//!
//! The key is derived with argon2id, at a much higher cost than a password's hash, because whoever has the file can
//! guess without limit. The parameters are stored with the sealed text, so that later versions can raise them.

use super::PASSWORD_LENGTH;
use super::secret::Secret;
use super::token;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};

/// The cost of new keys: a fifth of a second on one core.
const MEMORY_KIB: u32 = 64 << 10;
const PASSES: u32 = 4;
/// The highest cost that is accepted from a file, which may come from anywhere.
const MEMORY_KIB_MAX: u32 = 1 << 20;
const PASSES_MAX: u32 = 64;

const KDF: &str = "argon2id";
const CIPHER: &str = "xchacha20poly1305";

/// The minimum length of a passphrase.
pub const PASSPHRASE_MIN: usize = *PASSWORD_LENGTH.start();

/// Sealed text with everything needed to open it except the passphrase. Salt, nonce and text are base64.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Sealed {
    kdf: String,
    memory_kib: u32,
    passes: u32,
    salt: String,
    cipher: String,
    nonce: String,
    sealed: String,
}

/// Why sealed text does not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the passphrase is not the one that the secrets were sealed with")]
    Wrong,
    #[error(
        "the sealed secrets cannot be read: they are damaged, or sealed in a way that this Mayday does not know"
    )]
    Unknown,
}

impl Sealed {
    /// Seals `plain`. It opens only with the same `about`, which is not secret and says what the text belongs to.
    ///
    /// # Errors
    /// If the key cannot be derived.
    pub fn new(passphrase: &Secret, about: &str, plain: &[u8]) -> Result<Self, Refusal> {
        let (salt, nonce) = (token::random::<16>(), token::random::<24>());
        let cipher = cipher(passphrase, &salt, MEMORY_KIB, PASSES)?;
        let payload = Payload { msg: plain, aad: about.as_bytes() };
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| Refusal::Unknown)?;
        Ok(Self {
            kdf: KDF.to_owned(),
            memory_kib: MEMORY_KIB,
            passes: PASSES,
            salt: BASE64_STANDARD.encode(salt),
            cipher: CIPHER.to_owned(),
            nonce: BASE64_STANDARD.encode(nonce),
            sealed: BASE64_STANDARD.encode(sealed),
        })
    }

    /// # Errors
    /// If the passphrase is wrong, or this is not text that we sealed.
    pub fn open(&self, passphrase: &Secret, about: &str) -> Result<Vec<u8>, Refusal> {
        let is_known = self.kdf == KDF
            && self.cipher == CIPHER
            && (1..=MEMORY_KIB_MAX).contains(&self.memory_kib)
            && (1..=PASSES_MAX).contains(&self.passes);
        if !is_known {
            return Err(Refusal::Unknown);
        }
        let decoded = |text: &str| BASE64_STANDARD.decode(text).map_err(|_| Refusal::Unknown);
        let (salt, nonce, sealed) = (decoded(&self.salt)?, decoded(&self.nonce)?, decoded(&self.sealed)?);
        let nonce: [u8; 24] = nonce.try_into().map_err(|_| Refusal::Unknown)?;
        let cipher = cipher(passphrase, &salt, self.memory_kib, self.passes)?;
        let payload = Payload { msg: &sealed, aad: about.as_bytes() };
        cipher.decrypt(&XNonce::from(nonce), payload).map_err(|_| Refusal::Wrong)
    }
}

fn cipher(
    passphrase: &Secret,
    salt: &[u8],
    memory_kib: u32,
    passes: u32,
) -> Result<XChaCha20Poly1305, Refusal> {
    let params = Params::new(memory_kib, passes, 1, None).map_err(|_| Refusal::Unknown)?;
    let mut memory = vec![Block::new(); params.block_count()];
    let mut key = [0; 32];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into_with_memory(passphrase.bytes(), salt, &mut key, memory.as_mut_slice())
        .map_err(|_| Refusal::Unknown)?;
    Ok(XChaCha20Poly1305::new(&key.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_passphrase_and_context_open_it() {
        let right = Secret::new("a passphrase for tests");
        let sealed = Sealed::new(&right, "instance 1", b"JWT_SECRET=x").unwrap();
        let text = serde_json::to_string(&sealed).unwrap();
        assert!(!text.contains("JWT_SECRET"));
        let read: Sealed = serde_json::from_str(&text).unwrap();
        assert_eq!(read.open(&right, "instance 1").unwrap(), b"JWT_SECRET=x");
        assert_eq!(read.open(&Secret::new("a passphrase for test"), "instance 1"), Err(Refusal::Wrong));
        assert_eq!(read.open(&right, "instance 2"), Err(Refusal::Wrong));
    }

    #[test]
    fn parameters_from_a_file_are_bounded() {
        let passphrase = Secret::new("a passphrase for tests");
        let sealed = Sealed::new(&passphrase, "", b"x").unwrap();
        let changes: [fn(&mut Sealed); 6] = [
            |sealed| sealed.memory_kib = MEMORY_KIB_MAX + 1,
            |sealed| sealed.memory_kib = 0,
            |sealed| sealed.passes = u32::MAX,
            |sealed| sealed.kdf = "scrypt".to_owned(),
            |sealed| sealed.nonce = "AAAA".to_owned(),
            |sealed| sealed.salt = "?".to_owned(),
        ];
        for change in changes {
            let mut changed = sealed.clone();
            change(&mut changed);
            assert_eq!(changed.open(&passphrase, ""), Err(Refusal::Unknown), "{changed:?}");
        }
    }
}
