//! Filters the requests to a model, so that its key is used for nothing else.

use hyper::Method;
use hyper::header::HeaderMap;

/// The endpoints that agents need, below a provider's address, with or without `v1/`.
const ENDPOINTS: [&str; 7] = [
    "chat/completions",
    "completions",
    "embeddings",
    "messages",
    "messages/count_tokens",
    "models",
    "responses",
];
/// The request headers that are passed to a model, or their prefixes.
const PASSED: [&str; 5] = ["accept", "content-encoding", "content-type", "user-agent", "openai-beta"];
const PASSED_BEGIN: [&str; 2] = ["anthropic-", "x-stainless-"];

/// Whether agents need this request: the key is used for no other.
pub(super) fn is_asked(method: &Method, path: &str) -> bool {
    let path = path.strip_prefix('/').unwrap_or_default();
    let path = path.strip_prefix("v1/").unwrap_or(path);
    let is_model = path.strip_prefix("models/").is_some_and(|name| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        !name.starts_with('.') && name.bytes().all(is_plain)
    });
    [Method::GET, Method::POST].contains(method) && (is_model || ENDPOINTS.contains(&path))
}

/// Whether a request generates an answer, rather than list models or count tokens.
pub(super) fn is_generating(method: &Method, path: &str) -> bool {
    method == Method::POST && !path.ends_with("/count_tokens")
}

/// The request headers that are passed to a model.
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
    fn only_known_model_requests_are_allowed() {
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
    fn unknown_headers_of_an_agent_do_not_reach_the_model() {
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
