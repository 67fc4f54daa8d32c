//! The second check.

use super::{Proof, Standing};
use crate::accounts::{sign_in, tokens};
use crate::error::{Error, Result};
use crate::organizations::sql as organizations;
use crate::time::Timestamp;
use rusqlite::Transaction;

impl Standing {
    /// # Errors
    /// Unauthenticated if the session or token has ended or its person is disabled; forbidden if they no
    /// longer have the role.
    pub fn check(&self, tx: &Transaction<'_>) -> Result<()> {
        let now = Timestamp::now();
        let user = match &self.proof {
            Proof::Session(hash) => {
                sign_in::sql::find(tx, hash, self.single_org, now)?.map(|found| found.user.id)
            }
            Proof::Token(hash) => {
                tokens::sql::find(tx, hash, self.single_org, now)?.map(|found| found.user.id)
            }
        };
        if user != Some(self.user) {
            return Err(Error::signed_out());
        }
        let Some((organization, needed)) = self.within else { return Ok(()) };
        match organizations::role(tx, self.user, organization)? {
            Some(role) if role >= needed => Ok(()),
            _ => Err(Error::no_organization_access()),
        }
    }
}
