//! The pieces from which [`super::names`] composes function names.

use oxc_ast::ast::*;
use oxc_span::Span;

/// The longest name, in bytes; of a longer one, the end is kept.
const MAX_NAME: usize = 200;
/// Calls whose function argument takes the name that the result is assigned to. So does `with…`.
const WRAPPERS: [&str; 20] = [
    "action",
    "asyncHandler",
    "bind",
    "cache",
    "createAsyncThunk",
    "createSelector",
    "debounce",
    "flow",
    "forwardRef",
    "lazy",
    "memo",
    "memoize",
    "observer",
    "once",
    "partial",
    "throttle",
    "useCallback",
    "useEffectEvent",
    "useEvent",
    "wrap",
];

pub(super) fn pattern_name<'p>(pattern: &'p BindingPattern<'_>) -> Option<&'p str> {
    match pattern {
        BindingPattern::BindingIdentifier(it) => Some(it.name.as_str()),
        _ => None,
    }
}

pub(super) fn key_name(key: &PropertyKey<'_>, computed: bool) -> String {
    match key {
        PropertyKey::PrivateIdentifier(it) => format!("#{}", it.name),
        PropertyKey::Identifier(it) if computed => format!("[{}]", it.name),
        PropertyKey::StaticMemberExpression(it) => match &it.object {
            Expression::Identifier(object) => format!("[{}.{}]", object.name, it.property.name),
            _ => "<computed>".to_owned(),
        },
        key => key.static_name().map_or_else(|| "<computed>".to_owned(), |name| name.into_owned()),
    }
}

pub(super) fn member_part(member: &MemberExpression<'_>) -> String {
    match member {
        MemberExpression::PrivateFieldExpression(it) => format!("#{}", it.field.name),
        member => member.static_property_name().unwrap_or("<computed>").to_owned(),
    }
}

pub(super) fn is_wrapper(call: &CallExpression<'_>) -> bool {
    // `connect(state)(Component)`: the inner call counts.
    let callee = match &call.callee {
        Expression::CallExpression(inner) => &inner.callee,
        callee => callee,
    };
    let name = match callee {
        Expression::Identifier(it) => it.name.as_str(),
        Expression::StaticMemberExpression(it) => it.property.name.as_str(),
        _ => return false,
    };
    let higher_order = |rest: &str| rest.starts_with(|c: char| c.is_ascii_uppercase());
    name == "connect" || WRAPPERS.contains(&name) || name.strip_prefix("with").is_some_and(higher_order)
}

/// A method starts at its name, unless that is computed: `[f()]` runs outside.
pub(super) fn member_span(member: Span, value: Span, computed: bool) -> Span {
    match computed {
        true => value,
        false => Span::new(member.start, value.end),
    }
}

pub(super) fn dotted(prefix: Option<&str>, name: &str) -> String {
    match prefix {
        Some(prefix) => shorten(format!("{prefix}.{name}")),
        None => shorten(name.to_owned()),
    }
}

pub(super) fn shorten(name: String) -> String {
    match name.len() > MAX_NAME {
        true => {
            let cut = (name.len() - MAX_NAME..).find(|&at| name.is_char_boundary(at));
            name[cut.unwrap_or(0)..].to_owned()
        }
        false => name,
    }
}
