//! How an instance presents itself in `GET /meta`.

use super::reader::Reader;
use super::values;

/// How an instance presents itself in `GET /meta`. Each variable may also be named `SERVICE_<name>`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// `INSTANCE_NAME`: display name, at most 128 characters. Default: the host name of the site.
    pub name: Option<String>,
    /// `INSTANCE_LOGO_URL`: absolute https address. Reported, never loaded by the Web app.
    pub logo_url: Option<String>,
    /// `INSTANCE_SUPPORT_EMAIL`. Default: no support e-mail is offered.
    pub support_email: Option<String>,
    /// `INSTANCE_SUPPORT_URL`: http, https or mailto.
    pub support_url: Option<String>,
}

/// Versions of what belongs to this server but is released separately. Default: the server's version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Versions {
    /// `SERVICE_DESKTOP_VERSION`: the desktop client that matches this server.
    pub desktop: Option<String>,
    /// `SERVICE_MIN_DESKTOP_VERSION`: the oldest desktop client allowed; enforced if set.
    pub min_desktop: Option<String>,
    /// `SERVICE_RUNTIME_VERSION`: the runtime that agents run in.
    pub runtime: Option<String>,
}

impl Identity {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            name: reader.value("INSTANCE_NAME", values::name),
            logo_url: reader.value("INSTANCE_LOGO_URL", values::https_url),
            support_email: reader.value("INSTANCE_SUPPORT_EMAIL", values::email),
            support_url: reader.value("INSTANCE_SUPPORT_URL", values::support_url),
        }
    }
}

impl Versions {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            desktop: reader.value("SERVICE_DESKTOP_VERSION", values::version),
            min_desktop: reader.value("SERVICE_MIN_DESKTOP_VERSION", values::version),
            runtime: reader.value("SERVICE_RUNTIME_VERSION", values::version),
        }
    }
}
