//! Reads the feed of releases.

use super::{Release, newest, sql};
use crate::config::Config;
use crate::error::Result;
use crate::outbound::{Client, Policy, Request};
use crate::signals::{self, NewSignal, Subscribers};
use crate::store::{Main, Transaction};
use crate::time::Timestamp;
use std::sync::Arc;

pub struct UpdateService {
    main: Main,
    client: Client,
    feed: String,
    subscribers: Arc<Subscribers>,
}

impl UpdateService {
    /// `None` if no feed is configured.
    pub fn new(
        main: &Main,
        outbound: &Client,
        config: &Config,
        subscribers: &Arc<Subscribers>,
    ) -> Option<Self> {
        let (main, client, feed) = (main.clone(), outbound.clone(), config.update_feed_url.clone()?);
        Some(Self { main, client, feed, subscribers: subscribers.clone() })
    }

    /// Reads the feed, unless it was read in the last day, or failed in the last half hour.
    ///
    /// # Errors
    /// Storage trouble. If the feed does not answer, the page of the instance shows why.
    pub async fn check_if_due(&self) -> Result<()> {
        let now = Timestamp::now();
        if !self.main.read(sql::knowledge).await?.is_due(now) {
            return Ok(());
        }
        self.main.write(move |tx| sql::try_now(tx, now)).await?;
        match self.ask().await {
            Ok(newest) => {
                if self.main.write(move |tx| learn(tx, newest, now)).await? {
                    self.subscribers.notify();
                }
                Ok(())
            }
            Err(error) => {
                tracing::info!(%error, "the feed of releases could not be read");
                self.main.write(move |tx| sql::fail(tx, &error)).await
            }
        }
    }

    async fn ask(&self) -> std::result::Result<Option<Release>, String> {
        // The operator names the feed, which may be in a private network.
        let answer = self.client.fetch(Request::get(&self.feed), Policy::Configured).await;
        let answer = answer.map_err(|error| error.to_string())?;
        if !answer.status.is_success() {
            return Err(format!("the feed answered {}", answer.status));
        }
        newest(&answer.body).map_err(str::to_owned)
    }
}

/// Stores the newest release; if it is newer than the running one, writes a signal, once for each version. Returns
/// whether it did.
fn learn(tx: &Transaction<'_>, newest: Option<Release>, now: Timestamp) -> Result<bool> {
    let mut knowledge = sql::knowledge(tx)?.with(newest, now);
    let news = knowledge.news().cloned();
    if let Some(Release { version, url }) = &news {
        tracing::info!(%version, "a newer release is available");
        signals::sql::add(tx, &NewSignal::of_update(&version.to_string(), url.as_deref()), now)?;
        knowledge.signalled = Some(version.clone());
    }
    sql::learn(tx, &knowledge)?;
    Ok(news.is_some())
}
