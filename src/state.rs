//! The state that handlers ask for, assembled from what the server has open. Only the route table and the
//! composition know all of it.

use crate::access::{Callers, Unknown};
use crate::accounts::flows::methods::Providers;
use crate::accounts::people::People;
use crate::accounts::throttle::Throttle;
use crate::config::{Config, Secrets};
use crate::crypto::password::Passwords;
use crate::crypto::seal::Seal;
use crate::deliveries::{Channel, Deliveries};
use crate::delivery::Transport;
use crate::delivery::mail::Mailer;
use crate::error::Result;
use crate::http::client::TrustedProxies;
use crate::http::layers::Origins;
use crate::instance::http::{ApiDocument, HealthCheck, Instance};
use crate::intake::directory::Directory;
use crate::intake::http::Intake;
use crate::intake::store::Store;
use crate::issues::service::IssueService;
use crate::issues::texts::Texts;
use crate::live::Hub;
use crate::logs::http::ingest::Ingest;
use crate::logs::store::LogStore;
use crate::metrics::Metrics;
use crate::metrics::http::Figures;
use crate::outbound;
use crate::projects::service::ProjectService;
use crate::releases::http::Uploads;
use crate::releases::service::Maps;
use crate::set_aside::http::Queue;
use crate::store::{Disk, Main};
use crate::web_app::http::{Folder, Pages};
use axum::extract::FromRef;
use std::ops::Deref;
use std::sync::Arc;

/// Everything that is open while the server runs.
pub struct App {
    pub main: Main,
    pub disk: Arc<Disk>,
    pub metrics: Arc<Metrics>,
    pub intake: Arc<Intake>,
    pub ingest: Arc<Ingest>,
    pub logs: LogStore,
    pub directory: Arc<Directory>,
    pub maps: Arc<Maps>,
    pub live: Arc<Hub>,
    pub texts: Arc<Texts>,
    pub people: Arc<People>,
    pub callers: Arc<Callers>,
    pub trusted: TrustedProxies,
    pub document: ApiDocument,
    pub health: Arc<HealthCheck>,
    pub web_folder: Arc<Folder>,
}

/// The open stores of a data directory.
pub struct Stores {
    pub main: Main,
    pub intake: Store,
    pub logs: LogStore,
    pub maps: Arc<Maps>,
    pub disk: Arc<Disk>,
    pub metrics: Arc<Metrics>,
    pub live: Arc<Hub>,
    pub texts: Arc<Texts>,
    /// Whether there is only one organization, as fixed by the claim.
    pub single_org: bool,
}

impl App {
    /// Assembles what handlers and jobs share, for a server that listens on `port`.
    ///
    /// # Errors
    /// If the mail server's address cannot be used.
    pub fn new(
        config: Config,
        secrets: Secrets,
        stores: Stores,
        port: u16,
        document: ApiDocument,
    ) -> Result<Self> {
        let people = Arc::new(people(config, secrets, &stores, port)?);
        let Stores { main, intake, logs, maps, disk, metrics, live, texts, .. } = stores;
        let directory = Arc::new(Directory::new(people.config.rate_limits));
        let callers =
            Callers { people: people.clone(), directory: directory.clone(), unknown: Unknown::default() };
        Ok(Self {
            intake: Arc::new(Intake {
                store: intake,
                directory: directory.clone(),
                disk: disk.clone(),
                metrics: metrics.clone(),
            }),
            ingest: Arc::new(Ingest {
                logs: logs.clone(),
                directory: directory.clone(),
                disk: disk.clone(),
                metrics: metrics.clone(),
            }),
            callers: Arc::new(callers),
            trusted: TrustedProxies(people.config.sign_in.trusted_proxies.as_slice().into()),
            document,
            health: Arc::default(),
            web_folder: Arc::default(),
            main,
            disk,
            metrics,
            logs,
            directory,
            maps,
            live,
            texts,
            people,
        })
    }
}

/// Accounts, and how people sign in.
fn people(config: Config, secrets: Secrets, stores: &Stores, port: u16) -> Result<People> {
    let addresses = config.addresses(port);
    let outbound = outbound::Client::new();
    Ok(People {
        providers: Providers::new(&config.sign_in, &addresses, &outbound),
        deliveries: Arc::new(deliveries(&config, &secrets, &outbound)?),
        subscribers: Arc::default(),
        passwords: Passwords::default(),
        throttle: Throttle::default(),
        main: stores.main.clone(),
        live: stores.live.clone(),
        config,
        addresses,
        secrets,
        single_org: stores.single_org,
    })
}

/// The deliveries, with the channels that are configured.
fn deliveries(config: &Config, secrets: &Secrets, outbound: &outbound::Client) -> Result<Deliveries> {
    let mut ways: Vec<(Channel, Arc<dyn Transport>)> = Vec::new();
    if let Some(mail) = &config.mail {
        ways.push((Channel::Mail, Arc::new(Mailer::new(mail, outbound)?)));
    }
    Ok(Deliveries::new(ways, Seal::new(&secrets.cloud)))
}

/// The state of the router.
#[derive(Clone)]
pub struct Shared(pub Arc<App>);

impl Deref for Shared {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0
    }
}

impl Shared {
    /// See [`Origins`].
    pub fn origins(&self) -> Origins {
        let (addresses, config) = (&self.people.addresses, &self.people.config);
        let own = [&addresses.frontend, &addresses.api].into_iter();
        Origins {
            https: addresses.api.is_https(),
            allowed: own.chain(&config.cors_allow_origins).cloned().collect(),
        }
    }
}

macro_rules! give {
    ($($kind:ty: $app:ident => $value:expr;)+) => {$(
        impl FromRef<Shared> for $kind {
            fn from_ref($app: &Shared) -> Self {
                $value
            }
        }
    )+};
}

give! {
    Main: app => app.main.clone();
    LogStore: app => app.logs.clone();
    Arc<Maps>: app => app.maps.clone();
    Arc<Hub>: app => app.live.clone();
    Arc<People>: app => app.people.clone();
    Arc<Callers>: app => app.callers.clone();
    Arc<Intake>: app => app.intake.clone();
    Arc<Ingest>: app => app.ingest.clone();
    TrustedProxies: app => app.trusted.clone();
    ApiDocument: app => app.document;
    IssueService: app => IssueService { main: app.main.clone(), live: app.live.clone(), texts: app.texts.clone() };
    ProjectService: app => ProjectService {
        people: app.people.clone(),
        main: app.main.clone(),
        directory: app.directory.clone(),
        live: app.live.clone(),
        disk: app.disk.clone(),
        logs: app.logs.clone(),
        maps: app.maps.clone(),
    };
    Uploads: app => Uploads {
        main: app.main.clone(),
        maps: app.maps.clone(),
        directory: app.directory.clone(),
        disk: app.disk.clone(),
        file_max: app.people.config.sourcemap_max_bytes,
    };
    Queue: app => Queue {
        main: app.main.clone(),
        intake: app.intake.store.clone(),
        disk: app.disk.clone(),
    };
    Instance: app => Instance {
        people: app.people.clone(),
        intake: app.intake.store.clone(),
        disk: app.disk.clone(),
        health: app.health.clone(),
    };
    Pages: app => Pages { people: app.people.clone(), folder: app.web_folder.clone() };
    Figures: app => Figures {
        token: app.people.config.metrics_token.clone(),
        data_dir: app.people.config.data_dir.clone(),
        metrics: app.metrics.clone(),
        logs: app.logs.clone(),
        disk: app.disk.clone(),
        directory: app.directory.clone(),
        intake: app.intake.store.clone(),
    };
}
