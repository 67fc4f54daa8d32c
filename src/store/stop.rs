//! Ending a copy early.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends a copy early, from another thread.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn ask(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// # Errors
    /// Once the copy is to end.
    pub fn check(&self) -> Result<()> {
        if self.is_asked() { Err(Error::internal("the copy was ended early")) } else { Ok(()) }
    }
}
