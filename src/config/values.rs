//! The forms of values: each function reads one value, or says what was expected.

use crate::text::email;
use ipnet::IpNet;
use std::borrow::Cow;
use std::net::IpAddr;
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
