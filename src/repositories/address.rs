//! Addresses that git clones from. They reach a command line of a runner, so only a few forms are accepted.

use super::{FILES_MAX, HOSTS_MAX};
use crate::error::{Error, Result};
use crate::text::shown;
use percent_encoding::percent_decode_str;
use url::Url;

/// Characters of an address and of a branch.
const ADDRESS_MAX: usize = 2_048;
const BRANCH_MAX: usize = 255;

const EXPECTED: &str =
    "expected a clone address such as https://github.com/acme/shop.git or git@github.com:acme/shop.git";

/// Checks the hosts that agents may reach: valid names, returned in lower case and without duplicates.
///
/// # Errors
/// 422 naming the first invalid one.
pub fn check_hosts(field: &str, hosts: &[String]) -> Result<Vec<String>> {
    if hosts.len() > HOSTS_MAX {
        return Err(Error::invalid(format!(
            "{field}: expected at most {HOSTS_MAX} hosts, got {}",
            hosts.len()
        )));
    }
    let mut found = Vec::new();
    for host in hosts {
        let host = host.trim().to_ascii_lowercase();
        if !is_host(&host) {
            return Err(Error::invalid(format!(
                "{field}: expected names of hosts, such as registry.npmjs.org or *.example.com, without scheme and path, got `{}`",
                shown(&host, 100)
            )));
        }
        if !found.contains(&host) {
            found.push(host);
        }
    }
    Ok(found)
}

/// Checks names or paths of manifests and lock files; returned in lower case and without duplicates.
///
/// # Errors
/// 422 naming the field and the invalid entry.
pub fn check_files(field: &str, files: &[String]) -> Result<Vec<String>> {
    if files.len() > FILES_MAX {
        return Err(Error::invalid(format!(
            "{field}: expected at most {FILES_MAX} files, got {}",
            files.len()
        )));
    }
    let mut found = Vec::new();
    for file in files {
        let file = file.trim().to_lowercase();
        if !is_file(&file) {
            return Err(Error::invalid(format!(
                "{field}: expected names or paths of files, such as package.json or web/Cargo.lock, without wildcards, got `{}`",
                shown(&file, 100)
            )));
        }
        if !found.contains(&file) {
            found.push(file);
        }
    }
    Ok(found)
}

/// A path that starts at the repository's root.
fn is_file(file: &str) -> bool {
    file.len() <= 300
        && !file.contains(|c: char| c.is_control() || "*?\\".contains(c))
        && file.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// A name of at least two parts, with an optional port. Not an IP address, because names are resolved and checked.
fn is_host(host: &str) -> bool {
    let (name, port) = host.rsplit_once(':').map_or((host, None), |(name, port)| (name, Some(port)));
    let name = name.strip_prefix("*.").unwrap_or(name);
    let is_part = |part: &str| {
        (1..=63).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    let is_name = name.len() <= 253 && name.contains('.') && name.split('.').all(is_part);
    let is_address =
        name.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    is_name && !is_address && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0))
}

/// Checks an address. `local`: also `file://` and `http://`.
///
/// # Errors
/// 422 for other schemes (such as `ext::`), for anything that git would take as an option, and for addresses with a
/// password or token: credentials stay on the runner's machine.
pub fn check_address(field: &str, address: &str, local: bool) -> Result<String> {
    let fault = |why: &str| Err(Error::invalid(format!("{field}: {why}")));
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace();
    if address.is_empty() || address.chars().count() > ADDRESS_MAX || !address.chars().all(is_plain) {
        return fault(EXPECTED);
    }
    // `ext::`, `fd::` and the like name a program that git runs.
    let names_program = address.split_once("::").is_some_and(|(name, _)| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    });
    if address.starts_with('-') || names_program {
        return fault(EXPECTED);
    }
    let Some((scheme, _)) = address.split_once("://") else {
        return if is_scp(address) { Ok(address.to_owned()) } else { fault(EXPECTED) };
    };
    let scheme = scheme.to_ascii_lowercase();
    match scheme.as_str() {
        "https" | "ssh" => {}
        "file" | "http" if local => {}
        "file" | "http" => {
            return fault(
                "expected https or ssh. Addresses with file:// and http:// are for instances with \
                 SERVICE_REPOSITORIES_ALLOW_LOCAL=true",
            );
        }
        _ => return fault(EXPECTED),
    }
    let Ok(url) = Url::parse(address) else { return fault(EXPECTED) };
    let host = url.host_str().unwrap_or_default();
    if scheme == "file" {
        return if host.is_empty() && url.path().len() > 1 {
            Ok(address.to_owned())
        } else {
            fault(EXPECTED)
        };
    }
    let has_secret = url.password().is_some() || scheme != "ssh" && !url.username().is_empty();
    if has_secret {
        return fault(
            "expected an address without user and password: credentials stay on the runner's machine, in its git \
             configuration",
        );
    }
    if host.is_empty() || host.starts_with('-') || url.username().starts_with('-') || url.path().len() < 2 {
        return fault(EXPECTED);
    }
    Ok(address.to_owned())
}

/// Whether `url` is a pull request of the repository that git clones from `address`, at the same host: as GitHub,
/// GitLab and Gitea write them.
pub fn is_pull_request(address: &str, url: &str) -> bool {
    let Some((host, port, path)) = place(address) else { return false };
    let Ok(found) = Url::parse(url) else { return false };
    let is_plain = found.as_str() == url
        && found.scheme() == "https"
        && found.username().is_empty()
        && found.password().is_none()
        && found.query().is_none()
        && found.fragment().is_none();
    let is_there =
        found.host_str().is_some_and(|name| name.eq_ignore_ascii_case(&host)) && found.port() == port;
    let at = found.path();
    let rest =
        at.get(..path.len()).filter(|start| start.eq_ignore_ascii_case(&path)).map(|_| &at[path.len()..]);
    let number = rest.and_then(|rest| PULL_REQUESTS.iter().find_map(|form| rest.strip_prefix(form)));
    is_plain && is_there && number.is_some_and(is_number)
}

/// What separates a repository's path from a pull request's number.
const PULL_REQUESTS: [&str; 3] = ["/pull/", "/-/merge_requests/", "/pulls/"];

fn is_number(text: &str) -> bool {
    (1..=10).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number of a pull request by its address, as GitHub, GitLab and Gitea write them.
pub fn pull_request_number(url: &str) -> Option<u64> {
    let found = Url::parse(url).ok()?;
    let rests = PULL_REQUESTS.iter().filter_map(|form| found.path().rsplit_once(form));
    rests.map(|(_, rest)| rest).find(|rest| is_number(rest))?.parse().ok()
}

/// Where an address's pages are: host, port and path, without `.git`. Pages of a host that is cloned from by another
/// way than https are at the usual port.
fn place(address: &str) -> Option<(String, Option<u16>, String)> {
    let (host, port, path) = match address.split_once("://") {
        Some(_) => {
            let url = Url::parse(address).ok()?;
            let port = if url.scheme() == "https" { url.port() } else { None };
            (url.host_str()?.to_owned(), port, url.path().to_owned())
        }
        None => {
            let (host, path) = address.split_once(':')?;
            let host = host.split_once('@').map_or(host, |(_, host)| host);
            (host.to_owned(), None, format!("/{}", path.trim_start_matches('/')))
        }
    };
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    (!host.is_empty() && path.len() > 1).then(|| (host, port, path.to_owned()))
}

/// Whether two addresses mean the same repository, whatever their protocol and notation.
pub fn is_same(one: &str, other: &str) -> bool {
    let plain = |address: &str| {
        let (host, port, path) = place(address)?;
        let path = percent_decode_str(&path).decode_utf8_lossy().to_lowercase();
        let parts: Vec<String> = path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        Some((host.trim_end_matches('.').to_lowercase(), port, parts))
    };
    one == other || plain(one).is_some_and(|one| plain(other) == Some(one))
}

/// `git@host:path`, as ssh is often written.
fn is_scp(address: &str) -> bool {
    let Some((place, path)) = address.split_once(':') else { return false };
    let (user, host) = place.split_once('@').unwrap_or(("git", place));
    let is_name = |text: &str| {
        !text.is_empty()
            && !text.starts_with(['-', '.'])
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
    };
    // With a dot or a user, so that a drive letter is not taken for a host.
    is_name(user)
        && is_name(host)
        && (place.contains('@') || host.contains('.'))
        && !path.is_empty()
        && !path.starts_with('-')
}

/// Checks a branch's name as git does, and refuses what would be an option.
///
/// # Errors
/// 422 naming the field.
pub fn check_branch(field: &str, branch: &str) -> Result<String> {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    let is_good = branch.chars().count() <= BRANCH_MAX
        && !branch.starts_with('-')
        && !branch.ends_with('.')
        && branch != "@"
        && !branch.contains("..")
        && !branch.contains("@{")
        && branch.split('/').all(is_part)
        && !branch
            .chars()
            .any(|c| c.is_control() || matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\'));
    if is_good {
        return Ok(branch.to_owned());
    }
    Err(Error::invalid(format!(
        "{field}: expected the name of a branch, such as main, of at most {BRANCH_MAX} characters"
    )))
}

#[cfg(test)]
mod tests;
