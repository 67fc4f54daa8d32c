//! From verified claims to a profile.

use crate::accounts::federation::answer::{self, Document};
use crate::accounts::federation::{Profile, display_name};
use serde_json::Value;

/// The documents of a sign-in, the ID token's claims first.
pub(super) struct Documents<'a> {
    pub(super) claims: &'a Document,
    pub(super) user_info: Option<&'a Document>,
}

/// An address, and what is said of it.
#[derive(Clone, Copy)]
struct FoundEmail<'a> {
    email: &'a str,
    verified: Option<&'a Value>,
    place: &'static str,
}

/// The profile, and a sentence about its e-mail. The e-mail comes from the ID token if it has one; its proof is the boolean
/// `true` in the same document. If that one says nothing about it, the user info may prove the same address, and else its
/// domain, if it is one of `trusted`.
pub(super) fn assemble(
    issuer: &str,
    subject: String,
    documents: &Documents<'_>,
    trusted: &[String],
) -> (Profile, String) {
    let all = [(Some(documents.claims), "the ID token"), (documents.user_info, "the user info")];
    let all = all.into_iter().filter_map(|(document, place)| Some((document?, place)));
    let name = all.clone().find_map(|(document, _)| display_name(answer::text(document, "name")));
    let found: Vec<FoundEmail<'_>> = all
        .filter_map(|(document, place)| {
            let email = answer::text(document, "email")?;
            Some(FoundEmail { email, verified: document.get("email_verified"), place })
        })
        .collect();
    let documents = [Some(documents.claims), documents.user_info].into_iter().flatten();
    let is_doubted =
        found.first().is_some_and(|first| documents.into_iter().any(|each| doubts(each, first.email)));
    let (email_verified, proof) = proof(&found, if is_doubted { &[] } else { trusted });
    let email = found.first().map(|found| found.email.to_owned());
    let profile =
        Profile { issuer: issuer.to_owned(), subject, email, email_verified, other_emails: Vec::new(), name };
    (profile, proof)
}

/// Whether a document says that this address, or an address it does not name, is unverified.
fn doubts(document: &Document, email: &str) -> bool {
    let says_so = document.get("email_verified").is_some_and(|value| *value != Value::Bool(true));
    says_so && answer::text(document, "email").is_none_or(|other| other.eq_ignore_ascii_case(email))
}

/// Whether the first of the addresses is proven, and why; nobody vouches for one that is doubted.
fn proof(found: &[FoundEmail<'_>], trusted: &[String]) -> (bool, String) {
    let Some(first) = found.first() else {
        let text = "There is no e-mail in the ID token or the user info; is the scope email allowed?";
        return (false, text.to_owned());
    };
    let shown = crate::text::shown(first.email, 254);
    let same = |other: &&FoundEmail<'_>| other.email.eq_ignore_ascii_case(first.email);
    let says_true = |found: &&FoundEmail<'_>| found.verified == Some(&Value::Bool(true));
    let proven = match first.verified {
        None => found.iter().filter(same).find(says_true),
        Some(_) => Some(first).filter(says_true),
    };
    if let Some(by) = proven {
        return (true, format!("{shown}, verified, from {}.", by.place));
    }
    let domain = first.email.rsplit_once('@').map(|(_, domain)| domain.to_ascii_lowercase());
    if domain.is_some_and(|domain| trusted.contains(&domain)) {
        let text = format!("{shown}, whose domain is one of SSO_TRUST_EMAIL_DOMAINS, from {}.", first.place);
        return (true, text);
    }
    let place = first.place;
    let got = match first.verified {
        None => "is missing".to_owned(),
        Some(value) => format!("is {}", crate::text::shown(&value.to_string(), 40)),
    };
    let text = format!("{shown} is not proven: email_verified in {place} {got}, expected the boolean true.");
    (false, text)
}
