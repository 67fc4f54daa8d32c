//! What the instance sends to others, and what it requests from them.

use super::reader::Reader;
use super::values;
use serde::Serialize;
use utoipa::ToSchema;

/// Where official builds send the heartbeat; `MAYDAY_TELEMETRY_ENDPOINT` while compiling. A build from source has no
/// such address.
const VENDOR_ENDPOINT: Option<&str> = option_env!("MAYDAY_TELEMETRY_ENDPOINT");

/// The kind of deployment.
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

/// Where the anonymous heartbeat goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnonymousTelemetry {
    /// `SERVICE_ANONYMOUS_TELEMETRY_DISABLED`: nothing is sent. Default false.
    pub disabled: bool,
    /// `SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT`, http or https. Default: the vendor's in official builds, else none.
    pub endpoint: Option<String>,
}

impl AnonymousTelemetry {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let vendors = || VENDOR_ENDPOINT.filter(|endpoint| !endpoint.is_empty()).map(str::to_owned);
        Self {
            disabled: reader.switch("SERVICE_ANONYMOUS_TELEMETRY_DISABLED", false),
            endpoint: reader.value("SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT", values::http_url).or_else(vendors),
        }
    }

    /// The address for heartbeats; `None` if none are sent.
    pub fn destination(&self) -> Option<&str> {
        self.endpoint.as_deref().filter(|_| !self.disabled)
    }
}
