//! Elixir: `    (shop 0.1.0) lib/shop/cart.ex:17: Shop.Cart.total/1`; Erlang: `in function  shop_cart:total/1 (src/shop_cart.erl,
//! line 17)`, or the term `{shop_cart,total,1,[{file,"src/shop_cart.erl"},{line,17}]}`.

use super::line::{find, lines, name, number, source_frame, trim_start, url};
use super::{Frame, READ_FRAMES};

/// Whether a line is a frame of Elixir or Erlang.
pub(super) fn is_marked(line: &str) -> bool {
    of_elixir(line).is_some() || of_erlang(line).is_some() || terms(line).next().is_some()
}

/// The frames, throw first.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let mut frames = Vec::with_capacity(16);
    for line in lines(text) {
        match of_elixir(line).or_else(|| of_erlang(line)) {
            Some(frame) => frames.push(frame),
            None => frames.extend(terms(line)),
        }
        if frames.len() >= READ_FRAMES {
            frames.truncate(READ_FRAMES);
            break;
        }
    }
    frames
}

/// `(shop 0.1.0) lib/shop/cart.ex:17: Shop.Cart.total/1`; a script has no application in front, and a call without a place
/// is `:erlang.binary_to_integer("x")`.
fn of_elixir(line: &str) -> Option<Frame<'_>> {
    let text = trim_start(line);
    if text.len() == line.len() {
        return None;
    }
    let (application, rest) = match text.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
        Some((application, rest)) => (application.split(' ').next(), rest),
        None => (None, text),
    };
    if application.is_some_and(|name| name.contains(['.', '/', '"'])) {
        return None;
    }
    let is_library = application.is_some_and(is_library);
    let (file, place) = match [".ex:", ".exs:", ".erl:", ".eex:", ".heex:"]
        .iter()
        .find_map(|end| Some((find(rest, end)?, end)))
    {
        Some((at, end)) => (&rest[..at + end.len() - 1], &rest[at + end.len()..]),
        None => {
            let call = rest.starts_with(':') && rest.contains('(') && application.is_some();
            return call.then(|| library(source_frame(function(rest), None, None), is_library));
        }
    };
    if file.contains([' ', '"']) {
        return None;
    }
    let (line, call) = place.split_once(": ")?;
    Some(library(source_frame(function(call), url(file), Some(number(line)?)), is_library))
}

fn library(frame: Frame<'_>, is_library: bool) -> Frame<'_> {
    Frame { in_app: frame.in_app && !is_library, ..frame }
}

/// The name in `Shop.Cart.total/1` and `:erlang.binary_to_integer("x")`.
fn function(call: &str) -> Option<&str> {
    name(call.strip_suffix(')').and_then(|inner| inner.split_once('(')).map_or(call, |(name, _)| name))
}

/// `in function  shop_cart:total/1 (src/shop_cart.erl, line 17)`, `in call from shop:main/0 (src/shop.erl, line 3)`.
fn of_erlang(line: &str) -> Option<Frame<'_>> {
    let text = trim_start(line);
    let rest = text.strip_prefix("in function ").or_else(|| text.strip_prefix("in call from "))?;
    let rest = trim_start(rest);
    let (call, place) = rest.split_once(" (").unwrap_or((rest, ""));
    let call = call.split('(').next().unwrap_or(call);
    if !call.contains(':') || call.contains(' ') {
        return None;
    }
    let place = place.trim_end_matches(')').rsplit_once(", line ");
    let file = place.and_then(|(file, _)| url(file));
    Some(source_frame(name(call), file, place.and_then(|(_, line)| number(line))))
}

/// The stack as a term, in one line or several.
fn terms(line: &str) -> impl Iterator<Item = Frame<'_>> {
    const FILE: &str = ",[{file,\"";
    /// The longest name of a file, with what is around it.
    const WINDOW: usize = 1_024;
    let mut end = 0;
    memchr::memmem::find_iter(line.as_bytes(), FILE).filter_map(move |at| {
        let call = &line[std::mem::replace(&mut end, at + FILE.len())..at];
        let rest = &line[at + FILE.len()..];
        let (file, rest) = rest[..rest.floor_char_boundary(WINDOW)].split_once("\"},{line,")?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        Some(source_frame(Some(called(call)?), url(file), Some(number(&rest[..digits])?)))
    })
}

/// `shop_cart,total,1` of `{shop_cart,total,1`: module, function and arity; without the values of arguments, which may stand in
/// the place of the arity.
fn called(term: &str) -> Option<&str> {
    /// The most brackets that are tried: arguments contain some, too.
    const BRACKETS: usize = 32;
    let brackets = memchr::memrchr_iter(b'{', term.as_bytes()).take(BRACKETS);
    brackets.map(|at| &term[at + 1..]).find_map(|text| {
        let module = text.find(',')?;
        let function = module + 1 + text[module + 1..].find(',')?;
        let is_atom = |name: &str| !name.is_empty() && !name.contains([' ', '[', '{', '"', '<', '(']);
        if !is_atom(&text[..module]) || !is_atom(&text[module + 1..function]) {
            return None;
        }
        let arity = &text[function + 1..];
        match arity.bytes().all(|byte| byte.is_ascii_digit()) {
            true => name(text),
            false => name(&text[..function]).filter(|_| arity.starts_with('[')),
        }
    })
}

/// Applications that others are built on; Elixir prints the name before each frame.
fn is_library(application: &str) -> bool {
    const NAMES: [&str; 40] = [
        "absinthe",
        "ash",
        "bandit",
        "bamboo",
        "broadway",
        "commanded",
        "cowboy",
        "db_connection",
        "ecto",
        "ecto_sql",
        "eex",
        "elixir",
        "erts",
        "ex_unit",
        "finch",
        "gen_stage",
        "gettext",
        "hackney",
        "httpoison",
        "iex",
        "jason",
        "kernel",
        "logger",
        "mint",
        "mix",
        "myxql",
        "nimble_pool",
        "oban",
        "phoenix",
        "phoenix_ecto",
        "phoenix_html",
        "phoenix_live_view",
        "plug",
        "plug_cowboy",
        "postgrex",
        "ranch",
        "req",
        "stdlib",
        "swoosh",
        "tesla",
    ];
    NAMES.contains(&application)
}
