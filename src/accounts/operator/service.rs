//! Each command of `mayday user`, in a transaction.

use super::sql;
use crate::accounts::links::{self, Purpose};
use crate::accounts::people::People;
use crate::accounts::{check_name, name_from};
use crate::config::{Addresses, Config};
use crate::control::{Lines, Users};
use crate::crypto::secret::Secret;
use crate::crypto::token;
use crate::error::Result;
use crate::roles::Role;
use crate::store::{Main, Transaction};
use crate::text::email::normal_email;
use crate::time::Timestamp;
use std::sync::Arc;

/// The operator, acting on a running server, or on a data directory that no other process uses.
pub struct Operator {
    main: Main,
    jwt: Secret,
    addresses: Addresses,
    passwords: bool,
    single_org: bool,
    /// The server, if it is running.
    people: Option<Arc<People>>,
}

impl Operator {
    pub fn of_server(people: &Arc<People>) -> Self {
        Self {
            main: people.main.clone(),
            jwt: people.secrets.jwt.clone(),
            addresses: people.addresses.clone(),
            passwords: people.config.sign_in.password_enabled,
            single_org: people.single_org,
            people: Some(people.clone()),
        }
    }

    /// # Errors
    /// If the directory cannot be read.
    pub fn of_directory(config: &Config, jwt: Secret, main: Main) -> Result<Self> {
        Ok(Self {
            single_org: crate::accounts::service::claim::mode(config, &main)?,
            addresses: config.addresses(config.listen.port()),
            passwords: config.sign_in.password_enabled,
            main,
            jwt,
            people: None,
        })
    }

    async fn write<F>(&self, write: F) -> Result<Lines>
    where
        F: FnOnce(&Transaction<'_>) -> Result<Vec<String>> + Send + 'static,
    {
        let lines = self.main.write(write).await?;
        if let Some(people) = &self.people {
            people.live.check_watchers();
        }
        Ok(Lines(lines))
    }

    /// A link to set a password, for the operator to pass on: using it does not prove the mailbox.
    fn link(&self) -> Option<Link> {
        let token = token::link();
        self.passwords.then(|| Link {
            hash: token::keyed_hash(&self.jwt, &token),
            url: format!("{}/reset-password#token={token}", self.addresses.frontend),
        })
    }
}

/// A link to create.
struct Link {
    hash: [u8; 32],
    url: String,
}

impl Link {
    fn make(&self, tx: &Transaction<'_>, account: &crate::accounts::User, now: Timestamp) -> Result<String> {
        let link = links::sql::NewLink {
            user: account.id,
            purpose: Purpose::PasswordReset,
            token_hash: self.hash,
            email: &account.email,
            mailed: false,
            created_by: None,
            lifetime: links::HANDED,
        };
        links::sql::add(tx, &link, now)?;
        Ok(format!("Link to set a password, valid once and for 24 hours: {}", self.url))
    }
}

const NO_PASSWORDS: &str = "PASSWORD_AUTH_ENABLED is false, so they sign in through a provider.";

impl Users for Operator {
    async fn add(
        &self,
        email: &str,
        name: Option<&str>,
        role: Role,
        organization: Option<&str>,
    ) -> Result<Lines> {
        let email = normal_email(email)?;
        let name = check_name("name", name.unwrap_or(name_from(&email)))?;
        let (organization, single_org, link) =
            (organization.map(str::to_owned), self.single_org, self.link());
        self.write(move |tx| {
            let now = Timestamp::now();
            let user = sql::add(tx, single_org, &email, &name, (role, organization.as_deref()), now)?;
            let made = format!("{email} now has an account.");
            let next = link.map_or(Ok(NO_PASSWORDS.to_owned()), |link| link.make(tx, &user, now))?;
            Ok(vec![made, next])
        })
        .await
    }

    async fn list(&self) -> Result<Lines> {
        self.main.read(sql::list).await.map(Lines)
    }

    async fn disable(&self, email: &str) -> Result<Lines> {
        let email = normal_email(email)?;
        self.write(move |tx| {
            sql::set_disabled(tx, &email, true, Timestamp::now())?;
            Ok(vec![format!("{email} is disabled; their sessions have ended.")])
        })
        .await
    }

    async fn enable(&self, email: &str) -> Result<Lines> {
        let email = normal_email(email)?;
        self.write(move |tx| {
            sql::set_disabled(tx, &email, false, Timestamp::now())?;
            Ok(vec![format!("{email} may sign in again.")])
        })
        .await
    }

    async fn reset_link(&self, email: &str) -> Result<Lines> {
        let (email, link) = (normal_email(email)?, self.link());
        self.write(move |tx| {
            let now = Timestamp::now();
            let user = sql::for_link(tx, &email, now)?;
            let line = link.map_or(Ok(NO_PASSWORDS.to_owned()), |link| link.make(tx, &user, now))?;
            Ok(vec![line])
        })
        .await
    }
}
