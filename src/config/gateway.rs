//! The model gateway: a proxy to model providers that runs beside Mayday.

use super::reader::Reader;
use super::values::{self, Expected};
use super::warnings::is_private;
use super::{Addresses, Config};
use crate::crypto::secret::Secret;
use std::time::Duration;
use url::Url;

const ADMIN_URL: &str = "AGENT_GATEWAY_PROXY_BASE_URL";
const PUBLIC_URL: &str = "AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL";
const MASTER_KEY: &str = "AGENT_GATEWAY_PROXY_MASTER_KEY";
/// The same key, as the gateway's container gets it.
const CONTAINER_KEY: &str = "PROXY_MASTER_KEY";
/// The most that a budget can be, in US dollars.
const BUDGET_MAX: u64 = 1_000_000;

/// The gateway; configured if `AGENT_GATEWAY_ENABLED` is true.
#[derive(Debug, Clone)]
pub struct Gateway {
    /// `AGENT_GATEWAY_PROXY_BASE_URL`: where its keys are managed; not reachable from the internet.
    pub admin_url: String,
    /// `AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL`: where models are asked.
    pub public_url: String,
    /// `AGENT_GATEWAY_PROXY_MASTER_KEY`: manages its keys; never leaves this server but to `admin_url`.
    pub master_key: Secret,
    /// `AGENT_GATEWAY_PROXY_TIMEOUT_SECONDS`: for calls to `admin_url`, 1 to 600 s. Default 30.
    pub timeout: Duration,
    /// `AGENT_GATEWAY_DEFAULT_USER_BUDGET_USD`: what one person may spend in a month, in cents. Default 5 dollars.
    pub user_budget_cents: u64,
    /// `AGENT_GATEWAY_DEFAULT_ORG_BUDGET_USD`: what an organization may spend in a month, in cents; `None`: as much
    /// as its people together. Default none, which is written 0.
    pub organization_budget_cents: Option<u64>,
    /// `SERVICE_GATEWAY_SETTLE_SECONDS`: how long after the end of a session its key is blocked but not deleted, so that the
    /// gateway can write down what it has spent, 0 to 3,600. Default 30: LiteLLM does so every 10 to 15 s.
    pub settle: Duration,
}

impl Gateway {
    /// Values must be valid even if it is off, but only then may they be missing.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let enabled = reader.switch("AGENT_GATEWAY_ENABLED", false);
        if enabled {
            refuse_missing(reader);
            refuse_unequal_keys(reader);
        }
        let admin_url = reader.value(ADMIN_URL, base);
        let public_url = reader.value(PUBLIC_URL, base);
        let master_key = reader.token(MASTER_KEY);
        let timeout = Duration::from_secs(reader.bounded("AGENT_GATEWAY_PROXY_TIMEOUT_SECONDS", 30, 1, 600));
        let user_budget_cents =
            reader.value("AGENT_GATEWAY_DEFAULT_USER_BUDGET_USD", user_budget).unwrap_or(500);
        let organization_budget =
            reader.value("AGENT_GATEWAY_DEFAULT_ORG_BUDGET_USD", organization_budget).unwrap_or(0);
        let settle = Duration::from_secs(reader.bounded("SERVICE_GATEWAY_SETTLE_SECONDS", 30, 0, 3_600));
        let gateway = Self {
            admin_url: admin_url?,
            public_url: public_url?,
            master_key: master_key?,
            timeout,
            user_budget_cents,
            organization_budget_cents: (organization_budget > 0).then_some(organization_budget),
            settle,
        };
        enabled.then_some(gateway)
    }
}

fn refuse_missing(reader: &mut Reader<'_>) {
    for name in [ADMIN_URL, PUBLIC_URL, MASTER_KEY] {
        if reader.text(name).is_none() {
            reader.fault(format!(
                "AGENT_GATEWAY_ENABLED=true needs {name}: set it, or leave AGENT_GATEWAY_ENABLED out"
            ));
        }
    }
}

fn refuse_unequal_keys(reader: &mut Reader<'_>) {
    if let (Some(own), Some(theirs)) = (reader.text(MASTER_KEY), reader.text(CONTAINER_KEY))
        && own != theirs
    {
        reader.fault(format!(
            "{MASTER_KEY} and {CONTAINER_KEY} differ: the gateway would refuse the server. Leave the first one out"
        ));
    }
}

/// An address that paths are added to.
fn base(value: &str) -> Result<String, Expected> {
    let is_base = |url: &str| Url::parse(url).is_ok_and(|url| url.query().is_none());
    match values::http_url(value) {
        Ok(url) if is_base(&url) => Ok(url.trim_end_matches('/').to_owned()),
        _ => Err("an absolute http or https address without user, password, ?query and #fragment".into()),
    }
}

fn user_budget(value: &str) -> Result<u64, Expected> {
    let expected = || format!("US dollars from 0.01 to {BUDGET_MAX}, such as 5 or 7.50").into();
    cents(value).filter(|cents| *cents > 0).ok_or_else(expected)
}

fn organization_budget(value: &str) -> Result<u64, Expected> {
    let expected =
        || format!("US dollars from 0 to {BUDGET_MAX}, such as 100 or 99.50; 0 means no limit").into();
    cents(value).ok_or_else(expected)
}

/// An amount of dollars with at most two decimals.
fn cents(value: &str) -> Option<u64> {
    let (dollars, rest) = value.split_once('.').unwrap_or((value, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(dollars) || !is_number(rest) || rest.len() > 2 {
        return None;
    }
    let rest: u64 = format!("{rest:0<2}").parse().ok()?;
    let cents = dollars.parse::<u64>().ok()?.checked_mul(100)?.checked_add(rest)?;
    (cents <= BUDGET_MAX * 100).then_some(cents)
}

impl Config {
    /// Why the gateway's administration may be reachable from the internet, judged by its address. Whoever reaches it
    /// can guess keys and spend money.
    pub fn gateway_exposure(&self) -> Option<String> {
        let gateway = self.gateway.as_ref()?;
        let admin = Url::parse(&gateway.admin_url).ok()?;
        let host = admin.host_str()?;
        let public = Url::parse(&gateway.public_url).ok();
        let Addresses { api, frontend } = self.addresses(self.listen.port());
        let of_public = public.as_ref().and_then(Url::host_str);
        let is_shared = [Some(api.host()), Some(frontend.host()), of_public].contains(&Some(host));
        let fault = match admin.host() {
            _ if is_private(&admin) => return None,
            _ if is_shared => "names the host that everybody uses",
            Some(url::Host::Domain(_)) => return None,
            _ => "names a public address",
        };
        Some(format!(
            "{ADMIN_URL}={} {fault}: its administration must not be reachable from the internet. Use its address in \
             the private network, such as http://gateway:4000",
            gateway.admin_url
        ))
    }
}
