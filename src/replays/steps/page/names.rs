//! What an element of a recorded page is called by its attributes.

use crate::replays::steps::TEXT_MAX;
use crate::replays::steps::addresses::bare;
use crate::text::line;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The attributes by which an element is called, or is a field. Each may be of any type.
#[derive(Default, Deserialize)]
pub(super) struct Attributes<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow, rename = "aria-label")]
    label: Option<&'a RawValue>,
    #[serde(borrow)]
    value: Option<&'a RawValue>,
    #[serde(borrow)]
    placeholder: Option<&'a RawValue>,
    #[serde(borrow)]
    title: Option<&'a RawValue>,
    #[serde(borrow)]
    alt: Option<&'a RawValue>,
    #[serde(borrow)]
    href: Option<&'a RawValue>,
    #[serde(borrow)]
    role: Option<&'a RawValue>,
    #[serde(borrow, rename = "contenteditable")]
    editable: Option<&'a RawValue>,
}

impl Attributes<'_> {
    /// Whether they make any element a field: the client's rule, too.
    pub(super) fn is_field(&self) -> bool {
        let is_no = |raw: &RawValue| raw.get().trim_matches('"').eq_ignore_ascii_case("false");
        self.editable.is_some_and(|raw| !is_no(raw)) || words(self.role).eq_ignore_ascii_case("textbox")
    }
}

/// By what an element can be called.
#[derive(Default, PartialEq)]
pub(super) struct ElementNames {
    /// Its type.
    pub(super) kind: Box<str>,
    /// What it is called whatever is within it, and what it is called if nothing is.
    pub(super) label: Box<str>,
    pub(super) hint: Box<str>,
    /// Where it leads.
    pub(super) address: Box<str>,
}

impl ElementNames {
    pub(super) fn new(tag: &str, attributes: Attributes<'_>) -> Self {
        let Attributes { kind, label, value, placeholder, title, alt, href, .. } = attributes;
        let kind = words(kind);
        // The value of another field is what somebody entered.
        let is_button = tag == "button" || ["button", "submit", "reset"].contains(&kind.as_str());
        let hints = [value.filter(|_| is_button), placeholder, title, alt];
        let hint = hints.into_iter().map(words).find(|hint| !hint.is_empty()).unwrap_or_default();
        // It is cut only once it is bare: of a user and password that were cut, nothing would say what they are.
        let address = bare(&text(href));
        Self { kind: kind.into(), label: words(label).into(), hint: hint.into(), address: address.into() }
    }

    /// What is left of it within a field, where somebody may have entered the rest.
    pub(super) fn without_names(self) -> Self {
        Self { kind: self.kind, ..Self::default() }
    }
}

/// A text, as one line; empty if it is none.
fn words(raw: Option<&RawValue>) -> String {
    line(&text(raw), TEXT_MAX)
}

fn text(raw: Option<&RawValue>) -> String {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}
