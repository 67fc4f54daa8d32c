//! Verifies an ID token: first its signature, then its claims (OpenID Connect Core 1.0, section 3.1.3.7).

use super::keys::{ALGORITHMS, Keys};
use crate::accounts::federation::answer::{self, Document};
use crate::accounts::federation::{FederationError, Result};
use crate::text::shown;
use crate::time::{SECOND, Timestamp};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use openidconnect::JsonWebKey as _;
use serde::Deserialize;

/// Seconds by which a provider's clock may differ from ours.
const LEEWAY: f64 = 60.0;
/// Keys tried if a token does not name one.
const TRIES: usize = 16;

/// Why a token is rejected.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// Newer keys may verify it.
    #[error("{0}")]
    UnknownKey(String),
    #[error("{0}")]
    Invalid(String),
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<serde_json::Value>,
}

/// The raw claims of a token signed by one of the keys, and a sentence that says so.
///
/// # Errors
/// If the signature is not valid; the payload is not read before that is known.
pub(super) fn verify(token: &str, keys: &Keys) -> Result<(Document, String), Fault> {
    let invalid = |text: &str| Fault::Invalid(text.to_owned());
    let parts: Vec<&str> = token.splitn(4, '.').collect();
    let [header, payload, signature] = parts[..] else {
        return Err(invalid("it is not a signed token of three parts; encrypted tokens are not supported"));
    };
    let decode = |part: &str| BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| invalid("it is not base64url"));
    let head: Header =
        serde_json::from_slice(&decode(header)?).map_err(|_| invalid("its header cannot be read"))?;
    check_type(&head)?;
    let signed = &token[..header.len() + 1 + payload.len()];
    let by = check_signature(&head, signed.as_bytes(), &decode(signature)?, keys)?;
    match serde_json::from_slice(&decode(payload)?) {
        Ok(serde_json::Value::Object(claims)) => Ok((claims, by)),
        _ => Err(invalid("its payload is not a JSON object")),
    }
}

/// Access and logout tokens are signed with the same keys: their type tells them apart (RFC 8725, 3.11).
fn check_type(header: &Header) -> Result<(), Fault> {
    if header.crit.is_some() {
        return Err(Fault::Invalid("its header has `crit`, which is not supported".to_owned()));
    }
    let kind = header.typ.as_deref().unwrap_or("JWT").to_ascii_lowercase();
    match kind.strip_prefix("application/").unwrap_or(&kind) {
        "jwt" | "jose" => Ok(()),
        other => Err(Fault::Invalid(format!("its type is `{}`, expected JWT", shown(other, 40)))),
    }
}

fn check_signature(header: &Header, signed: &[u8], signature: &[u8], keys: &Keys) -> Result<String, Fault> {
    let Some((name, algorithm)) = ALGORITHMS.iter().find(|(name, _)| *name == header.alg) else {
        let all: Vec<&str> = ALGORITHMS.iter().map(|(name, _)| *name).collect();
        let got = shown(&header.alg, 40);
        return Err(Fault::Invalid(format!("it is signed with `{got}`, expected one of {}", all.join(", "))));
    };
    let id = header.kid.as_deref();
    let mut tried = 0;
    for key in keys.candidates(id, algorithm).take(TRIES) {
        tried += 1;
        if key.verify_signature(algorithm, signed, signature).is_ok() {
            return Ok(format!("Valid, with {name} and {}.", key_name(id)));
        }
    }
    let text = match tried {
        0 => format!("the provider has no key for {name} and {}", key_name(id)),
        _ => format!("its signature ({name}, {}) is wrong", key_name(id)),
    };
    // A token that names a known key is simply wrong; any other token may be signed by a key that is not
    // known yet.
    Err(if tried == 0 || id.is_none() { Fault::UnknownKey(text) } else { Fault::Invalid(text) })
}

fn key_name(id: Option<&str>) -> String {
    id.map_or_else(|| "a key without id".to_owned(), |id| format!("the key `{}`", shown(id, 80)))
}

/// The claims that a token must have.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now: Timestamp,
}

/// The subject of verified claims.
///
/// # Errors
/// If a claim is missing or not as expected. The message repeats values, except for the nonce.
pub(super) fn check_claims(claims: &Document, expected: &Expected<'_>) -> Result<String> {
    let wrong = |text: String| FederationError::invalid(format!("ID token: {text}"));
    let issuer = answer::text(claims, "iss").unwrap_or_default();
    if issuer != expected.issuer {
        let issuer = shown(issuer, 200);
        return Err(wrong(format!("its issuer is `{issuer}`, expected exactly `{}`", expected.issuer)));
    }
    check_audience(claims, expected.client_id).map_err(wrong)?;
    if answer::text(claims, "nonce") != Some(expected.nonce) {
        return Err(wrong("its nonce is not the one of this sign-in".to_owned()));
    }
    check_times(claims, expected.now).map_err(wrong)?;
    match answer::text(claims, "sub") {
        Some(subject) if subject.len() <= 255 && !subject.contains(char::is_control) => {
            Ok(subject.to_owned())
        }
        _ => Err(wrong("its sub is not a string of 1 to 255 bytes".to_owned())),
    }
}

/// Other audiences are accepted only if `azp` says that the token was issued to us.
fn check_audience(claims: &Document, client_id: &str) -> Result<(), String> {
    let audiences: Vec<&str> = match claims.get("aud") {
        Some(serde_json::Value::String(one)) => vec![one],
        Some(serde_json::Value::Array(list)) => {
            let texts: Option<Vec<&str>> = list.iter().map(serde_json::Value::as_str).collect();
            texts.ok_or("its aud contains something other than strings")?
        }
        _ => return Err("it has no aud".to_owned()),
    };
    if !audiences.contains(&client_id) {
        let others = shown(&audiences.join(", "), 200);
        return Err(format!("its audience is `{others}`, expected `{client_id}`"));
    }
    match claims.get("azp") {
        Some(azp) if azp.as_str() != Some(client_id) => {
            Err(format!("its azp is not `{client_id}`: it was issued to another client"))
        }
        None if audiences.iter().any(|audience| *audience != client_id) => {
            Err("it has audiences other than this client, and no azp".to_owned())
        }
        _ => Ok(()),
    }
}

fn check_times(claims: &Document, now: Timestamp) -> Result<(), String> {
    let now = now.millis() as f64 / SECOND as f64;
    let seconds = |name: &str| match claims.get(name) {
        None => Ok(None),
        Some(value) => value.as_f64().map(Some).ok_or_else(|| format!("its {name} is not a number")),
    };
    let expires = seconds("exp")?.ok_or("it has no exp")?;
    let issued = seconds("iat")?.ok_or("it has no iat")?;
    if now >= expires + LEEWAY {
        return Err(format!("it expired {:.0} s ago; are both clocks right?", now - expires));
    }
    for (name, at) in [("iat", Some(issued)), ("nbf", seconds("nbf")?)] {
        if let Some(at) = at.filter(|at| *at > now + LEEWAY) {
            return Err(format!("its {name} is {:.0} s in the future; are both clocks right?", at - now));
        }
    }
    Ok(())
}
