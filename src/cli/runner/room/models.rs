//! Keeps model keys outside of rooms: agents get the proxy's address for each provider, and the proxy adds the key.

use super::PORT;
use super::proxy::Model;
use crate::cli::runner::protocol::Gateway;
use hyper::header::{AUTHORIZATION, HeaderName};
use std::collections::BTreeMap;

/// The value that agents get in place of a key.
const HELD: &str = "held-by-the-runner";
/// The default addresses of providers.
const ANTHROPIC: &str = "https://api.anthropic.com";
const OPENAI: &str = "https://api.openai.com/v1";

type Environment = BTreeMap<String, String>;

/// Removes keys and addresses of providers from an environment, and sets the proxy's addresses instead.
pub(in crate::cli::runner) fn held_back(
    environment: &mut Environment,
    gateway: Option<&Gateway>,
) -> Vec<Model> {
    let mut models = Vec::new();
    if let Some(gateway) = gateway {
        let key = gateway.api_key.as_str();
        models.push(Model::bearer("gateway", &gateway.base_url, key));
        if environment.get("ANTHROPIC_AUTH_TOKEN").is_some_and(|held| held == key) {
            set(environment, &["ANTHROPIC_BASE_URL"], &at("gateway"));
            set(environment, &["ANTHROPIC_AUTH_TOKEN"], HELD);
        }
        if environment.get("OPENAI_API_KEY").is_some_and(|held| held == key) {
            set(environment, &["OPENAI_BASE_URL", "OPENAI_API_BASE"], &at("gateway/v1"));
            set(environment, &["OPENAI_API_KEY"], HELD);
        }
    }
    models.extend(own(
        environment,
        "anthropic",
        ANTHROPIC,
        &["ANTHROPIC_BASE_URL"],
        &[
            ("ANTHROPIC_API_KEY", HeaderName::from_static("x-api-key"), ""),
            ("ANTHROPIC_AUTH_TOKEN", AUTHORIZATION, "Bearer "),
        ],
    ));
    models.extend(own(
        environment,
        "openai",
        OPENAI,
        &["OPENAI_BASE_URL", "OPENAI_API_BASE"],
        &[("OPENAI_API_KEY", AUTHORIZATION, "Bearer ")],
    ));
    models
}

/// A provider for which the operator has a key. `keys` has the variables that may contain it, each with the header it
/// belongs in and the prefix there.
fn own(
    environment: &mut Environment,
    name: &'static str,
    usual: &str,
    bases: &[&str],
    keys: &[(&str, HeaderName, &str)],
) -> Option<Model> {
    let is_own = |name: &&str| environment.get(*name).is_some_and(|value| !value.is_empty() && value != HELD);
    let (variable, header, before) = keys.iter().find(|(variable, ..)| is_own(variable))?.clone();
    let key = (header, format!("{before}{}", environment[variable]));
    let base = bases.iter().find_map(|base| environment.get(*base)).map_or(usual, String::as_str);
    let base = base.trim_end_matches('/').to_owned();
    set(environment, bases, &at(name));
    for (variable, ..) in keys {
        if environment.contains_key(*variable) {
            set(environment, &[*variable], HELD);
        }
    }
    Some(Model { name, base, key })
}

fn at(path: &str) -> String {
    format!("http://127.0.0.1:{PORT}/{path}")
}

fn set(environment: &mut Environment, names: &[&str], value: &str) {
    environment.extend(names.iter().map(|name| ((*name).to_owned(), value.to_owned())));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_gateways_key_stays_outside() {
        let gateway = Gateway { base_url: "https://mayday.example/llm".into(), api_key: "sk-canary".into() };
        let mut given = environment(&[
            ("ANTHROPIC_BASE_URL", "https://mayday.example/llm"),
            ("ANTHROPIC_AUTH_TOKEN", "sk-canary"),
            ("OPENAI_BASE_URL", "https://mayday.example/llm/v1"),
            ("OPENAI_API_BASE", "https://mayday.example/llm/v1"),
            ("OPENAI_API_KEY", "sk-canary"),
        ]);
        let models = held_back(&mut given, Some(&gateway));
        assert!(
            !format!("{given:?}").contains("canary") && !format!("{given:?}").contains("mayday.example"),
            "{given:?}"
        );
        assert_eq!(given["ANTHROPIC_BASE_URL"], "http://127.0.0.1:3128/gateway");
        assert_eq!(given["OPENAI_BASE_URL"], "http://127.0.0.1:3128/gateway/v1");
        assert_eq!(models.len(), 1);
        assert_eq!(
            (models[0].base.as_str(), models[0].key.1.as_str()),
            ("https://mayday.example/llm", "Bearer sk-canary")
        );
    }

    #[test]
    fn the_operators_own_keys_stay_outside_too() {
        let mut given =
            environment(&[("ANTHROPIC_API_KEY", "canary-a"), ("OPENAI_API_KEY", "canary-o"), ("OTHER", "x")]);
        let models = held_back(&mut given, None);
        assert!(!format!("{given:?}").contains("canary"), "{given:?}");
        assert_eq!(given["OTHER"], "x");
        let found: Vec<_> =
            models.iter().map(|one| (one.name, one.base.as_str(), one.key.1.as_str())).collect();
        assert_eq!(
            found,
            [
                ("anthropic", "https://api.anthropic.com", "canary-a"),
                ("openai", "https://api.openai.com/v1", "Bearer canary-o")
            ]
        );
        let mut given =
            environment(&[("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", "http://model.example/v1/")]);
        assert_eq!(held_back(&mut given, None)[0].base, "http://model.example/v1");
        assert!(held_back(&mut environment(&[("OPENAI_BASE_URL", "http://x")]), None).is_empty());
    }
}
