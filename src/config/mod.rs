//! The configuration: one documented field per variable, read from the environment, then validated.
//!
//! A flag overrides the environment, which overrides the file given with `--env-file` or `SERVICE_ENV_FILE`. Unknown variables are
//! ignored. An invalid value stops the server with one line that names the variable, the value (unless
//! secret) and what is accepted.

mod automation;
mod backup;
mod env_file;
mod gateway;
mod host_app;
mod identity;
mod mail;
pub mod private_file;
mod rates;
mod reader;
pub mod retention;
mod secret;
mod sign_in;
mod source;
mod telemetry;
mod urls;
mod values;
mod variables;
mod warnings;

pub use automation::AutomationConfig;
pub use backup::{BackupConfig, BackupSecrets, BackupTarget, S3Address, S3Config, ScheduledBackups};
pub use gateway::Gateway;
pub use host_app::HostApp;
pub use identity::{Identity, Versions};
pub use mail::{MailConfig, MailWay, ReportConfig, TLS_REQUIRED};
pub use rates::RateLimits;
pub use retention::{ConfiguredLimits, RetentionConfig};
pub use secret::{ACCEPT_NEW_KEY, Secrets};
pub use sign_in::{CodeHost, JitPolicy, SignInConfig, Sso};
pub use source::{ConfigError, Source};
pub use telemetry::{AnonymousTelemetry, TelemetryMode};
pub use urls::BaseUrl;
pub use variables::{DORMANT, VARIABLES};

use crate::crypto::secret::Secret;
use reader::Reader;
use std::net::SocketAddr;
use std::path::PathBuf;

/// The minimum length of a signing secret, in bytes.
const JWT_SECRET_MIN: usize = 32;

/// Where the Web app comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebApp {
    /// The one built into the binary.
    Embedded,
    /// No Web app, only the API.
    None,
    /// A directory with an `index.html`.
    Folder(PathBuf),
}

/// Every setting of `mayday serve`.
#[derive(Debug, Clone)]
pub struct Config {
    /// `SERVICE_DATA_DIR`: the directory that holds all data. Default `./data`, created with mode 0700.
    pub data_dir: PathBuf,
    /// `SERVICE_LISTEN`: address and port; port 0 picks a free one. Default `localhost:8000`, which is
    pub listen: SocketAddr,
    /// on both loopback addresses.
    pub both_loopbacks: bool,
    /// `SITE_ADDRESS`: the public DNS name, scheme optional (https). Default `http://localhost:<port>`.
    pub site_address: Option<BaseUrl>,
    /// `API_BASE_URL`: derived from `SITE_ADDRESS` by default.
    pub api_base_url: Option<BaseUrl>,
    /// `FRONTEND_BASE_URL`: derived from `SITE_ADDRESS` by default.
    pub frontend_base_url: Option<BaseUrl>,
    /// `CORS_ALLOW_ORIGINS`: comma-separated origins that may call the dashboard API with cookies.
    pub cors_allow_origins: Vec<BaseUrl>,
    /// `WEB_DIST_DIR`: unset: the built-in Web app; empty: only the API; otherwise a directory with
    /// `index.html`.
    pub web_app: WebApp,
    /// `SERVICE_TELEMETRY_MODE`: `local_dev`, `self_managed` (default) or `hosted_product`.
    pub telemetry_mode: TelemetryMode,
    /// Where the anonymous heartbeat goes.
    pub anonymous_telemetry: AnonymousTelemetry,
    /// `SERVICE_UPDATE_FEED_URL`: the list of releases that is looked at daily. Default: none, and nothing is asked.
    pub update_feed_url: Option<String>,
    /// `SERVICE_DESKTOP_RELEASES_URL`: below it are the desktop client's update manifests. Default: none, and
    /// `/desktop/updater/latest.json` does not exist.
    pub desktop_releases_url: Option<String>,
    /// `SERVICE_SETUP_TOKEN_FILE`: default `setup-token` in the data directory.
    pub setup_token_file: Option<PathBuf>,
    /// `JWT_SECRET`, at least 32 bytes; signs sessions. Default: generated at the first start and kept.
    pub jwt_secret: Option<Secret>,
    /// `CLOUD_SECRET_KEY`, at least 32 bytes; seals stored credentials. Default: generated and kept.
    pub cloud_secret_key: Option<Secret>,
    /// `SERVICE_SOURCEMAP_MAX_MB`: the largest source map accepted, in MiB, 1 to 200. Default 50.
    pub sourcemap_max_bytes: u64,
    /// `SERVICE_DISK_FLOOR_MB`: free MiB below which nothing new is accepted, 16 to 1,000,000. Default 256.
    pub disk_floor_bytes: u64,
    /// How much each project may send.
    pub rate_limits: RateLimits,
    /// How long data is kept.
    pub retention: RetentionConfig,
    /// Backups.
    pub backup: BackupConfig,
    /// `SERVICE_METRICS_TOKEN`: the Bearer token for `/metrics`. Default: none, and no such route.
    pub metrics_token: Option<Secret>,
    /// `SERVICE_LOG`: the log level, in the syntax of `tracing`'s filters. Default `info`.
    pub log: String,
    /// `INSTANCE_*`.
    pub identity: Identity,
    /// Versions of the desktop client and the runtime.
    pub versions: Versions,
    /// Who may sign in, and how.
    pub sign_in: SignInConfig,
    /// `SERVICE_HOST_APP_*`: the app at the code host; `None`: repositories are not connected.
    pub host_app: Option<HostApp>,
    /// How mail is sent; `None`: links are passed on by hand.
    pub mail: Option<MailConfig>,
    /// When weekly reports are mailed to those who want them.
    pub reports: ReportConfig,
    /// `SERVICE_ALERTS_ALLOW_PRIVATE_URLS`: true lets the channels of alert rules lead anywhere, also into this network and
    /// without TLS. Default false: only to https addresses of the public internet.
    pub alerts_allow_private_urls: bool,
    /// `SERVICE_CONNECTIONS_ALLOW_PRIVATE_URLS`: true lets connections to trackers and chats lead anywhere, also into this
    /// network and without TLS. Default false: only to https addresses of the public internet.
    pub connections_allow_private_urls: bool,
    /// Agent automation.
    pub automation: AutomationConfig,
    /// The model gateway; `None`: off.
    pub gateway: Option<Gateway>,
}

impl Config {
    /// Reads and validates every variable; reports all errors, not only the first.
    pub fn read(source: &Source) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(source);
        let data_dir = reader.path("SERVICE_DATA_DIR").unwrap_or_else(|| "./data".into());
        reader.check_database_url(&data_dir);
        check_dormant(&mut reader);
        let telemetry_mode = reader.telemetry_mode("SERVICE_TELEMETRY_MODE");
        let (listen, both_loopbacks) =
            reader.value("SERVICE_LISTEN", values::listen).unwrap_or_else(|| values::localhost(8000));
        let config = Self {
            listen,
            both_loopbacks,
            site_address: reader.base_url("SITE_ADDRESS"),
            api_base_url: reader.base_url("API_BASE_URL"),
            frontend_base_url: reader.base_url("FRONTEND_BASE_URL"),
            cors_allow_origins: reader.origins("CORS_ALLOW_ORIGINS"),
            web_app: reader.web_app("WEB_DIST_DIR"),
            telemetry_mode,
            anonymous_telemetry: AnonymousTelemetry::read(&mut reader),
            update_feed_url: reader.value("SERVICE_UPDATE_FEED_URL", values::guarded_url),
            desktop_releases_url: reader.value("SERVICE_DESKTOP_RELEASES_URL", values::guarded_base),
            setup_token_file: reader.path("SERVICE_SETUP_TOKEN_FILE"),
            jwt_secret: reader.secret("JWT_SECRET", JWT_SECRET_MIN),
            cloud_secret_key: reader.secret("CLOUD_SECRET_KEY", JWT_SECRET_MIN),
            sourcemap_max_bytes: reader.bounded("SERVICE_SOURCEMAP_MAX_MB", 50, 1, 200) << 20,
            disk_floor_bytes: reader.bounded("SERVICE_DISK_FLOOR_MB", 256, 16, 1_000_000) << 20,
            rate_limits: RateLimits::read(&mut reader),
            retention: RetentionConfig::read(&mut reader),
            backup: BackupConfig::read(&mut reader, &data_dir),
            metrics_token: reader.token("SERVICE_METRICS_TOKEN"),
            log: reader.log_filter("SERVICE_LOG"),
            identity: Identity::read(&mut reader),
            versions: Versions::read(&mut reader),
            sign_in: SignInConfig::read(&mut reader, telemetry_mode),
            host_app: HostApp::read(&mut reader),
            mail: MailConfig::read(&mut reader),
            reports: ReportConfig::read(&mut reader),
            alerts_allow_private_urls: reader.switch("SERVICE_ALERTS_ALLOW_PRIVATE_URLS", false),
            connections_allow_private_urls: reader.switch("SERVICE_CONNECTIONS_ALLOW_PRIVATE_URLS", false),
            automation: AutomationConfig::read(&mut reader),
            gateway: Gateway::read(&mut reader),
            data_dir,
        };
        reader.finish(config)
    }

    /// The file that holds the plaintext setup token while the instance is unclaimed.
    pub fn setup_token_path(&self) -> PathBuf {
        self.setup_token_file.clone().unwrap_or_else(|| self.data_dir.join("setup-token"))
    }

    /// The public addresses, once the port is known.
    pub fn addresses(&self, port: u16) -> Addresses {
        let site = self.site_address.clone().unwrap_or_else(|| BaseUrl::localhost(port));
        Addresses {
            api: self.api_base_url.clone().unwrap_or_else(|| site.clone()),
            frontend: self.frontend_base_url.clone().unwrap_or(site),
        }
    }
}

/// Checks variables of the deployment scripts whose values have a required form. The others are [`DORMANT`].
fn check_dormant(reader: &mut Reader<'_>) {
    reader.value("SERVICE_SERVER_IMAGE_TAG", values::image_tag);
    reader.value("SERVICE_PUBLIC_HEALTHCHECK_URL", values::http_url);
}

/// The public addresses of an instance.
#[derive(Debug, Clone)]
pub struct Addresses {
    pub api: BaseUrl,
    pub frontend: BaseUrl,
}

#[cfg(test)]
mod tests;
