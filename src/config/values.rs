//! The forms of values: each function reads one value, or says what was expected.

use crate::text::email;
use crate::time::Timestamp;
use crate::time::cron::{Cron, Zone};
use ipnet::IpNet;
use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use url::Url;

/// What was expected of an invalid value.
pub(super) type Expected = Cow<'static, str>;

/// The longest name for display, in characters.
const NAME_MAX: usize = 128;

pub(super) fn boolean(value: &str) -> Result<bool, Expected> {
    let is = |words: [&str; 3]| words.iter().any(|word| value.eq_ignore_ascii_case(word));
    match (is(["true", "1", "yes"]), is(["false", "0", "no"])) {
        (true, _) => Ok(true),
        (_, true) => Ok(false),
        _ => Err("true or false (also 1 and 0, yes and no)".into()),
    }
}

pub(super) fn time_zone(value: &str) -> Result<Zone, Expected> {
    Zone::parse(value).ok_or_else(|| "a time zone such as UTC or Europe/Berlin".into())
}

pub(super) fn cron(value: &str, zone: &Zone) -> Result<Cron, Expected> {
    let expected = || "a cron expression such as `0 3 * * *` (minute, hour, day, month, day of the week)";
    let cron = Cron::parse(value, zone).ok_or_else(expected)?;
    match cron.after(Timestamp::now()) {
        Some(_) => Ok(cron),
        None => Err("a cron expression with a time that comes".into()),
    }
}

/// A name for display, of at most 128 characters.
pub(super) fn name(value: &str) -> Result<String, Expected> {
    if value.chars().count() > NAME_MAX {
        return Err(format!("at most {NAME_MAX} characters").into());
    }
    Ok(value.to_owned())
}

/// An identifier issued by somebody else: visible ASCII.
pub(super) fn token(value: &str) -> Result<String, Expected> {
    if value.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(value.to_owned());
    }
    Err("ASCII characters without spaces".into())
}

/// An absolute address with a host, without fragment, user or password.
pub(super) fn address(value: &str, schemes: &[&str]) -> Option<Url> {
    let url = Url::parse(value).ok()?;
    let is_plain = url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
    let has_host = url.host_str().is_some_and(|host| !host.is_empty());
    let spelt_out = value.get(url.scheme().len()..).is_some_and(|rest| rest.starts_with("://"));
    (schemes.contains(&url.scheme()) && is_plain && has_host && spelt_out).then_some(url)
}

/// An http or https address, kept as written: a provider's own name for itself must not change.
pub(super) fn http_url(value: &str) -> Result<String, Expected> {
    let expected = "an absolute http or https address without user, password and #fragment";
    address(value, &["http", "https"]).map(|_| value.to_owned()).ok_or_else(|| expected.into())
}

pub(super) fn https_url(value: &str) -> Result<String, Expected> {
    let expected = "an absolute https address without user, password and #fragment";
    address(value, &["https"]).map(|_| value.to_owned()).ok_or_else(|| expected.into())
}

/// An address that others are led to or that tells them what to install: https, and plain http only on this machine.
pub(super) fn guarded_url(value: &str) -> Result<String, Expected> {
    let expected = "an absolute https address (http for localhost) without user, password and #fragment";
    let is_guarded = |url: &Url| url.scheme() == "https" || is_this_machine(url);
    address(value, &["http", "https"])
        .filter(is_guarded)
        .map(|_| value.to_owned())
        .ok_or_else(|| expected.into())
}

/// The same, for adding paths to: without a query and a slash at the end.
pub(super) fn guarded_base(value: &str) -> Result<String, Expected> {
    match guarded_url(value) {
        Ok(url) if !url.contains('?') => Ok(url.trim_end_matches('/').to_owned()),
        _ => {
            Err("an absolute https address (http for localhost) without user, password, ?query and #fragment"
                .into())
        }
    }
}

fn is_this_machine(url: &Url) -> bool {
    matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"))
}

/// Where people get help: a page or a mailbox.
pub(super) fn support_url(value: &str) -> Result<String, Expected> {
    let mailbox = value.strip_prefix("mailto:").map(|rest| rest.split('?').next().unwrap_or_default());
    if mailbox.is_some_and(|mailbox| email(mailbox).is_ok()) {
        return Ok(value.to_owned());
    }
    http_url(value).map_err(|_| "an absolute https or http address, or mailto:help@example.com".into())
}

/// An e-mail address, normalized as accounts are.
pub(super) fn email(value: &str) -> Result<String, Expected> {
    email::normal_email(value).map_err(|_| "an e-mail address such as ada@example.com".into())
}

/// An e-mail domain, in IDNA and lower case, to be compared exactly; a leading `@` is ignored.
pub(super) fn domain(value: &str) -> Result<String, Expected> {
    let expected = || {
        "an e-mail domain such as corp.example, the part after the @; wildcards are not possible, \
            list each domain"
    };
    let name = value.strip_prefix('@').unwrap_or(value);
    let ascii = idna::domain_to_ascii_strict(name).map_err(|_| expected())?;
    match email::normal_email(&format!("x@{ascii}")) {
        Ok(_) => Ok(ascii),
        Err(_) => Err(expected().into()),
    }
}

/// An address, or a network as `address/bits`.
pub(super) fn network(value: &str) -> Result<IpNet, Expected> {
    let expected = "an IP address or a network such as 10.0.0.0/8";
    let network = match value.parse::<IpAddr>() {
        Ok(address) => Some(IpNet::from(address.to_canonical())),
        Err(_) => value.parse::<IpNet>().ok().map(|network| network.trunc()),
    };
    network.ok_or_else(|| expected.into())
}

pub(super) fn version(value: &str) -> Result<String, Expected> {
    match semver::Version::parse(value) {
        Ok(_) => Ok(value.to_owned()),
        Err(_) => Err("a version such as 1.4.0".into()),
    }
}

/// The tag of a container image.
pub(super) fn image_tag(value: &str) -> Result<String, Expected> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if value.len() <= 128 && !value.starts_with(['.', '-']) && value.chars().all(allowed) {
        return Ok(value.to_owned());
    }
    Err("a release tag such as server-v1.4.0, or stable".into())
}

/// How much of a file is looked at.
const KEY_FILE_MAX: u64 = 64 << 10;

/// A file that holds a private key in PEM form. Its content is never shown.
pub(super) fn private_key(value: &str) -> Result<PathBuf, Expected> {
    let path = PathBuf::from(value);
    if !path.is_absolute() {
        return Err("the absolute path of a file".into());
    }
    let mut text = String::new();
    let read = File::open(&path).and_then(|file| file.take(KEY_FILE_MAX).read_to_string(&mut text));
    match read {
        Err(error) => Err(format!("a file that the server can read ({error})").into()),
        Ok(_)
            if text
                .lines()
                .any(|line| line.starts_with("-----BEGIN ") && line.contains("PRIVATE KEY-----")) =>
        {
            Ok(path)
        }
        Ok(_) => Err("a file with a private key in PEM form (-----BEGIN … PRIVATE KEY-----)".into()),
    }
}

/// Where to listen, and whether on the other loopback address as well: `127.0.0.1:8000`, `[::]:8000`, `localhost:8000`.
pub(super) fn listen(value: &str) -> Result<(SocketAddr, bool), Expected> {
    let port = value.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    match port {
        Some(port) => Ok(localhost(port)),
        None => match value.parse() {
            Ok(address) => Ok((address, false)),
            Err(_) => Err("an address and port such as 127.0.0.1:8000, [::]:8000 or localhost:8000".into()),
        },
    }
}

pub(super) fn localhost(port: u16) -> (SocketAddr, bool) {
    (SocketAddr::from(([127, 0, 0, 1], port)), true)
}
