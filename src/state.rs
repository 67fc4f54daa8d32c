//! The state that handlers ask for, assembled from what the server has open. Only the route table and the
//! composition know all of it.

mod outside;

use outside::{alert_policy, backups, connector, deliveries};

use crate::access::{Callers, Unknown};
use crate::accounts::flows::methods::Providers;
use crate::accounts::networks::KnownUses;
use crate::accounts::people::People;
use crate::accounts::throttle::Throttle;
use crate::alerts::http::AlertsState;
use crate::alerts::service::Teller;
use crate::backup::service::Backups;
use crate::config::{BaseUrl, Config, Secrets};
use crate::connections::service::Connector;
use crate::context::service::ContextService;
use crate::control::Turn;
use crate::crypto::password::Passwords;
use crate::crypto::seal::Seal;
use crate::delivery::hook::Hooks;
use crate::error::Result;
use crate::gateway::service::GatewayService;
use crate::http::client::TrustedProxies;
use crate::http::layers::Origins;
use crate::instance::http::{HealthCheck, Instance};
use crate::instance::overview::http::InstanceState;
use crate::instance::updater::Manifests;
use crate::instance::updater::http::DesktopReleases;
use crate::instance::updater::service::Updater;
use crate::intake::directory::Directory;
use crate::intake::http::Intake;
use crate::intake::store::Store;
use crate::issues::service::IssueService;
use crate::issues::texts::Texts;
use crate::jobs::Reports;
use crate::live::Hub;
use crate::logs::http::ingest::Ingest;
use crate::logs::store::LogStore;
use crate::mcp::http::McpState;
use crate::metrics::Metrics;
use crate::metrics::http::Figures;
use crate::outbound;
use crate::projects::service::ProjectService;
use crate::releases::commits::service::Commits;
use crate::releases::http::Uploads;
use crate::releases::service::Maps;
use crate::replays::http::ingest::ReplayIntake;
use crate::replays::service::ReplayService;
use crate::replays::service::files::Files;
use crate::retention::service::RetentionService;
use crate::sessions::service::SessionService;
use crate::sessions::service::jobs::JobMaker;
use crate::set_aside::http::Queue;
use crate::store::{Disk, Main};
use crate::time::Timestamp;
use crate::usage::service::Meter;
use crate::web_app::http::{Folder, Pages};
use axum::extract::FromRef;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// Everything that is open while the server runs.
pub struct App {
    pub main: Main,
    pub disk: Arc<Disk>,
    pub metrics: Arc<Metrics>,
    pub intake: Arc<Intake>,
    pub ingest: Arc<Ingest>,
    pub replay_intake: Arc<ReplayIntake>,
    pub replays: ReplayService,
    pub sessions: SessionService,
    pub logs: LogStore,
    pub directory: Arc<Directory>,
    pub maps: Arc<Maps>,
    pub live: Arc<Hub>,
    pub texts: Arc<Texts>,
    pub people: Arc<People>,
    pub callers: Arc<Callers>,
    pub trusted: TrustedProxies,
    pub health: Arc<HealthCheck>,
    pub web_folder: Arc<Folder>,
    /// Opens connections to trackers, chats and the code host.
    pub connector: Arc<Connector>,
    pub commits: Commits,
    /// The client for addresses from outside.
    pub outbound: outbound::Client,
    pub desktop_releases: DesktopReleases,
    pub jobs: Reports,
    pub started_at: Timestamp,
    pub meter: Arc<Meter>,
    /// Wakes the job that gives pages of deleted rows back.
    pub free_pages: Arc<Notify>,
    pub backups: Backups,
    /// For one snapshot at a time.
    pub turn: Turn,
}

/// The open stores of a data directory.
pub struct Stores {
    pub main: Main,
    pub intake: Store,
    pub logs: LogStore,
    pub maps: Arc<Maps>,
    pub replays: Files,
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
    pub fn new(config: Config, secrets: Secrets, stores: Stores, port: u16) -> Result<Self> {
        let outbound = outbound::Client::new();
        let updater = Manifests::of(&config).map(|manifests| Arc::new(Updater::new(manifests, &outbound)));
        let backups = backups(&config, &stores, &outbound);
        let connector = Arc::new(connector(&config, &secrets, &stores, &outbound));
        let people = Arc::new(people(config, secrets, &stores, port, (&outbound, &connector))?);
        let Stores { main, intake, logs, maps, replays, disk, metrics, live, texts, .. } = stores;
        let replays = ReplayService::new(main.clone(), replays, intake.clone());
        let directory = Arc::new(Directory::new(people.config.rate_limits));
        let stores = (main.clone(), logs.clone(), intake.clone());
        let meter = Meter::new(people.config.data_dir.clone(), stores, disk.clone(), maps.clone());
        let callers = Callers {
            people: people.clone(),
            directory: directory.clone(),
            unknown: Unknown::default(),
            networks: KnownUses::default(),
        };
        Ok(Self {
            intake: Arc::new(Intake {
                store: intake.clone(),
                directory: directory.clone(),
                disk: disk.clone(),
                metrics: metrics.clone(),
            }),
            replay_intake: Arc::new(ReplayIntake {
                store: intake,
                files: replays.files.clone(),
                directory: directory.clone(),
                disk: disk.clone(),
                metrics: metrics.clone(),
            }),
            replays,
            sessions: SessionService::new(
                &main,
                &live,
                &people.deliveries,
                Duration::from_secs(u64::from(people.config.automation.lease_seconds)),
            ),
            ingest: Arc::new(Ingest {
                logs: logs.clone(),
                directory: directory.clone(),
                disk: disk.clone(),
                metrics: metrics.clone(),
            }),
            callers: Arc::new(callers),
            trusted: TrustedProxies(people.config.sign_in.trusted_proxies.as_slice().into()),
            health: Arc::default(),
            web_folder: Arc::default(),
            commits: Commits::new(&connector, &maps),
            connector,
            outbound,
            desktop_releases: DesktopReleases(updater),
            jobs: Reports::default(),
            started_at: Timestamp::now(),
            meter: Arc::new(meter),
            free_pages: Arc::default(),
            backups,
            turn: Turn::default(),
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

    /// The service that collects context for agents.
    pub fn context(&self) -> ContextService {
        ContextService {
            commits: self.commits.clone(),
            main: self.main.clone(),
            maps: self.maps.clone(),
            logs: self.logs.clone(),
            replays: self.replays.clone(),
            addresses: self.people.addresses.clone(),
        }
    }

    /// The model gateway, if it is configured.
    pub fn gateway(&self) -> Option<GatewayService> {
        GatewayService::of(self.people.config.gateway.as_ref(), &self.main, &self.live, &self.outbound)
    }

    /// Sends messages to the channels of alert rules.
    pub fn teller(&self) -> Teller {
        Teller {
            deliveries: self.people.deliveries.clone(),
            seal: Seal::new(&self.people.secrets.cloud),
            addresses: self.people.addresses.clone(),
        }
    }
}

/// Accounts, and how people sign in.
fn people(
    config: Config,
    secrets: Secrets,
    stores: &Stores,
    port: u16,
    (outbound, connector): (&outbound::Client, &Arc<Connector>),
) -> Result<People> {
    let addresses = config.addresses(port);
    Ok(People {
        providers: Providers::new(&config.sign_in, &addresses, outbound),
        deliveries: Arc::new(deliveries(&config, &secrets, outbound, stores, (connector, &addresses))?),
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
            allowed: own.flat_map(BaseUrl::alike).chain(config.cors_allow_origins.iter().cloned()).collect(),
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
    AlertsState: app => AlertsState {
        main: app.main.clone(),
        people: app.people.clone(),
        logs: app.logs.clone(),
        teller: app.teller(),
        hooks: Arc::new(Hooks::new(&app.outbound, alert_policy(&app.people.config))),
        policy: alert_policy(&app.people.config),
    };
    Arc<Connector>: app => app.connector.clone();
    Commits: app => app.commits.clone();
    LogStore: app => app.logs.clone();
    Arc<Maps>: app => app.maps.clone();
    Arc<Hub>: app => app.live.clone();
    Arc<People>: app => app.people.clone();
    Arc<Callers>: app => app.callers.clone();
    Arc<Intake>: app => app.intake.clone();
    Arc<Ingest>: app => app.ingest.clone();
    Arc<ReplayIntake>: app => app.replay_intake.clone();
    ReplayService: app => app.replays.clone();
    SessionService: app => app.sessions.clone();
    JobMaker: app => JobMaker { context: app.context(), lease: app.sessions.lease, gateway: app.gateway() };
    ContextService: app => app.context();
    McpState: app => McpState { callers: app.callers.clone(), issues: FromRef::from_ref(app), context: app.context(), origins: app.origins() };
    TrustedProxies: app => app.trusted.clone();
    IssueService: app => IssueService { main: app.main.clone(), live: app.live.clone(), texts: app.texts.clone() };
    ProjectService: app => ProjectService {
        people: app.people.clone(),
        main: app.main.clone(),
        directory: app.directory.clone(),
        live: app.live.clone(),
        disk: app.disk.clone(),
        logs: app.logs.clone(),
        maps: app.maps.clone(),
        replays: app.replays.clone(),
        free_pages: app.free_pages.clone(),
    };
    Uploads: app => Uploads {
        main: app.main.clone(),
        maps: app.maps.clone(),
        directory: app.directory.clone(),
        disk: app.disk.clone(),
    };
    Arc<Meter>: app => app.meter.clone();
    RetentionService: app => RetentionService {
        main: app.main.clone(),
        logs: app.logs.clone(),
        replays: app.replays.files.clone(),
        defaults: app.people.config.retention.into(),
        sessions_days: app.people.config.retention.sessions_days,
        free_pages: app.free_pages.clone(),
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
    InstanceState: app => InstanceState {
        people: app.people.clone(),
        started_at: app.started_at,
        jobs: app.jobs.clone(),
    };
    DesktopReleases: app => app.desktop_releases.clone();
    Backups: app => app.backups.clone();
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
