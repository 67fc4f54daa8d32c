//! The command that makes a script resolve. The server knows only addresses; here the directory is known as well, and
//! how it is served.

use crate::cli::sourcemaps::plan::{BuildOptions, Plan, State};
use crate::releases::URL_PREFIX_DEFAULT;
use crate::text::shell::{argument, option};
use serde_json::{Value, json};

/// How to upload the build so that its scripts have the checked addresses.
pub(super) struct Mend {
    release: String,
    /// The options and the directory; `None` if the shell could not take them, or the upload would be refused.
    rest: Option<String>,
    /// The prefix of the scripts' addresses, and whether the upload would find it by itself.
    prefix: (String, bool),
}

impl Mend {
    /// For an upload of the checked build, served from an address if one was given.
    pub(super) fn of(
        plan: &Plan,
        release: &str,
        build: &BuildOptions,
        allow_missing: bool,
        served_from: Option<&str>,
    ) -> Self {
        let is_refused = plan.items.iter().any(|item| match item.state {
            State::Good(_) => false,
            State::Missing(_) => !allow_missing,
            State::Broken(_) => true,
        });
        let options = build.filter_words().into_iter().map(|(name, value)| option(name, &value));
        let missing = allow_missing.then(|| Some("--allow-missing".to_owned()));
        let dir = argument(&plan.dir.display().to_string());
        let rest: Option<Vec<String>> = missing.into_iter().chain(options).chain([dir]).collect();
        let prefix = served_from.map_or_else(|| served(plan), of_address);
        let is_found = plan.page.as_ref().map_or(URL_PREFIX_DEFAULT, |page| page.prefix.as_str()) == prefix;
        Self {
            release: release.to_owned(),
            rest: rest.filter(|_| !is_refused).map(|words| words.join(" ")),
            prefix: (prefix, is_found),
        }
    }

    /// The server's explanation for a script, with the command for this build.
    pub(super) fn explained(&self, mut unresolved: Value) -> Value {
        let rule = unresolved["rule"].as_str().unwrap_or_default().to_owned();
        unresolved["command"] = json!(self.command(&rule));
        unresolved
    }

    fn command(&self, rule: &str) -> Option<String> {
        let (release, rest) = (option("--release", &self.release)?, self.rest.as_deref()?);
        let prefix = match &self.prefix {
            (_, true) if rule == "release" => String::new(),
            (prefix, _) => format!(" {}", option("--url-prefix", prefix)?),
        };
        let upload = format!("mayday sourcemaps upload {release}{prefix} {rest}");
        match rule {
            "release" | "url" => Some(upload),
            // A release's prefix cannot be changed.
            "prefix" => Some(format!("mayday releases delete {} && {upload}", argument(&self.release)?)),
            _ => None,
        }
    }
}

/// The prefix under which the scripts would be uploaded, unless a page shows by which path it loads them. An explicit
/// prefix is believed.
pub(super) fn served(plan: &Plan) -> String {
    let page = plan.page.as_ref().map(|page| page.prefix.as_str());
    page.filter(|_| plan.prefix.starts_with('~')).unwrap_or(&plan.prefix).to_owned()
}

/// The prefix of scripts below an address, for any host.
fn of_address(base: &str) -> String {
    let base = format!("{}/", base.trim_end_matches('/'));
    match base.split_once("://") {
        Some((_, rest)) => format!("~{}", &rest[rest.find('/').unwrap_or_default()..]),
        None if base.starts_with('/') => format!("~{base}"),
        None => base,
    }
}

#[cfg(test)]
mod tests {
    use super::of_address;

    #[test]
    fn an_address_gives_a_prefix_for_any_host() {
        for (base, prefix) in [
            ("https://cdn.example", "~/"),
            ("https://cdn.example/static", "~/static/"),
            ("https://cdn.example/static/", "~/static/"),
            ("/app", "~/app/"),
            ("~/app/", "~/app/"),
        ] {
            assert_eq!(of_address(base), prefix, "{base}");
        }
    }
}
