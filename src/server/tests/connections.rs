//! A connection to a service that answered once, and then no more.

use super::TestServer;
use crate::connections::sql::{self, New};
use crate::connections::{Credentials, Kind, Settings};
use crate::crypto::seal::Seal;
use crate::ids::{OrganizationId, UserId};
use crate::store::Transaction;
use crate::time::Timestamp;

impl TestServer {
    /// Connects a tracker.
    pub(super) async fn connect(&mut self) {
        let organization = OrganizationId(self.known["organization_id"].parse().unwrap());
        let by = UserId(self.known["owner"].parse().unwrap());
        let seal = Seal::new(&self.app.people.secrets.cloud);
        let create = move |tx: &Transaction<'_>| {
            let settings =
                Settings { url: Some("https://tracker.invalid".to_owned()), ..Settings::default() };
            let new = New {
                organization,
                kind: Kind::Linear,
                display_name: "Tracker",
                account: "Acme",
                external_id: None,
                credentials: Some(&Credentials { token: "secret".to_owned() }),
                settings: &settings,
                by,
            };
            sql::create(tx, &seal, &new, Timestamp::now())
        };
        let made = self.app.main.write(create).await.unwrap();
        self.known.insert("connection_id".to_owned(), made.connection.id.to_string());
    }
}
