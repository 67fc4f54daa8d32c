//! What leads out of the server: deliveries, connections, backups.

use super::Stores;
use crate::alerts::service::letters::Letters;
use crate::backup::service::Backups;
use crate::config::{Addresses, Config, Secrets};
use crate::connections::github::Github;
use crate::connections::service::Connector;
use crate::context::service::details::Finder;
use crate::crypto::seal::Seal;
use crate::deliveries::{Channel, Deliveries};
use crate::delivery::Transport;
use crate::delivery::details::FindDetails;
use crate::delivery::hook::Hooks;
use crate::delivery::mail::Mailer;
use crate::error::Result;
use crate::outbound::{self, Policy};
use crate::sessions::service::pulls::PullRequests;
use crate::tickets::service::Tickets;
use std::sync::Arc;

/// Where the channels of alert rules may lead: people of a project name them.
pub(super) fn alert_policy(config: &Config) -> Policy {
    if config.alerts_allow_private_urls { Policy::Open } else { Policy::Guarded }
}

/// What opens connections. Where they lead is named by the administrators of organizations, but for the code host.
pub(super) fn connector(
    config: &Config,
    secrets: &Secrets,
    stores: &Stores,
    outbound: &outbound::Client,
) -> Connector {
    Connector {
        main: stores.main.clone(),
        seal: Seal::new(&secrets.cloud),
        client: outbound.clone(),
        policy: if config.connections_allow_private_urls { Policy::Open } else { Policy::Guarded },
        github: config.host_app.clone().map(|app| Github::new(app, outbound.clone())),
    }
}

pub(super) fn backups(config: &Config, stores: &Stores, outbound: &outbound::Client) -> Backups {
    Backups {
        main: stores.main.clone(),
        config: config.backup.clone(),
        data_dir: config.data_dir.clone(),
        floor: config.disk_floor_bytes,
        client: outbound.clone(),
    }
}

/// The deliveries, with the channels that are configured.
pub(super) fn deliveries(
    config: &Config,
    secrets: &Secrets,
    outbound: &outbound::Client,
    stores: &Stores,
    (connector, addresses): (&Arc<Connector>, &Addresses),
) -> Result<Deliveries> {
    let mut ways: Vec<(Channel, Arc<dyn Transport>)> = Vec::new();
    let details: Arc<dyn FindDetails> = Arc::new(Finder::new(&stores.main, &stores.maps, &stores.logs));
    if let Some(mail) = &config.mail {
        ways.push((Channel::Mail, Arc::new(Mailer::new(mail, outbound)?.with_details(details.clone()))));
    }
    ways.push((Channel::Ticket, Arc::new(Tickets::new(connector, addresses))));
    ways.push((
        Channel::PullRequest,
        Arc::new(PullRequests::new(connector, addresses, &stores.maps, &stores.live)),
    ));
    let letters = Letters { hooks: Hooks::new(outbound, alert_policy(config)), details };
    ways.push((Channel::Hook, Arc::new(letters)));
    Ok(Deliveries::new(ways, Seal::new(&secrets.cloud)))
}
