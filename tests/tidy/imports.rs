//! The imports of each file of `src/`, read from its syntax: `use` anywhere, paths in code, and paths in macros and
//! attributes.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// A module by its path from the root of the crate.
pub(crate) type Module = Vec<String>;

/// The files of a crate, and the modules that each of them names.
pub(crate) struct Imports {
    pub(crate) edges: BTreeMap<Module, BTreeSet<Module>>,
}

impl Imports {
    /// Reads files given as paths from `src/` and texts. Tests are passed over: they may reach everywhere.
    pub(crate) fn read<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let sources: BTreeMap<Module, &str> =
            files.filter(|(path, _)| !is_test(path)).map(|(path, text)| (module_of(path), text)).collect();
        let modules: BTreeSet<Module> = sources.keys().cloned().collect();
        let edges = sources.iter().map(|(module, text)| {
            let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", module.join("::")));
            let mut reader = Reader { at: module.clone(), modules: &modules, named: BTreeSet::new() };
            reader.visit_file(&file);
            reader.named.remove(module);
            (module.clone(), reader.named)
        });
        Self { edges: edges.collect() }
    }

    /// Groups of files that all depend on each other. A module's use of its parent is no step: the two are one unit.
    pub(crate) fn circles(&self) -> Vec<Vec<Module>> {
        let nodes: Vec<&Module> = self.edges.keys().collect();
        let reach: BTreeMap<&Module, BTreeSet<&Module>> =
            nodes.iter().map(|node| (*node, self.reachable(node))).collect();
        let mut circles = BTreeSet::new();
        for node in &nodes {
            let back =
                |other: &&Module| reach.get(*other).is_some_and(|from_there| from_there.contains(node));
            let circle: Vec<Module> = reach[node].iter().copied().filter(back).cloned().collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    fn reachable<'a>(&'a self, from: &'a Module) -> BTreeSet<&'a Module> {
        let (mut found, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(node) = open.pop() {
            for next in self.edges.get(node).into_iter().flatten() {
                if !node.starts_with(next) && found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    }
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// `src/a/b.rs` and `src/a/b/mod.rs` → `a::b`.
pub(crate) fn module_of(path: &str) -> Module {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs");
    let mut parts: Module = path.split('/').map(str::to_owned).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib")) {
        parts.pop();
    }
    parts
}

struct Reader<'a> {
    at: Module,
    modules: &'a BTreeSet<Module>,
    named: BTreeSet<Module>,
}

impl Reader<'_> {
    /// Notes the module that a path leads to, if it begins in this crate.
    fn note(&mut self, path: &[String]) {
        let Some(mut whole) = self.absolute(path) else { return };
        while !whole.is_empty() && !self.modules.contains(&whole) {
            whole.pop();
        }
        if !whole.is_empty() {
            self.named.insert(whole);
        }
    }

    fn absolute(&self, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([&self.at[..], rest].concat()),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let kept = self.at.len().checked_sub(ups)?;
                Some([&self.at[..kept], &path[ups..]].concat())
            }
            _ => {
                let child = [&self.at[..], path].concat();
                self.modules.contains(&child[..=self.at.len()]).then_some(child)
            }
        }
    }

    fn use_tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: String| [before, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.use_tree(&with(path.ident.to_string()), &path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.use_tree(before, item)),
            UseTree::Name(name) if name.ident != "self" => self.note(&with(name.ident.to_string())),
            UseTree::Rename(rename) if rename.ident != "self" => self.note(&with(rename.ident.to_string())),
            _ => self.note(before),
        }
    }

    /// Paths that begin with `crate` or `super` among tokens, and in texts such as `with = "crate::…"`.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        for token in tokens {
            match &token {
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    let goes_on = path.last().is_some_and(|part| part == "::");
                    if goes_on {
                        path.pop();
                        path.push(name);
                        continue;
                    }
                    self.end(&mut path);
                    path.push(name);
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    if path.last().is_some_and(|part| part != "::") {
                        path.push("::".to_owned());
                    }
                }
                TokenTree::Literal(literal) => {
                    self.end(&mut path);
                    let text = literal.to_string();
                    if let Some(named) = text.strip_prefix("\"crate::") {
                        let rest = named.trim_end_matches('"').split("::").map(str::to_owned);
                        let whole: Vec<String> = std::iter::once("crate".to_owned()).chain(rest).collect();
                        self.note(&whole);
                    }
                }
                TokenTree::Group(group) => {
                    self.end(&mut path);
                    self.tokens(group.stream());
                }
                TokenTree::Punct(_) => self.end(&mut path),
            }
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut Vec<String>) {
        path.retain(|part| part != "::");
        if path.len() > 1 {
            self.note(path);
        }
        path.clear();
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.use_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if parts.len() > 1 {
            self.note(&parts);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        self.tokens(invocation.tokens.clone());
        visit::visit_macro(self, invocation);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone());
        }
    }
}
