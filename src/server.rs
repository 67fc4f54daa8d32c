//! The process: opens the stores, starts the workers and serves. It stops in the order that loses nothing:
//! new requests, requests in flight, jobs, the digest, the writers.

mod jobs;
mod snapshots;

use crate::accounts;
use crate::accounts::notices;
use crate::accounts::operator::service::Operator;
use crate::accounts::service::claim;
use crate::alerts;
use crate::automations;
use crate::config::{Addresses, Config, Secrets};
use crate::control::Control;
use crate::crypto::seal::Seal;
use crate::digest::{self, Digest};
use crate::error::{Error, Result};
use crate::http;
use crate::http::server::Listeners;
use crate::intake::store::Store;
use crate::issues::texts::Texts;
use crate::live::Hub;
use crate::logs::sql as logs_sql;
use crate::logs::store::LogStore;
use crate::metrics::Metrics;
use crate::notifications::consumer;
use crate::projects;
use crate::releases::service::Maps;
use crate::replays::service::files::Files;
use crate::routes;
use crate::sabotage;
use crate::signals;
use crate::state::{App, Shared, Stores};
use crate::store::{self, DataDir, Disk, Fatal, Main, Readers, Watch};
use crate::tickets;
use crate::time::Timestamp;
use snapshots::Copies;
use std::sync::Arc;
use std::time::Duration;

/// How long requests in flight may take once the server stops; the whole stop takes less than 10 s.
const DRAIN: Duration = Duration::from_secs(5);
/// The same if the store cannot be trusted: requests are refused at once, and only their answers remain to be
/// sent.
const DRAIN_AFTER_FATAL: Duration = Duration::from_millis(300);

/// The consumers of signals; each has its own position.
const CONSUMERS: [&str; 5] = [
    notices::NAME,
    consumer::NAME,
    alerts::consumer::NAME,
    automations::consumer::NAME,
    tickets::consumer::NAME,
];

/// A server that is ready to serve.
pub struct Server {
    app: Arc<App>,
    listeners: Listeners,
    digest: Digest,
    fatal: tokio::sync::watch::Receiver<Option<String>>,
    /// The plaintext setup token while the instance is unclaimed.
    pub setup_token: Option<String>,
    /// Answers commands until the server has stopped.
    _control: Option<Control>,
    /// Held until the process ends.
    _held: (DataDir, Watch),
}

/// What is opened before the server serves.
struct OpenServer {
    stores: Stores,
    digest: Digest,
    setup_token: Option<String>,
}

impl OpenServer {
    /// Opens the stores of the data directory and starts the threads that write them. Blocks.
    fn open(config: &Config, secrets: &Secrets, fatal: Fatal) -> Result<Self> {
        store::check_sqlite_version()?;
        let main = Main::open(&config.data_dir, &fatal)?;
        let metrics = Arc::new(Metrics::default());
        let disk = Arc::new(Disk::new(&config.data_dir, config.disk_floor_bytes));
        let (live, texts) = (Arc::new(Hub::default()), Arc::new(Texts::default()));
        main.writer.observe(metrics.store.commit_seconds("main"));
        let reached = main.readers.read_blocking(digest::sql::position)?;
        store::instance::check_folders(&config.data_dir, &main)?;
        store::check_key(&main, &Seal::new(&secrets.cloud))?;
        let intake = Store::open(&config.data_dir, reached, main.packer.clone(), &fatal)?;
        let logs = LogStore::open(&config.data_dir, &main.instance, &disk, &fatal)?;
        number_projects_apart(&main, &logs, &intake, reached)?;
        logs.db.writer.observe(metrics.store.commit_seconds("logs"));
        intake.observe(metrics.intake.observed());
        let maps =
            Arc::new(Maps::open(&config.data_dir.join("sourcemaps"), &main, config.sourcemap_max_bytes)?);
        let replays = Files::open(&config.data_dir.join("replays"))?;
        store::instance::all_made(&main)?;
        main.write_blocking(|tx| accounts::sql::install(tx, Timestamp::now()))?;
        let single_org = claim::mode(config, &main)?;
        let setup_token = if single_org { claim::prepare(config, secrets, &main)? } else { None };
        main.write_blocking(|tx| signals::sql::enter(tx, &CONSUMERS))?;
        let parts = digest::Parts {
            main: main.clone(),
            intake: intake.clone(),
            live: live.clone(),
            texts: texts.clone(),
            metrics: metrics.clone(),
            disk: disk.clone(),
        };
        let digest = Digest::start(parts, maps.clone(), fatal)?;
        let stores = Stores { main, intake, logs, maps, replays, disk, metrics, live, texts, single_org };
        Ok(Self { stores, digest, setup_token })
    }
}

impl Server {
    /// Opens the data directory and starts the workers.
    ///
    /// # Errors
    /// If something in it cannot be opened.
    pub async fn start(config: Config, secrets: Secrets, data_dir: DataDir) -> Result<Self> {
        let (fatal, raised) = Fatal::new();
        let (settings, keys, watching) = (config.clone(), secrets.clone(), fatal.clone());
        let opening = tokio::task::spawn_blocking(move || OpenServer::open(&settings, &keys, fatal));
        let opened = opening.await.map_err(Error::internal)??;
        let watch = data_dir.watch(&["main.db", "logs.db"], &watching)?;
        let listeners = Listeners::bind(config.listen, config.both_loopbacks)?;
        let port = listeners.local_addr().map_err(Error::internal)?.port();
        let OpenServer { stores, digest, setup_token } = opened;
        let app = Arc::new(App::new(config, secrets, stores, port)?);
        projects::service::refresh(&app.main, &app.directory).await?;
        // Whoever is told that the server listens may ask it by the socket, too.
        let _control = control(&app);
        Ok(Self { app, listeners, digest, fatal: raised, setup_token, _control, _held: (data_dir, watch) })
    }

    /// The address it listens on, such as `http://localhost:8000`.
    pub fn address(&self) -> Result<String> {
        let address = self.listeners.local_addr().map_err(Error::internal)?;
        Ok(match self.listeners.is_localhost() {
            true => format!("http://localhost:{}", address.port()),
            false => format!("http://{address}"),
        })
    }

    /// Reads `main.db`.
    pub fn readers(&self) -> Readers {
        self.app.main.readers.clone()
    }

    pub fn addresses(&self) -> &Addresses {
        &self.app.people.addresses
    }

    /// Serves until `shutdown`, or until the store can no longer be trusted, which is an error.
    pub async fn serve(self, shutdown: impl Future<Output = ()>) -> Result<()> {
        let Self { app, listeners, digest, mut fatal, _control, _held, .. } = self;
        let jobs = jobs::registry(&app)?.start();
        let no_more_jobs = jobs.stopper();
        let mut watched = fatal.clone();
        let live = app.live.clone();
        let stop = async move {
            let drain = tokio::select! {
                () = shutdown => if sabotage::on("no_drain") { Duration::ZERO } else { DRAIN },
                _ = watched.wait_for(Option::is_some) => DRAIN_AFTER_FATAL,
            };
            // Jobs end while requests do.
            no_more_jobs.stop();
            // Streams are requests that would never end.
            live.stop();
            drain
        };
        let trusted = app.people.config.sign_in.trusted_proxies.clone();
        let served = http::server::serve(listeners, routes::router(Shared(app.clone())), trusted, stop).await;
        jobs.stop().await;
        if let Err(error) = projects::service::flush_last_used(&app.main, &app.directory).await {
            tracing::warn!(%error, "the last uses of keys could not be written");
        }
        let stopping = tokio::task::spawn_blocking(move || {
            digest.stop();
            app.intake.store.stop();
            app.logs.stop();
            app.main.stop();
        });
        stopping.await.map_err(Error::internal)?;
        served?;
        match fatal.borrow_and_update().clone() {
            Some(reason) => Err(Error::internal(reason)),
            None => Ok(()),
        }
    }
}

/// Numbers new projects above those in the journal and the logs: a restored `main.db` may be older than they
/// are, and would otherwise give their data to a new project.
fn number_projects_apart(main: &Main, logs: &LogStore, intake: &Store, digested: i64) -> Result<()> {
    let known =
        intake.highest_project(digested)?.max(logs.db.readers.read_blocking(logs_sql::highest_project)?);
    if known <= main.readers.read_blocking(projects::sql::highest)? || sabotage::on("reuse_project_ids") {
        return Ok(());
    }
    tracing::warn!(%known, "main.db is older than the files beside it: new projects are numbered above those in them");
    main.write_blocking(move |tx| projects::sql::number_above(tx, known))
}

/// The operator's access to the running server; without it, `mayday user` and `mayday backup` work only when the server
/// is stopped.
fn control(app: &Arc<App>) -> Option<Control> {
    let (users, snapshots) = (Operator::of_server(&app.people), Copies(app.clone()));
    let started = Control::start(&app.people.config.data_dir, users, snapshots, app.turn.clone());
    let warn = |error| {
        tracing::warn!(?error, "`mayday user` and `mayday backup` cannot be used while the server runs");
    };
    started.map_err(warn).ok()
}

#[cfg(test)]
mod tests;
