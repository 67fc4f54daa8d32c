//! The command that makes an unresolved frame resolve.

use super::Nearest;
use crate::grouping::file_name::is_of_one_machine;
use crate::releases::{ReleaseMaps, Rule, URL_PREFIX_DEFAULT, base_name, check_url_prefix};
use crate::text::shell::{argument, option};

/// The name under which no source map was found.
pub(super) fn looked_for(
    rule: Rule,
    version: Option<&str>,
    release: Option<&ReleaseMaps>,
    address: &str,
) -> Option<String> {
    match rule {
        Rule::Release => version.map(str::to_owned),
        Rule::Prefix | Rule::Url => Some(release.and_then(|release| release.form(address)).map_or_else(
            || address.to_owned(),
            |form| form.split(['?', '#']).next().unwrap_or_default().to_owned(),
        )),
        Rule::Position => None,
    }
}

/// The command to run; `None` without a release, if a name cannot be written in a shell, or if no command is known to
/// help.
pub(super) fn command(
    rule: Rule,
    version: Option<&str>,
    release: Option<&ReleaseMaps>,
    address: &str,
    nearest: &[Nearest],
) -> Option<String> {
    let of = option("--release", version?)?;
    if rule != Rule::Position && is_of_one_machine(address) {
        return Some(format!("mayday sourcemaps inject dist/ && mayday sourcemaps upload {of} dist/"));
    }
    let form = release.and_then(|release| release.form(address)).map(Into::into);
    let wanted = form.or_else(|| tilde_form(address))?;
    let proven = prefix_of(&wanted, nearest);
    // Without a prefix, the upload uses the one of a page in the build, or else `~/`.
    let upload = |prefix: Option<&str>| {
        let prefix = match prefix {
            Some(prefix) => format!(" {}", option("--url-prefix", prefix)?),
            None => String::new(),
        };
        Some(format!("mayday sourcemaps upload {of}{prefix} dist/"))
    };
    let check = || Some(format!("mayday releases check {of} dist/"));
    match (rule, release) {
        (Rule::Release, _) => match proven.as_deref() {
            // No other prefix matches relative addresses.
            None if is_relative(&wanted) => upload(Some("")),
            prefix => upload(prefix.filter(|prefix| *prefix != URL_PREFIX_DEFAULT)),
        },
        // A release's prefix cannot be changed. The release is deleted only if its source maps show under which
        // prefix they would be found.
        (Rule::Prefix, Some(release)) => match proven.as_deref() {
            None if is_relative(&wanted) => None,
            None if !release.maps.is_empty() => check(),
            prefix => Some(format!("mayday releases delete {} && {}", argument(version?)?, upload(prefix)?)),
        },
        (Rule::Url, Some(release)) => {
            let own = Some(release.url_prefix.as_str()).filter(|own| *own != URL_PREFIX_DEFAULT);
            upload(proven.as_deref().or(own))
        }
        (Rule::Position, _) => check(),
        _ => None,
    }
}

/// The prefix under which a script in the same directory of a build as one of the nearest source maps has the wanted
/// address; `None` if none of them shows it. The script's directory alone does not: `assets/` may be where the build
/// is served, or a directory of it.
fn prefix_of(wanted: &str, nearest: &[Nearest]) -> Option<String> {
    let own = folder(wanted);
    let front = nearest.iter().find_map(|near| {
        let path = near.url.strip_prefix(&near.url_prefix)?;
        let below = folder(path);
        // The top of a build often has many scripts, so there the names must match.
        if below.is_empty() && stem(path) != stem(wanted) {
            return None;
        }
        own.strip_suffix(below).filter(|front| match *front {
            "" => is_relative(wanted),
            front => front.ends_with('/') && check_url_prefix(front).is_ok(),
        })
    });
    front.map(str::to_owned)
}

/// The address up to its last `/`.
fn folder(address: &str) -> &str {
    &address[..address.rfind('/').map_or(0, |end| end + 1)]
}

/// The name of a script without the parts that differ between builds.
fn stem(address: &str) -> &str {
    base_name(address).split(['.', '-']).next().unwrap_or_default()
}

fn is_relative(form: &str) -> bool {
    !form.starts_with('~') && !form.contains("://")
}

/// The address for any host.
fn tilde_form(address: &str) -> Option<String> {
    let bare = address.split(['?', '#']).next()?;
    match bare.split_once("://") {
        Some((_, rest)) => Some(format!("~{}", &rest[rest.find('/')?..])),
        None if bare.starts_with('/') => Some(format!("~{bare}")),
        None => Some(bare.to_owned()),
    }
}

#[cfg(test)]
mod tests;
