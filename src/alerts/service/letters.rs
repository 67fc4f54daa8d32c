//! Sends messages to channels. An issue's details are added at this point.

use crate::alerts::letter::Letter;
use crate::delivery::details::FindDetails;
use crate::delivery::hook::Hooks;
use crate::delivery::{Attempt, Failure, Parcel, Transport};
use std::sync::Arc;

/// Sends letters.
pub struct Letters {
    pub hooks: Hooks,
    pub details: Arc<dyn FindDetails>,
}

impl Letters {
    async fn post(&self, parcel: &Parcel) -> Result<(), Failure> {
        let letter = serde_json::from_slice(&parcel.payload);
        let letter: Letter = letter.map_err(|_| Failure::permanent("the message can no longer be read"))?;
        let mut message = letter.message;
        if let Some((project, issue)) = letter.issue {
            message.details = self.details.find(project, issue).await;
        }
        self.hooks.post(&message.hook(letter.kind, &letter.target), &parcel.idempotency_key).await
    }
}

impl Transport for Letters {
    fn send<'a>(&'a self, parcel: &'a Parcel) -> Attempt<'a> {
        Box::pin(self.post(parcel))
    }
}
