//! What of an agent's requests reaches a model: its key is put on nothing else.

use hyper::Method;
use hyper::header::HeaderMap;

/// What agents ask models for, below the address of one; also below `v1/`.
const ENDPOINTS: [&str; 7] = [
    "chat/completions",
    "completions",
    "embeddings",
    "messages",
    "messages/count_tokens",
    "models",
    "responses",
];
/// Headers of a request that reach a model, or how their names begin.
const PASSED: [&str; 5] = ["accept", "content-encoding", "content-type", "user-agent", "openai-beta"];
const PASSED_BEGIN: [&str; 2] = ["anthropic-", "x-stainless-"];

/// Whether agents ask models for this: nothing else is done with the key.
pub(super) fn is_asked(method: &Method, path: &str) -> bool {
    let path = path.strip_prefix('/').unwrap_or_default();
    let path = path.strip_prefix("v1/").unwrap_or(path);
    let is_model = path.strip_prefix("models/").is_some_and(|name| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        !name.starts_with('.') && name.bytes().all(is_plain)
    });
    [Method::GET, Method::POST].contains(method) && (is_model || ENDPOINTS.contains(&path))
}

/// Whether a model generates something: no list of models, and no count of tokens.
pub(super) fn is_generating(method: &Method, path: &str) -> bool {
    method == Method::POST && !path.ends_with("/count_tokens")
}

/// The headers of a request that reach a model.
pub(super) fn asked(headers: &HeaderMap) -> HeaderMap {
    let is_passed = |name: &str| {
        PASSED.contains(&name) || PASSED_BEGIN.iter().any(|beginning| name.starts_with(beginning))
    };
    let passed = headers.iter().filter(|(name, _)| is_passed(name.as_str()));
    passed.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::{HeaderName, HeaderValue};

    #[test]
    fn models_are_asked_for_answers_and_nothing_else() {
        for (method, path, expected) in [
            (Method::POST, "/v1/chat/completions", true),
            (Method::POST, "/chat/completions", true),
            (Method::POST, "/v1/messages/count_tokens", true),
            (Method::GET, "/v1/models", true),
            (Method::GET, "/models/gpt-5.1:free", true),
            (Method::GET, "/models/../files", false),
            (Method::GET, "/models/..", false),
            (Method::GET, "/models/%2e%2e", false),
            (Method::POST, "/v1/../key/generate", false),
            (Method::POST, "/%2e%2e/key/generate", false),
            (Method::POST, r"/\..\messages", false),
            (Method::POST, "//v1/messages", false),
            (Method::POST, "v1/messages", false),
            (Method::POST, "/v1/files", false),
            (Method::POST, "", false),
            (Method::TRACE, "/v1/messages", false),
            (Method::DELETE, "/v1/responses", false),
        ] {
            assert_eq!(is_asked(&method, path), expected, "{method} {path}");
        }
    }

    #[test]
    fn headers_of_an_agent_reach_no_model_unless_they_are_known() {
        let names = [
            ("anthropic-version", true),
            ("content-type", true),
            ("authorization", false),
            ("x-api-key", false),
            ("openai-organization", false),
            ("x-litellm-api-key", false),
            ("x-forwarded-for", false),
            ("cookie", false),
        ];
        let given =
            names.iter().map(|(name, _)| (HeaderName::from_static(name), HeaderValue::from_static("x")));
        let asked = asked(&given.collect());
        for (name, expected) in names {
            assert_eq!(asked.contains_key(name), expected, "{name}");
        }
    }
}
