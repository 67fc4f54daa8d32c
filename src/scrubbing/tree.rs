//! Trees: fields by their names, lists of names and values, and every text in them.

use super::names::{Says, is_header_name, is_name_of_name};
use super::{CARD_MIN, FILTERED, Run};
use crate::wire::json::Json;
use std::borrow::Cow;

impl Run<'_> {
    pub(super) fn value(&mut self, value: &mut Json<'_>) {
        match value {
            Json::String(text) => self.text(text),
            Json::Array(items) => self.array(items, false),
            Json::Object(fields) => self.object(fields),
            Json::Number(number) if number.as_u64().is_some_and(|number| number < CARD_MIN) => {}
            Json::Number(number) => {
                let mut text = Cow::Owned(number.to_string());
                let before = self.count;
                self.text(&mut text);
                if self.count > before {
                    *value = Json::String(text);
                }
            }
            Json::Null | Json::Bool(_) => {}
        }
    }

    fn object(&mut self, fields: &mut [(Cow<'_, str>, Json<'_>)]) {
        let mut renamed = 0;
        let named = if fields.len() > 1 { self.name_beside_value(fields) } else { None };
        for (name, value) in fields {
            let is_named = hides(named, value) && name.eq_ignore_ascii_case("value");
            if is_named || hides(self.scrubber.says(name), value) {
                self.hide(value);
            } else if let Json::Array(items) = value {
                self.array(items, is_list_of_headers(name));
            } else {
                self.value(value);
            }
            self.name(name, &mut renamed);
        }
    }

    /// Renames a field; two names that become the same would be one field.
    fn name(&mut self, name: &mut Cow<'_, str>, renamed: &mut u32) {
        let Some((clean, count)) = self.scrubber.clean_name(name) else { return };
        self.count += count;
        *renamed += 1;
        *name = Cow::Owned(if *renamed == 1 { clean } else { format!("{clean} {renamed}") });
    }

    /// What a field that names the value beside it says: `{"name": "Cookie", "value": "a=b"}`.
    fn name_beside_value(&self, fields: &[(Cow<'_, str>, Json<'_>)]) -> Option<Says> {
        fields.iter().find_map(|(field, name)| match name {
            Json::String(name) if is_name_of_name(field) => self.scrubber.says(name),
            _ => None,
        })
    }

    /// `[["Cookie", "a=b"], …]`, and `["Cookie", "a=b", …]` where the names are those of headers.
    fn array(&mut self, items: &mut [Json<'_>], headers: bool) {
        if let [Json::String(_), _, ..] = items {
            self.flat(items, headers);
        }
        for item in items {
            match item {
                Json::Array(pair) if pair.len() == 2 => self.pair(pair),
                item => self.value(item),
            }
        }
    }

    fn flat(&mut self, items: &mut [Json<'_>], headers: bool) {
        for pair in items.chunks_exact_mut(2) {
            let [Json::String(name), value] = pair else { return };
            if (headers || is_header_name(name)) && hides(self.scrubber.says(name), value) {
                self.hide(value);
            }
        }
    }

    fn pair(&mut self, pair: &mut [Json<'_>]) {
        if let [Json::String(name), value] = pair
            && hides(self.scrubber.says(name), value)
        {
            self.hide(value);
        }
        self.array(pair, false);
    }

    fn hide(&mut self, value: &mut Json<'_>) {
        let is_hidden = matches!(value, Json::String(text) if text == FILTERED);
        if !is_hidden && !matches!(value, Json::Null | Json::Bool(_)) {
            *value = Json::String(Cow::Borrowed(FILTERED));
            self.count += 1;
        }
    }
}

/// Whether a value goes because of what its name says; a number of `tokens` counts them.
fn hides(says: Option<Says>, value: &Json<'_>) -> bool {
    says.is_some_and(|says| says != Says::Tokens || !matches!(value, Json::Number(_)))
}

/// `headers`, `rawHeaders`.
fn is_list_of_headers(field: &str) -> bool {
    field.get(field.len().saturating_sub(7)..).is_some_and(|end| end.eq_ignore_ascii_case("headers"))
}
