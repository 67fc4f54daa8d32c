//! The configuration: one documented field a variable, read from the environment, then validated.
//!
//! A flag beats the environment, which beats the file named by `--env-file`. Unrecognised variables
//! are ignored. A value that cannot be read stops the server with one line that names the variable,
//! the value (unless secret) and what is accepted.

mod mail;
pub mod private_file;
mod reader;
mod secret;
mod sign_in;
mod urls;

pub use mail::{MailConfig, MailWay};
pub use reader::{ConfigError, Source};
pub use secret::{Secret, Secrets};
pub use sign_in::{CodeHost, JitPolicy, SignInConfig, Sso};
pub use urls::BaseUrl;

use reader::Reader;
use serde::Serialize;
use std::net::SocketAddr;
use std::path::PathBuf;
use utoipa::ToSchema;

/// Bytes below which a secret that signs is refused.
const JWT_SECRET_MIN: usize = 32;

/// Where the Web app comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebApp {
    /// The one baked into the binary.
    Baked,
    /// None: the API only.
    None,
    /// A folder with an `index.html`.
    Folder(PathBuf),
}

/// Who runs this installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TelemetryMode {
    LocalDev,
    SelfManaged,
    HostedProduct,
}

impl TelemetryMode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LocalDev => "local_dev",
            Self::SelfManaged => "self_managed",
            Self::HostedProduct => "hosted_product",
        }
    }
}

/// How an instance presents itself in `GET /meta`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// `INSTANCE_NAME`: display name. Empty: the host name of the site.
    pub name: Option<String>,
    /// `INSTANCE_LOGO_URL`: absolute https address. Reported, never loaded by the Web app.
    pub logo_url: Option<String>,
    /// `INSTANCE_SUPPORT_EMAIL`: empty: no support e-mail is offered.
    pub support_email: Option<String>,
    /// `INSTANCE_SUPPORT_URL`.
    pub support_url: Option<String>,
}

/// Every setting of `mayday serve`.
#[derive(Debug, Clone)]
pub struct Config {
    /// `SERVICE_DATA_DIR`: everything that is kept lies here. Default `./data`, created 0700.
    pub data_dir: PathBuf,
    /// `SERVICE_LISTEN`: address and port; port 0 picks a free one. Default `127.0.0.1:8000`.
    pub listen: SocketAddr,
    /// `SITE_ADDRESS`: the public DNS name, scheme optional (https). Default `http://localhost:<port>`.
    pub site_address: Option<BaseUrl>,
    /// `API_BASE_URL`: default from `SITE_ADDRESS`.
    pub api_base_url: Option<BaseUrl>,
    /// `FRONTEND_BASE_URL`: default from `SITE_ADDRESS`.
    pub frontend_base_url: Option<BaseUrl>,
    /// `CORS_ALLOW_ORIGINS`: comma-separated origins that may call the dashboard API with cookies.
    pub cors_allow_origins: Vec<BaseUrl>,
    /// `WEB_DIST_DIR`: unset: the baked Web app; empty: API only; else a folder with `index.html`.
    pub web_app: WebApp,
    /// `SERVICE_TELEMETRY_MODE`: `local_dev`, `self_managed` (default) or `hosted_product`.
    pub telemetry_mode: TelemetryMode,
    /// `SERVICE_SETUP_TOKEN_FILE`: default `setup-token` in the data directory.
    pub setup_token_file: Option<PathBuf>,
    /// `JWT_SECRET`, at least 32 bytes; signs sessions. Default: made at first start and kept.
    pub jwt_secret: Option<Secret>,
    /// `CLOUD_SECRET_KEY`, at least 32 bytes; seals stored credentials. Default: made and kept.
    pub cloud_secret_key: Option<Secret>,
    /// `SERVICE_SOURCEMAP_MAX_MB`: MiB a source map may have, 1 to 200. Default 50.
    pub sourcemap_max_bytes: u64,
    /// `SERVICE_LOG`: how much is logged, in the syntax of `tracing`'s filters. Default `info`.
    pub log: String,
    /// `INSTANCE_*`.
    pub identity: Identity,
    /// How people sign in, and who may.
    pub sign_in: SignInConfig,
    /// How mail leaves; none: links are shared by hand.
    pub mail: Option<MailConfig>,
}

/// Every variable that is read, in the order of `.env.static.example`; a test holds the two together.
pub const VARIABLES: &[&str] = &[
    "SITE_ADDRESS",
    "API_BASE_URL",
    "FRONTEND_BASE_URL",
    "CORS_ALLOW_ORIGINS",
    "WEB_DIST_DIR",
    "SERVICE_TELEMETRY_MODE",
    "SERVICE_LISTEN",
    "SERVICE_DATA_DIR",
    "DATABASE_URL",
    "SERVICE_SETUP_TOKEN_FILE",
    "JWT_SECRET",
    "CLOUD_SECRET_KEY",
    "SERVICE_SOURCEMAP_MAX_MB",
    "SERVICE_LOG",
    "INSTANCE_NAME",
    "INSTANCE_LOGO_URL",
    "INSTANCE_SUPPORT_EMAIL",
    "INSTANCE_SUPPORT_URL",
];

impl Config {
    /// Reads and validates every variable; all faults are reported, not only the first.
    pub fn read(source: &Source) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(source);
        let data_dir = reader.path("SERVICE_DATA_DIR").unwrap_or_else(|| "./data".into());
        reader.check_database_url(&data_dir);
        let config = Self {
            listen: reader
                .parsed("SERVICE_LISTEN", "an address and port such as 127.0.0.1:8000")
                .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8000))),
            site_address: reader.base_url("SITE_ADDRESS"),
            api_base_url: reader.base_url("API_BASE_URL"),
            frontend_base_url: reader.base_url("FRONTEND_BASE_URL"),
            cors_allow_origins: reader.origins("CORS_ALLOW_ORIGINS"),
            web_app: reader.web_app("WEB_DIST_DIR"),
            telemetry_mode: reader.telemetry_mode("SERVICE_TELEMETRY_MODE"),
            setup_token_file: reader.path("SERVICE_SETUP_TOKEN_FILE"),
            jwt_secret: reader.secret("JWT_SECRET", JWT_SECRET_MIN),
            cloud_secret_key: reader.secret("CLOUD_SECRET_KEY", JWT_SECRET_MIN),
            sourcemap_max_bytes: reader.bounded("SERVICE_SOURCEMAP_MAX_MB", 50, 1, 200) << 20,
            log: reader.log_filter("SERVICE_LOG"),
            identity: Identity {
                name: reader.identity("INSTANCE_NAME"),
                logo_url: reader.https_url("INSTANCE_LOGO_URL"),
                support_email: reader.identity("INSTANCE_SUPPORT_EMAIL"),
                support_url: reader.identity("INSTANCE_SUPPORT_URL"),
            },
            sign_in: SignInConfig {
                password_enabled: true,
                code_host: None,
                sso: None,
                single_org: true,
                admin_emails: Vec::new(),
                allowed_email_domains: Vec::new(),
                trusted_proxies: Vec::new(),
                dashboard_per_hour: 1_000,
            },
            mail: None,
            data_dir,
        };
        reader.finish(config)
    }

    /// The file with the plaintext setup token while the instance is unclaimed.
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

    /// What works and is worth a word at start and in `check-config`.
    pub fn warnings(&self) -> Vec<String> {
        let named = [
            ("SITE_ADDRESS", &self.site_address),
            ("API_BASE_URL", &self.api_base_url),
            ("FRONTEND_BASE_URL", &self.frontend_base_url),
        ];
        let plain = |url: &BaseUrl| !url.is_https() && !url.is_localhost();
        named
            .into_iter()
            .filter_map(|(name, url)| Some((name, url.as_ref().filter(|url| plain(url))?)))
            .map(|(name, url)| {
                format!("{name}={url} is plain http on another host than localhost: passwords and keys travel readable")
            })
            .collect()
    }
}

/// The public addresses of an instance.
#[derive(Debug, Clone)]
pub struct Addresses {
    pub api: BaseUrl,
    pub frontend: BaseUrl,
}

#[cfg(test)]
mod tests;
