//! The nodes of a recorded page by their ids, from its last picture and what changed since: what each says and is
//! called.

mod names;

use super::{TEXT_MAX, read};
use crate::text::line;
use names::{Attributes, ElementNames};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Characters of what an element is called: the text of a list of choices is all of them.
const NAME_MAX: usize = 100;
/// Bytes of a text that no more is added to.
const ENOUGH: usize = 4 * TEXT_MAX;
/// Nodes of a page; further ones are not known.
pub(super) const NODES_MAX: usize = 50_000;
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
struct RecordedNode<'a> {
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

/// What is known of a node.
#[derive(Default)]
struct Node {
    parent: Option<i64>,
    /// Those beside it within its parent.
    previous: Option<i64>,
    next: Option<i64>,
    /// Those within it.
    first: Option<i64>,
    last: Option<i64>,
    /// Empty for what is no element.
    tag: Box<str>,
    /// What a text says.
    words: Box<str>,
    /// Of an element that has any of it.
    called: Option<Box<ElementNames>>,
    /// Whether what is within it was entered, so that only its length is told.
    is_entered: bool,
}

impl Node {
    /// A node within one whose content was entered, or not.
    fn new(given: &RecordedNode<'_>, is_entered: bool) -> Self {
        let tag = line(given.tag_name.as_deref().unwrap_or_default(), 32).to_lowercase();
        if tag.is_empty() {
            return Self { is_entered, ..Self::default() };
        }
        let attributes = given.attributes.and_then(read::<Attributes<'_>>).unwrap_or_default();
        let is_field = tag == "textarea" || attributes.is_field();
        let called = ElementNames::new(&tag, attributes);
        let called = if is_entered { called.without_names() } else { called };
        let called = (called != ElementNames::default()).then(|| Box::new(called));
        Self { tag: tag.into(), called, is_entered: is_entered || is_field, ..Self::default() }
    }
}

/// A text of which only the length is told.
pub(super) fn masked(text: &str) -> String {
    line(text, TEXT_MAX).chars().map(|c| if c == ' ' { ' ' } else { '*' }).collect()
}

/// Adds words to a text unless it is long enough, or they are masked.
fn append(text: &mut String, words: &str) {
    // A long one was cut.
    let whole = words.strip_suffix('…').filter(|whole| !whole.is_empty()).unwrap_or(words);
    let is_masked = whole.chars().all(|c| matches!(c, '*' | ' '));
    if is_masked || text.len() > ENOUGH {
        return;
    }
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(words);
}

/// A page at a moment. Each node is linked to those around it when it is added, so that none is within itself.
pub(super) struct Page {
    nodes: HashMap<i64, Node>,
    /// Bytes that may still be gone through.
    left: usize,
    /// Whether something on it is not known, because there was too much.
    pub(super) is_cut: bool,
}

impl Page {
    pub(super) fn new() -> Self {
        Self { nodes: HashMap::new(), left: WORK_MAX, is_cut: false }
    }

    /// Begins anew with a picture.
    pub(super) fn draw(&mut self, node: &RawValue) {
        self.forget();
        self.is_cut = false;
        self.add(NOWHERE, None, node, &mut Vec::new());
    }

    /// Knows nothing any more, until a picture.
    pub(super) fn forget(&mut self) {
        // To clear a map costs as much as it has ever held, and small pictures may follow a large one.
        self.nodes = HashMap::new();
    }

    /// Adds a node with all that is within it: before another one, or last within its parent. Its id goes to `fresh`.
    pub(super) fn add(&mut self, parent: i64, next: Option<i64>, node: &RawValue, fresh: &mut Vec<i64>) {
        let (mut open, before) = (vec![(parent, next, node)], fresh.len());
        while let Some((parent, next, node)) = open.pop() {
            let is_affordable = self.spend(node.get().len());
            if !is_affordable || self.nodes.len() >= NODES_MAX {
                self.is_cut = true;
                return;
            }
            let Ok(mut given) = serde_json::from_str::<RecordedNode<'_>>(node.get()) else { continue };
            let (id, children) = (given.id as i64, given.child_nodes.take().unwrap_or_default().0);
            let room = NODES_MAX.saturating_sub(open.len());
            self.is_cut |= children.len() > room;
            open.extend(children.into_iter().take(room).rev().map(|child| (id, None, child)));
            if fresh.len() == before {
                fresh.push(id);
            }
            self.remove(id);
            let mut node = Node::new(&given, self.is_entered_within(parent));
            if node.tag.is_empty() && given.kind == TEXT && given.is_style != Some(true) {
                node.words = self.said(
                    Some(parent),
                    node.is_entered,
                    given.text_content.as_deref().unwrap_or_default(),
                );
            }
            self.insert(id, node, parent, next);
        }
    }

    /// Links a node to those around it. It is within nothing if its parent is not known.
    fn insert(&mut self, id: i64, mut node: Node, parent: i64, next: Option<i64>) {
        let Some(around) = self.nodes.get(&parent) else {
            self.nodes.insert(id, node);
            return;
        };
        let is_beside = |next: &i64| self.nodes.get(next).is_some_and(|node| node.parent == Some(parent));
        let next = next.filter(is_beside);
        let previous = match next.and_then(|next| self.nodes.get(&next)) {
            Some(next) => next.previous,
            None => around.last,
        };
        node.parent = Some(parent);
        self.nodes.insert(id, node);
        self.join(parent, previous, Some(id));
        self.join(parent, Some(id), next);
    }

    /// Has one node follow another within their parent. `None` is what is before the first and after the last.
    fn join(&mut self, parent: i64, previous: Option<i64>, next: Option<i64>) {
        if let Some(node) = self.nodes.get_mut(&previous.unwrap_or(parent)) {
            *(if previous.is_some() { &mut node.next } else { &mut node.first }) = next;
        }
        if let Some(node) = self.nodes.get_mut(&next.unwrap_or(parent)) {
            *(if next.is_some() { &mut node.previous } else { &mut node.last }) = previous;
        }
    }

    /// Removes a node with all that is within it.
    pub(super) fn remove(&mut self, id: i64) {
        let Some(node) = self.nodes.remove(&id) else { return };
        if let Some(parent) = node.parent {
            self.join(parent, node.previous, node.next);
        }
        let mut open: Vec<i64> = node.first.into_iter().collect();
        while let Some(id) = open.pop() {
            let Some(node) = self.nodes.remove(&id) else { continue };
            open.extend(node.first.into_iter().chain(node.next));
        }
    }

    /// Changes a text; its id goes to `fresh`.
    pub(super) fn set(&mut self, id: i64, text: &str, fresh: &mut Vec<i64>) {
        let Some(node) = self.nodes.get(&id).filter(|node| node.tag.is_empty()) else { return };
        let words = self.said(node.parent, node.is_entered, text);
        if let Some(node) = self.nodes.get_mut(&id) {
            node.words = words;
        }
        fresh.push(id);
    }

    /// Changes attributes of an element. If it becomes a field, only the length of what is within it is told from here
    /// on, also once it is none any more. Nothing is known of the page any more if there is too much within it.
    pub(super) fn alter(&mut self, id: i64, attributes: &RawValue) {
        let is_field = read::<Attributes<'_>>(attributes).is_some_and(|all| all.is_field());
        if !is_field || self.is_entered(id) {
            return;
        }
        let mut at = Some(id);
        while let Some(each) = at {
            let Some(node) = self.nodes.get(&each) else { return };
            let (is_known, length) = (node.is_entered, node.words.len());
            if !self.spend(LOOK + length) {
                self.forget();
                self.is_cut = true;
                return;
            }
            // All that is within a field was entered, too.
            at = if is_known { self.past(each, id) } else { self.after(each, id) };
            if !is_known {
                self.enter(each, each == id);
            }
        }
    }

    /// From here on, only the length of a node is told, and its own names only if it is the field itself.
    fn enter(&mut self, id: i64, is_field: bool) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        node.is_entered = true;
        node.words = masked(&node.words).into();
        if !is_field {
            node.called = node.called.take().map(|called| Box::new(called.without_names()));
        }
    }

    fn is_entered(&self, id: i64) -> bool {
        self.nodes.get(&id).is_some_and(|node| node.is_entered)
    }

    /// Whether what is within a node was entered. It may have been if the node is not known: a page that is cut has
    /// fields that are not.
    fn is_entered_within(&self, parent: i64) -> bool {
        parent != NOWHERE && self.nodes.get(&parent).is_none_or(|node| node.is_entered)
    }

    /// The texts of some nodes and of all that is within them, in the order of the page: rrweb adds those beside each
    /// other one by one, the last one first.
    pub(super) fn seen(&mut self, fresh: &[i64]) -> String {
        let among: HashSet<i64> = fresh.iter().copied().collect();
        let (mut told, mut text) = (HashSet::new(), String::new());
        for id in fresh {
            if told.contains(id) {
                continue;
            }
            let mut beside = Some(self.begin(*id, &among));
            while let Some(root) = beside.filter(|id| among.contains(id)) {
                let mut at = Some(root);
                while let Some(id) = at {
                    if text.len() > ENOUGH || !self.spend(LOOK) {
                        return text;
                    }
                    told.insert(id);
                    append(&mut text, self.nodes.get(&id).map_or("", |node| &*node.words));
                    at = self.after(id, root);
                }
                beside = self.nodes.get(&root).and_then(|node| node.next);
            }
        }
        text
    }

    /// The first of some nodes that follow each other, and that have a node among or within them.
    fn begin(&self, id: i64, some: &HashSet<i64>) -> i64 {
        let parent = |id: &i64| self.nodes.get(id)?.parent.filter(|parent| some.contains(parent));
        let previous = |id: &i64| self.nodes.get(id)?.previous.filter(|previous| some.contains(previous));
        let outer = std::iter::successors(Some(id), parent).last().unwrap_or(id);
        std::iter::successors(Some(outer), previous).last().unwrap_or(outer)
    }

    /// What comes after a node in the order of the page, within another one.
    fn after(&self, id: i64, root: i64) -> Option<i64> {
        self.nodes.get(&id)?.first.or_else(|| self.past(id, root))
    }

    /// What comes after a node and all that is within it.
    fn past(&self, id: i64, root: i64) -> Option<i64> {
        let around = std::iter::successors(Some(id), |id| self.nodes.get(id)?.parent);
        let mut within = around.take_while(|id| *id != root);
        within.find_map(|id| self.nodes.get(&id)?.next)
    }

    /// What a node is called, or the nearest around it that can be pressed or filled in: its tag and its text.
    pub(super) fn name(&mut self, id: i64) -> String {
        let around = std::iter::successors(Some(id), |id| self.nodes.get(id)?.parent);
        let is_pressed = |id: &i64| self.nodes.get(id).is_some_and(|node| PRESSED.contains(&&*node.tag));
        let id = around.take(AROUND_MAX).find(is_pressed).unwrap_or(id);
        let text = self.text(id);
        let Some(node) = self.nodes.get(&id) else { return "something unknown".to_owned() };
        let tag = if node.tag.is_empty() { "page" } else { &*node.tag };
        let nothing = ElementNames::default();
        let ElementNames { kind, label, hint, address } = node.called.as_deref().unwrap_or(&nothing);
        let kind = if kind.is_empty() { String::new() } else { format!("[{kind}]") };
        let called = [&**label, &*text, &**hint, &**address].into_iter().find(|name| !name.is_empty());
        let called = called.map_or(String::new(), |name| format!(" \"{}\"", line(name, NAME_MAX)));
        format!("{tag}{kind}{called}")
    }

    /// The text within a node.
    fn text(&mut self, root: i64) -> String {
        let (mut text, mut at) = (String::new(), Some(root));
        for _ in 0..WITHIN_MAX {
            let Some(id) = at.filter(|_| self.spend(LOOK)) else { break };
            append(&mut text, self.nodes.get(&id).map_or("", |node| &*node.words));
            at = self.after(id, root);
        }
        text
    }

    /// What a text within a node says: nothing where it is not seen, and where it was entered only how much.
    fn said(&self, parent: Option<i64>, is_entered: bool, text: &str) -> Box<str> {
        let around = parent.and_then(|id| self.nodes.get(&id));
        if around.is_some_and(|node| HIDDEN.contains(&&*node.tag)) {
            return Box::default();
        }
        if is_entered { masked(text).into() } else { line(text, TEXT_MAX).into() }
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
