//! Checks whether the name of the model gateway's administration resolves to a public address, for `check-config
//! --deploy`.

use crate::config::Config;
use crate::outbound::guard::is_local_name;
use crate::outbound::{Client, OutboundError, Policy};
use std::time::Duration;
use url::{Host, Url};

/// How long the look-up may take.
const LOOK_UP: Duration = Duration::from_secs(3);

/// Where a name leads. [`Config::gateway_exposure`] judges literal addresses.
pub(super) enum Reach {
    /// Not to a public address, or there is nothing to look up.
    Private,
    Public(String),
    Unknown(String),
}

pub(super) fn reach(config: &Config) -> Reach {
    let Some(url) = config.gateway.as_ref().and_then(|gateway| Url::parse(&gateway.admin_url).ok()) else {
        return Reach::Private;
    };
    let Some(Host::Domain(name)) = url.host() else { return Reach::Private };
    // Names in the stack's own network have no dots; this host may not know them.
    if is_local_name(name) || !name.contains('.') {
        return Reach::Private;
    }
    let named = format!("AGENT_GATEWAY_PROXY_BASE_URL={url}");
    match look_up(name) {
        Ok(()) => Reach::Public(format!(
            "{named} leads to a public address: its administration must not be reachable from the internet. Use its \
             address in the private network"
        )),
        Err(OutboundError::Private { .. }) => Reach::Private,
        Err(error) => Reach::Unknown(format!(
            "{named} could not be checked ({error}): make sure that it is not reachable from the internet"
        )),
    }
}

/// Succeeds if all addresses of the name are public.
fn look_up(name: &str) -> Result<(), OutboundError> {
    let failed = |error: std::io::Error| OutboundError::Address(error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let client = Client::new().within(LOOK_UP);
    let addresses = runtime.block_on(client.check(&format!("https://{name}"), Policy::Guarded));
    // A look-up that takes longer goes on in a background thread.
    runtime.shutdown_background();
    addresses.map(drop)
}
