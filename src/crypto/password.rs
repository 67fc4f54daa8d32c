//! Password hashing with argon2id (m = 19,456 KiB, t = 2, p = 1), limited so that nobody can use it to
//! exhaust the machine: fewer hashes at a time than there are cores, a short queue, then 503.

use super::PASSWORD_LENGTH;
use super::token;
use crate::error::{Error, Result};
use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};

/// How long a sign-in waits for its turn to hash.
const WAIT: Duration = Duration::from_secs(5);
/// Hashes that may wait or run at once; each takes 25 ms of a core.
const QUEUE: usize = 64;

/// What every stored hash starts with (PHC string format).
const PREFIX: &str = "$argon2id$v=19$m=19456,t=2,p=1$";

/// The hash to verify against if no hash is stored, with the same parameters.
pub(crate) const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bWF5ZGF5LW5vYm9keS0wMA$r9MPzKFLms289mI7cYmBBX8aQzPRU5jiD3zkoFFdDqU";

/// Hashes and verifies passwords; there is no other way.
#[derive(Clone)]
pub struct Passwords {
    running: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

/// The most hashes at once. One core is left to events, and on many cores memory is the limit.
const AT_ONCE: usize = 4;

impl Default for Passwords {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            running: Arc::new(Semaphore::new(cores.saturating_sub(1).clamp(1, AT_ONCE))),
            queue: Arc::new(Semaphore::new(QUEUE)),
        }
    }
}

impl Passwords {
    /// Hashes a password for storing.
    pub async fn hash(&self, password: String) -> Result<String> {
        self.run(move || hash(&password)).await?
    }

    /// Verifies a password against a stored hash. `None` costs the same and is never right, so the time it
    /// takes does not reveal whether an account exists. A password that is longer than any can be is wrong
    /// without being hashed.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<bool> {
        if password.chars().nth(*PASSWORD_LENGTH.end()).is_some() {
            return self.run(|| verify("too long", None)).await;
        }
        self.run(move || verify(&password, stored.as_deref())).await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        const BUSY: &str = "Too many sign-ins at once. Try again in a few seconds.";
        let _place = self.queue.clone().try_acquire_owned().map_err(|_| Error::overloaded(BUSY))?;
        let turn = tokio::time::timeout(WAIT, self.running.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| Error::overloaded(BUSY))?.map_err(Error::internal)?;
        // A new thread, because a thread that has lowered its priority cannot raise it again.
        let (answer, answered) = oneshot::channel();
        let thread = std::thread::Builder::new().name("password".to_owned());
        let hashing = move || {
            let _turn = turn;
            give_way();
            // An error means that nobody is waiting any more.
            let _ = answer.send(work());
        };
        thread.spawn(hashing).map_err(Error::internal)?;
        answered.await.map_err(Error::internal)
    }
}

/// Lowers the thread's priority: events come first, and hashing takes the time that is left.
fn give_way() {
    const NICE: i32 = 19;
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::debug!(%error, "a password is hashed at normal priority");
    }
}

/// Blocks of 1 KiB that a hash uses,
const BLOCKS: usize = 19_456;
/// and that are allocated. Above 32 MiB every allocator (glibc's from there on, jemalloc from 8 MiB) maps
/// memory separately and returns it at once; the part that is not used is never touched. If each thread kept
/// its 19 MiB instead, 200 sign-ins at once took 1.1 GiB (measured with glibc's allocator).
const BLOCKS_ASKED: usize = 33 << 10;

fn argon2() -> Argon2<'static> {
    #[expect(clippy::expect_used, reason = "constants within argon2's bounds")]
    let params = Params::new(19_456, 2, 1, None).expect("the parameters are within argon2's bounds");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Hashes a password with a salt.
fn digest(password: &str, salt: &[u8]) -> Result<[u8; 32]> {
    let mut memory = Vec::with_capacity(BLOCKS_ASKED);
    memory.resize(BLOCKS, Block::new());
    let mut out = [0; 32];
    argon2()
        .hash_password_into_with_memory(password.as_bytes(), salt, &mut out, memory.as_mut_slice())
        .map_err(|error| Error::internal(error.to_string()))?;
    Ok(out)
}

fn hash(password: &str) -> Result<String> {
    let salt = token::random::<16>();
    let [salt_text, hash] =
        [&salt[..], &digest(password, &salt)?].map(|bytes| BASE64_STANDARD_NO_PAD.encode(bytes));
    Ok(format!("{PREFIX}{salt_text}${hash}"))
}

/// Whether a password matches a stored hash; without one, the same work is done in vain.
fn verify(password: &str, stored: Option<&str>) -> bool {
    let Ok(parsed) = PasswordHash::new(stored.unwrap_or(NOBODY)) else { return false };
    let (Some(salt), Some(hash)) = (parsed.salt, parsed.hash) else { return false };
    let computed = digest(password, salt.as_ref()).ok().and_then(|bytes| Output::new(&bytes).ok());
    // `Output` compares in constant time.
    let matches = computed.is_some_and(|computed| computed == hash);
    let is_ours = stored.is_some_and(|stored| stored.starts_with(PREFIX));
    matches && is_ours
}
