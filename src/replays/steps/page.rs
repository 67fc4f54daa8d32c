//! The nodes of a recorded page by their ids, from its last picture and what changed since: what each says and is
//! called.

use crate::text::line;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Characters of a text.
pub(super) const TEXT_MAX: usize = 300;
/// Nodes of a page; further ones are not known.
pub(super) const NODES_MAX: usize = 200_000;
/// Bytes that are gone through, those of a node once for each node around it; later nodes have no names. Pages of 3 MB
/// take a third of it.
const WORK_MAX: usize = 128 << 20;
/// What looking at a node counts, in bytes.
const LOOK: usize = 64;
/// How many nodes are looked at: around one for what can be pressed or filled in, and within one for its text.
const AROUND_MAX: usize = 16;
const WITHIN_MAX: usize = 200;
/// The parent of what has none.
const NOWHERE: i64 = -1;
/// rrweb's type of a text.
const TEXT: f64 = 3.0;
/// Elements of which the text is not seen.
const HIDDEN: [&str; 6] = ["head", "title", "style", "script", "noscript", "template"];
/// Elements that a click within them is meant for.
const PRESSED: [&str; 8] = ["a", "button", "input", "select", "textarea", "label", "summary", "option"];

/// The first elements of an array, at most [`NODES_MAX`].
#[derive(Default)]
pub(super) struct Rows<'a>(pub(super) Vec<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Rows<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(deserializer.deserialize_seq(Reading)?))
    }
}

struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut rows = Vec::new();
        while rows.len() < NODES_MAX {
            let Some(row) = sequence.next_element::<&'de RawValue>()? else { return Ok(rows) };
            rows.push(row);
        }
        while sequence.next_element::<IgnoredAny>()?.is_some() {}
        Ok(rows)
    }
}

/// A node as rrweb records it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given<'a> {
    id: f64,
    #[serde(rename = "type")]
    kind: f64,
    tag_name: Option<String>,
    text_content: Option<String>,
    is_style: Option<bool>,
    #[serde(borrow)]
    attributes: Option<&'a RawValue>,
    #[serde(borrow)]
    child_nodes: Option<Rows<'a>>,
}

/// The attributes by which an element is called. Each may be of any type.
#[derive(Default, Deserialize)]
struct Attributes<'a> {
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
}

/// What is known of a node.
#[derive(Default)]
struct Node {
    parent: i64,
    /// Its place among those within its parent.
    place: u64,
    /// Empty for what is no element.
    tag: String,
    /// What a text says.
    words: String,
    /// The type of an element.
    kind: String,
    /// What an element is called whatever is within it, and what it is called if nothing is.
    label: String,
    hint: String,
    /// Where it leads.
    address: String,
}

impl Node {
    fn new(given: &Given<'_>) -> Self {
        let tag = line(given.tag_name.as_deref().unwrap_or_default(), 32).to_lowercase();
        if tag.is_empty() {
            let words = given.text_content.as_deref().filter(|_| given.kind == TEXT);
            return Self { words: line(words.unwrap_or_default(), TEXT_MAX), ..Self::default() };
        }
        let attributes =
            given.attributes.and_then(|all| serde_json::from_str::<Attributes<'_>>(all.get()).ok());
        let Attributes { kind, label, value, placeholder, title, alt, href } = attributes.unwrap_or_default();
        let kind = words(kind);
        // The value of another field is what somebody entered.
        let is_button = tag == "button" || ["button", "submit", "reset"].contains(&kind.as_str());
        let hints = [value.filter(|_| is_button), placeholder, title, alt];
        let hint = hints.into_iter().map(words).find(|hint| !hint.is_empty()).unwrap_or_default();
        Self { tag, kind, label: words(label), hint, address: bare(&words(href)), ..Self::default() }
    }
}

/// A text, as one line; empty if it is none.
fn words(raw: Option<&RawValue>) -> String {
    let text = raw.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
    line(&text.unwrap_or_default(), TEXT_MAX)
}

/// An address without what may hold secrets: its query and its fragment.
pub(super) fn bare(address: &str) -> String {
    line(address.split(['?', '#']).next().unwrap_or_default(), TEXT_MAX)
}

/// Adds words to a text unless it is long enough, or they are masked.
fn append(text: &mut String, words: &str) {
    let is_masked = words.chars().all(|c| matches!(c, '*' | ' '));
    if is_masked || text.len() > 4 * TEXT_MAX {
        return;
    }
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(words);
}

/// A page at a moment.
pub(super) struct Page {
    nodes: HashMap<i64, Node>,
    /// What is within each node, in the order in which it was added.
    within: BTreeMap<(i64, u64), i64>,
    /// Nodes that were ever added.
    added: u64,
    /// Bytes that may still be gone through.
    left: usize,
}

impl Page {
    pub(super) fn new() -> Self {
        Self { nodes: HashMap::new(), within: BTreeMap::new(), added: 0, left: WORK_MAX }
    }

    /// Begins anew with a picture.
    pub(super) fn draw(&mut self, node: &RawValue) {
        // To clear a map costs as much as it has ever held, and small pictures may follow a large one.
        (self.nodes, self.within) = (HashMap::new(), BTreeMap::new());
        self.add(NOWHERE, node, &mut String::new());
    }

    /// Adds a node with all that is within it, and its text to `seen`.
    pub(super) fn add(&mut self, parent: i64, node: &RawValue, seen: &mut String) {
        let mut open = vec![(parent, node)];
        while let Some((parent, node)) = open.pop() {
            let is_affordable = self.spend(node.get().len());
            if !is_affordable || self.nodes.len() >= NODES_MAX {
                return;
            }
            let Ok(mut given) = serde_json::from_str::<Given<'_>>(node.get()) else { continue };
            let (id, children) = (given.id as i64, given.child_nodes.take().unwrap_or_default().0);
            let room = NODES_MAX.saturating_sub(open.len());
            open.extend(children.into_iter().take(room).rev().map(|child| (id, child)));
            self.remove(id);
            self.added += 1;
            let mut node = Node { parent, place: self.added, ..Node::new(&given) };
            if given.is_style == Some(true) || self.is_hidden(parent) {
                node.words.clear();
            }
            append(seen, &node.words);
            self.within.insert((parent, node.place), id);
            self.nodes.insert(id, node);
        }
    }

    /// Removes a node with all that is within it.
    pub(super) fn remove(&mut self, id: i64) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let Some(node) = self.nodes.remove(&id) else { continue };
            self.within.remove(&(node.parent, node.place));
            open.extend(self.within.range((id, 0)..=(id, u64::MAX)).map(|(_, child)| *child));
        }
    }

    /// Changes a text, and adds it to `seen`.
    pub(super) fn set(&mut self, id: i64, text: &str, seen: &mut String) {
        let is_hidden = self.nodes.get(&id).is_some_and(|node| self.is_hidden(node.parent));
        let Some(node) = self.nodes.get_mut(&id).filter(|node| node.tag.is_empty() && !is_hidden) else {
            return;
        };
        node.words = line(text, TEXT_MAX);
        append(seen, &node.words);
    }

    /// What a node is called, or the nearest around it that can be pressed or filled in: its tag and its text.
    pub(super) fn name(&mut self, id: i64) -> String {
        let around = std::iter::successors(Some(id), |id| self.nodes.get(id).map(|node| node.parent));
        let is_pressed =
            |id: &i64| self.nodes.get(id).is_some_and(|node| PRESSED.contains(&node.tag.as_str()));
        let id = around.take(AROUND_MAX).find(is_pressed).unwrap_or(id);
        let text = self.text(id);
        let Some(node) = self.nodes.get(&id) else { return "something unknown".to_owned() };
        let tag = if node.tag.is_empty() { "page" } else { node.tag.as_str() };
        let kind = if node.kind.is_empty() { String::new() } else { format!("[{}]", node.kind) };
        let called =
            [&node.label, &text, &node.hint, &node.address].into_iter().find(|name| !name.is_empty());
        let called = called.map_or(String::new(), |name| format!(" \"{name}\""));
        format!("{tag}{kind}{called}")
    }

    /// The text within a node.
    fn text(&mut self, id: i64) -> String {
        let (mut text, mut open) = (String::new(), vec![id]);
        for _ in 0..WITHIN_MAX {
            let Some(id) = open.pop().filter(|_| self.left > 0) else { break };
            let first = open.len();
            let children = self.within.range((id, 0)..=(id, u64::MAX)).map(|(_, child)| *child);
            open.extend(children.take(WITHIN_MAX));
            open[first..].reverse();
            self.spend(LOOK * (1 + open.len() - first));
            append(&mut text, self.nodes.get(&id).map_or("", |node| &node.words));
        }
        text
    }

    fn is_hidden(&self, id: i64) -> bool {
        self.nodes.get(&id).is_some_and(|node| HIDDEN.contains(&node.tag.as_str()))
    }

    /// Takes off so many bytes; whether they could still be gone through.
    fn spend(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

#[cfg(test)]
mod tests;
