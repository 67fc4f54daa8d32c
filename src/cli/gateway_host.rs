//! Whether the name of the model gateway's administration leads to the internet, for `check-config --deploy`.

use crate::config::Config;
use crate::outbound::guard::is_local_name;
use crate::outbound::{Client, OutboundError, Policy};
use std::time::Duration;
use url::{Host, Url};

/// How long the look-up may take.
const LOOK_UP: Duration = Duration::from_secs(3);

/// What a look-up of the name says. Addresses are judged by [`Config::gateway_exposure`].
pub(super) enum Reach {
    /// Nowhere outside, or there is nothing to look up.
    Private,
    Public(String),
    Unknown(String),
}

pub(super) fn reach(config: &Config) -> Reach {
    let Some(url) = config.gateway.as_ref().and_then(|gateway| Url::parse(&gateway.admin_url).ok()) else {
        return Reach::Private;
    };
    let Some(Host::Domain(name)) = url.host() else { return Reach::Private };
    // A name of the stack's own network has no dots; this host need not know it.
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
    // A look-up that takes longer goes on in a thread of its own.
    runtime.shutdown_background();
    addresses.map(drop)
}
