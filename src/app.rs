//! The process: opens the stores, starts the workers, serves, and stops in the order that loses
//! nothing: no new requests, requests in flight, the digest, the writers.

use crate::accounts::claim;
use crate::accounts::flows::methods::Providers;
use crate::accounts::operator::Operator;
use crate::accounts::password::Passwords;
use crate::accounts::throttle::Throttle;
use crate::accounts::{flows, links, sign_in};
use crate::audit;
use crate::config::{Addresses, Config, Secrets};
use crate::control::Control;
use crate::digest::{self, Digest};
use crate::error::{Error, Result};
use crate::http;
use crate::ids::ProjectId;
use crate::intake::directory::Directory;
use crate::intake::store::Store;
use crate::issues::texts::Texts;
use crate::jobs;
use crate::live::{Changes, Hub};
use crate::logs::sql as logs_sql;
use crate::logs::store::Logs;
use crate::mail::Outbox;
use crate::metrics::Metrics;
use crate::outbound;
use crate::projects;
use crate::releases::Maps;
use crate::sabotage;
use crate::store::{self, DataDir, Disk, Fatal, Main, Seal, Transaction, Watch};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// How long requests in flight may take once the server stops; all of it is over in 10 s.
const DRAIN: Duration = Duration::from_secs(5);
/// The same when the store cannot be trusted: they are refused at once, and only their answers are left.
const DRAIN_AFTER_FATAL: Duration = Duration::from_millis(300);

/// What every request may need.
pub struct App {
    pub config: Config,
    pub addresses: Addresses,
    pub secrets: Secrets,
    pub main: Main,
    pub disk: Arc<Disk>,
    pub metrics: Arc<Metrics>,
    pub intake: Store,
    pub logs: Logs,
    pub directory: Arc<Directory>,
    pub maps: Arc<Maps>,
    pub live: Arc<Hub>,
    pub texts: Arc<Texts>,
    pub passwords: Passwords,
    pub throttle: Throttle,
    pub unknown: http::callers::Unknown,
    pub providers: Providers,
    /// One organization only, as it was when the instance was claimed.
    pub single_org: bool,
    pub outbox: Arc<Outbox>,
    pub health: http::HealthCheck,
    pub web_folder: http::assets::Folder,
}

/// A server that is about to serve.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    digest: Digest,
    fatal: tokio::sync::watch::Receiver<Option<String>>,
    /// The plaintext setup token while the instance is unclaimed.
    pub setup_token: Option<String>,
    /// Held until the process ends.
    _held: (DataDir, Watch),
}

impl Server {
    /// Opens what lies in the data directory and starts the workers.
    ///
    /// # Errors
    /// When something in it cannot be opened.
    pub async fn start(config: Config, secrets: Secrets, data_dir: DataDir) -> Result<Self> {
        store::check_sqlite_version()?;
        let (fatal, raised) = Fatal::new();
        let main = Main::open(&config.data_dir, &fatal)?;
        let metrics = Arc::new(Metrics::default());
        let disk = Arc::new(Disk::new(&config.data_dir, config.disk_floor_bytes));
        let live = Arc::new(Hub::default());
        let texts = Arc::new(Texts::default());
        main.writer.observe(metrics.store.commit_seconds("main"));
        let opening = (config.clone(), secrets.clone(), main.clone(), live.clone(), texts.clone());
        let (watched, room, watching) = (metrics.clone(), disk.clone(), fatal.clone());
        let blocking = tokio::task::spawn_blocking(move || {
            let (config, secrets, main, live, texts) = opening;
            let reached = digest::apply::position(&main.readers.dedicated()?)?;
            store::instance::check_folders(&config.data_dir, &main)?;
            store::check_key(&main, &Seal::new(&secrets.cloud))?;
            let intake = Store::open(&config.data_dir, reached, main.packer.clone(), &fatal)?;
            let logs = Logs::open(&config.data_dir, &main.instance, &room, &fatal)?;
            number_projects_apart(&main, &logs, &intake, reached)?;
            logs.db.writer.observe(watched.store.commit_seconds("logs"));
            intake.observe(watched.intake.observed());
            let maps = Arc::new(Maps::open(&config.data_dir.join("sourcemaps"), &main)?);
            store::instance::all_made(&main)?;
            let single_org = claim::mode(&config, &main)?;
            let setup_token = if single_org { claim::prepare(&config, &secrets, &main)? } else { None };
            let parts =
                digest::Parts { main, intake: intake.clone(), live, texts, metrics: watched, disk: room };
            let digest = Digest::start(parts, maps.clone(), fatal)?;
            Ok::<_, Error>((intake, logs, maps, digest, single_org, setup_token))
        });
        let (intake, logs, maps, digest, single_org, setup_token) =
            blocking.await.map_err(Error::internal)??;
        let watch = data_dir.watch(&["main.db", "logs.db"], &watching)?;
        let directory = Arc::new(Directory::new(config.rate_limits));
        projects::refresh(&main, &directory).await?;
        let listener = TcpListener::bind(config.listen)
            .await
            .map_err(|error| Error::internal(format!("SERVICE_LISTEN={}: {error}", config.listen)))?;
        let port = listener.local_addr().map_err(Error::internal)?.port();
        let addresses = config.addresses(port);
        let outbound = outbound::Client::new();
        let providers = Providers::new(&config.sign_in, &addresses, &outbound);
        let outbox = Arc::new(Outbox::new(config.mail.as_ref(), &outbound, Seal::new(&secrets.cloud))?);
        let (passwords, health) = (Passwords::default(), http::HealthCheck::default());
        let app = Arc::new(App {
            config,
            addresses,
            secrets,
            main,
            disk,
            metrics,
            intake,
            logs,
            directory,
            maps,
            live,
            texts,
            passwords,
            throttle: Throttle::default(),
            unknown: http::callers::Unknown::default(),
            providers,
            single_org,
            outbox,
            health,
            web_folder: http::assets::Folder::default(),
        });
        Ok(Self { app, listener, digest, fatal: raised, setup_token, _held: (data_dir, watch) })
    }

    /// Where it listens, such as `http://127.0.0.1:8000`.
    pub fn address(&self) -> Result<String> {
        Ok(format!("http://{}", self.listener.local_addr().map_err(Error::internal)?))
    }

    pub fn addresses(&self) -> &Addresses {
        &self.app.addresses
    }

    /// Serves until `shutdown`, or until the store cannot be trusted any more, which is an error.
    pub async fn serve(self, shutdown: impl Future<Output = ()>) -> Result<()> {
        let Self { app, listener, digest, mut fatal, _held, .. } = self;
        let jobs = jobs::start(app.clone());
        let _control = control(&app);
        let sending = jobs::outbox::start(app.main.clone(), app.outbox.clone());
        let mut watched = fatal.clone();
        let live = app.live.clone();
        let stop = async move {
            let drain = tokio::select! {
                () = shutdown => if sabotage::on("no_drain") { Duration::ZERO } else { DRAIN },
                _ = watched.wait_for(Option::is_some) => DRAIN_AFTER_FATAL,
            };
            // Streams are requests that would never finish.
            live.stop();
            drain
        };
        let trusted = app.config.sign_in.trusted_proxies.clone();
        http::server::serve(listener, http::router(app.clone()), trusted, stop).await?;
        drop(jobs);
        sending.stop().await;
        if let Err(error) = projects::flush_last_used(&app.main, &app.directory).await {
            tracing::warn!(%error, "the last uses of keys were not written");
        }
        let stopping = tokio::task::spawn_blocking(move || {
            digest.stop();
            app.intake.stop();
            app.logs.stop();
            app.main.stop();
        });
        stopping.await.map_err(Error::internal)?;
        match fatal.borrow_and_update().clone() {
            Some(reason) => Err(Error::internal(reason)),
            None => Ok(()),
        }
    }
}

/// Ids of new projects go on above those of the journal and the logs: a `main.db` that was brought back may be older,
/// and would give what they have to somebody else.
fn number_projects_apart(main: &Main, logs: &Logs, intake: &Store, digested: i64) -> Result<()> {
    let known =
        intake.highest_project(digested)?.max(logs.db.readers.read_blocking(logs_sql::highest_project)?);
    if known <= main.readers.read_blocking(projects::sql::highest)? || sabotage::on("reuse_project_ids") {
        return Ok(());
    }
    tracing::warn!(%known, "main.db is older than what lies beside it: new projects are numbered above that");
    main.write_blocking(move |tx| projects::sql::number_above(tx, known))
}

/// The operator's way in beside the running server; without it, `mayday user` waits for it to stop.
fn control(app: &Arc<App>) -> Option<Control> {
    let started = Control::start(&app.config.data_dir, Operator::of_server(app));
    started.map_err(|error| tracing::warn!(?error, "`mayday user` cannot act while the server runs")).ok()
}

impl App {
    /// Runs a write that intake must know of, then tells it. Goes on when the caller goes away: a key
    /// that is revoked in the database is revoked.
    pub async fn write_and_refresh<T, F>(self: &Arc<Self>, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    {
        let app = self.clone();
        let work = async move {
            let written = app.main.write(write).await?;
            projects::refresh(&app.main, &app.directory).await?;
            app.live.check_watchers();
            Ok(written)
        };
        tokio::spawn(work).await.map_err(Error::internal)?
    }

    /// Runs a write that says what it changed in a project, then tells those who watch it. Goes on
    /// when the caller goes away, too.
    pub async fn write_and_tell<T, F>(self: &Arc<Self>, project: ProjectId, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<(T, Changes)> + Send + 'static,
    {
        let app = self.clone();
        let work = async move {
            let (written, changes) = app.main.write(write).await?;
            app.live.publish(project, &changes);
            Ok(written)
        };
        tokio::spawn(work).await.map_err(Error::internal)?
    }

    /// What is done now and then: see [`jobs`].
    pub async fn tidy(&self) -> Result<()> {
        self.texts.forget_unused();
        projects::flush_last_used(&self.main, &self.directory).await?;
        projects::refresh(&self.main, &self.directory).await?;
        self.main
            .write(|tx| {
                let now = crate::time::Timestamp::now();
                sign_in::sql::sweep(tx, now)?;
                links::sql::sweep(tx, now)?;
                flows::sql::sweep(tx, now)?;
                audit::sql::sweep(tx, now)
            })
            .await?;
        self.main.write(store::give_back).await?;
        self.logs.tidy().await
    }
}

#[cfg(test)]
mod tests;
