//! Trains the dictionary with which rows of a database are compressed: for the first time when there are some
//! hundred rows, then each time there are eight times as many. A new dictionary is used only if it is worth
//! it.

use super::dictionaries::{self, Samples};
use super::{Database, Dictionary};
use crate::error::Result;
use crate::time::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// Rows before the first dictionary.
const FIRST: i64 = 500;
/// Rows for one training; every fifth is held back to evaluate it.
const SAMPLES: i64 = 500;
/// The factor by which the rows must have grown before the next training.
const GROWTH: i64 = 8;
/// A new dictionary must save this fraction of the size with the old one: a twentieth.
const WORTH: usize = 20;

/// When a dictionary is trained next, and whether one is being trained.
pub struct Trainer {
    samples: &'static Samples,
    /// The position at which to check again; 0: not known yet.
    due: AtomicI64,
    running: AtomicBool,
}

impl Trainer {
    pub fn new(samples: &'static Samples) -> Self {
        Self { samples, due: AtomicI64::new(0), running: AtomicBool::new(false) }
    }

    /// Trains a dictionary on a separate thread if it is time. `position` grows with each row.
    pub fn look(self: &Arc<Self>, main: &Database, position: i64) {
        if position < self.due.load(Ordering::Relaxed).max(FIRST)
            || self.running.swap(true, Ordering::Relaxed)
        {
            return;
        }
        let (trainer, main) = (self.clone(), main.clone());
        let train = move || {
            give_way();
            let missing = trainer.train_if_due(&main).unwrap_or_else(|error| {
                tracing::warn!(%error, "no dictionary was trained");
                position
            });
            // At most every position becomes a row.
            trainer.due.store(position.saturating_add(missing), Ordering::Relaxed);
            trainer.running.store(false, Ordering::Relaxed);
        };
        if let Err(error) = std::thread::Builder::new().name("dictionary".into()).spawn(train) {
            tracing::warn!(%error, "no dictionary can be trained");
            self.running.store(false, Ordering::Relaxed);
        }
    }

    /// Trains if it is time; returns how many more rows there must be before it is worth checking again.
    pub fn train_if_due(&self, main: &Database) -> Result<i64> {
        let state = |c: &_| Ok((dictionaries::trained(c)?, (self.samples.newest)(c)?));
        let (trained, newest) = main.readers.read_blocking(state)?;
        let due = (trained.at_row * GROWTH).max(FIRST);
        if trained.dictionaries >= dictionaries::DICTIONARIES_MAX {
            return Ok(i64::MAX);
        }
        if newest < due {
            return Ok(due - newest);
        }
        train(main, self.samples, newest)?;
        Ok(newest.saturating_mul(GROWTH - 1))
    }
}

/// Lowers the thread's priority, because nobody waits for it.
fn give_way() {
    if let Err(error) = rustix::process::setpriority_process(None, 10) {
        tracing::debug!(%error, "a dictionary is trained at normal priority");
    }
}

/// Trains on stored rows and uses the new dictionary if it is better than the one in use.
pub fn train(main: &Database, kind: &Samples, newest: i64) -> Result<()> {
    let samples = main.readers.read_blocking(|c| dictionaries::samples(c, kind, SAMPLES))?;
    let (judges, samples): (Vec<_>, Vec<_>) =
        samples.into_iter().enumerate().partition(|(at, _)| at % 5 == 0);
    let samples: Vec<Vec<u8>> = samples.into_iter().map(|(_, sample)| sample).collect();
    let dictionary = Dictionary::train(&samples)?;
    let (mut before, mut after) = (0, 0);
    for (_, sample) in &judges {
        before += main.packer.pack(sample)?.len();
        after += dictionary.pack(sample)?.len();
    }
    tracing::info!(of = kind.what, rows = newest, before, after, "trained a dictionary");
    if after + before / WORTH >= before {
        return Ok(());
    }
    let dictionary = Arc::new(dictionary);
    let stored = dictionary.clone();
    main.write_blocking(move |tx| dictionaries::insert(tx, &stored, newest, Timestamp::now()))?;
    main.packer.use_from_now(dictionary);
    Ok(())
}
