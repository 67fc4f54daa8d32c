//! C, C++ and what is compiled like them: the traces of sanitizers and of gdb (`#0 0x4f in Cart::total() /srv/cart.cpp:17:5`),
//! lldb (``frame #0: 0x1f shop`Cart::total() at cart.cpp:17:5``), `<stacktrace>` and Boost (` 0# Cart::total() at cart.cpp:17`),
//! glibc (`./shop(_ZN4Cart5totalEv+0x1a) [0x4f]`), Android (`#00 pc 001f  /lib/libshop.so (Cart::total()+12)`), Windows
//! (`shop!Cart::total+0x1d [C:\src\cart.cpp @ 17]`), and Kotlin compiled to machine code (`at 0  shop  0x1f  kfun:com.shop#total(){} + 3`).

use super::line::{find, lines, name, number, rfind, source_frame, trim_start};
use super::location::with_line;
use super::{Frame, READ_FRAMES};

/// Whether a line is a frame of machine code.
pub(super) fn is_marked(line: &str) -> bool {
    frame(line).is_some()
}

/// The frames of the first thread.
pub(super) fn parse(text: &str) -> Vec<Frame<'_>> {
    let mut frames = Vec::with_capacity(16);
    let mut last = None;
    for line in lines(text) {
        let Some((count, frame)) = frame(line) else { continue };
        // Another thread, or where memory was allocated.
        if count.is_some() && count <= last {
            break;
        }
        last = count.or(last);
        frames.push(frame);
        if frames.len() == READ_FRAMES {
            break;
        }
    }
    frames
}

/// A frame and its number, where lines have one.
fn frame(line: &str) -> Option<(Option<u32>, Frame<'_>)> {
    let text = trim_start(line);
    let text = text.strip_prefix("* ").unwrap_or(text);
    if let Some(rest) = text.strip_prefix("frame #") {
        let (count, rest) = rest.split_once(": ")?;
        let (library, symbol) = rest.split_once('`')?;
        let frame = of_symbol(without_offset(symbol));
        let library = library.split_once(' ').map_or("", |(_, library)| library);
        return Some((Some(number(count)?), Frame { in_app: frame.in_app && !is_system(library), ..frame }));
    }
    if let Some(rest) = text.strip_prefix('#') {
        let (count, rest) = rest.split_once(' ')?;
        return Some((Some(number(count)?), of_numbered(trim_start(rest))?));
    }
    if let Some(rest) = text.strip_prefix("at ") {
        let (count, rest) = trim_start(rest).split_once(' ')?;
        let symbol = &rest[find(rest, "kfun:")? + "kfun:".len()..];
        return Some((Some(number(count)?), of_kotlin(symbol)));
    }
    if let Some((count, rest)) = text.split_once("# ").filter(|(count, _)| number(count).is_some()) {
        let rest = without_address(rest);
        return Some((number(count), of_symbol(rest)));
    }
    of_glibc(text).or_else(|| of_windows(without_addresses(text))).map(|frame| (None, frame))
}

/// Without the number and the addresses that WinDbg prints in front: ``00 000000c1`7b6ff8d0 00007ff6`3a2b1163 ``.
fn without_addresses(text: &str) -> &str {
    let is_hex =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'`');
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once(' ').filter(|(word, _)| is_hex(word)) {
        rest = trim_start(behind);
    }
    rest.strip_prefix(": ").unwrap_or(rest)
}

/// What follows `#0 `: of sanitizers, gdb and Android.
fn of_numbered(text: &str) -> Option<Frame<'_>> {
    if let Some(rest) = text.strip_prefix("pc ") {
        // `001f  /lib/libshop.so (Cart::total()+12) (BuildId: …)`
        let rest = trim_start(rest.split_once(' ')?.1);
        let rest = &rest[..find(rest, " (BuildId:").unwrap_or(rest.len())];
        let (library, symbol) = rest.split_once(" (").unwrap_or((rest, ""));
        let symbol = without_offset(symbol.strip_suffix(')').unwrap_or(symbol));
        let frame = source_frame(name(symbol), None, None);
        return Some(Frame { in_app: frame.in_app && !is_system(library), ..frame });
    }
    let has_address = text.starts_with("0x");
    let symbol = if has_address { without_address(text) } else { text };
    // Of gdb, a frame without an address is that of the place itself, and has arguments.
    (has_address && symbol.len() < text.len() || find(symbol, ") at ").is_some()).then(|| of_symbol(symbol))
}

/// Without `0x4f in `, or `0x4f: `.
fn without_address(text: &str) -> &str {
    let Some((address, rest)) = text.split_once(' ').filter(|(address, _)| address.starts_with("0x")) else {
        return text;
    };
    if address.ends_with(':') { rest } else { trim_start(rest).strip_prefix("in ").unwrap_or(text) }
}

/// `Cart::total(int) /srv/cart.cpp:17:5`, `Cart::total (this=0x0) at cart.cpp:17`, `Cart::total() (/srv/shop+0x4f)`.
fn of_symbol(text: &str) -> Frame<'_> {
    let text = &text[..find(text, " (BuildId:").unwrap_or(text.len())];
    if let Some((symbol, library)) = text.strip_suffix(')').and_then(|inner| inner.rsplit_once(" ("))
        && library.contains("+0x")
    {
        let frame = source_frame(called(symbol), None, None);
        return Frame { in_app: frame.in_app && !is_system(library), ..frame };
    }
    let split = rfind(text, " at ").map(|at| (at, at + " at ".len()));
    // Directories may have spaces in their names.
    let split = split.or_else(|| rfind(text, " /").or_else(|| text.rfind(' ')).map(|at| (at, at + 1)));
    let placed = split.and_then(|(end, start)| Some((&text[..end], with_line(&text[start..])?)));
    let Some((symbol, place)) = placed else {
        let (symbol, library) =
            text.rsplit_once(" from ").or_else(|| text.rsplit_once(" in ")).unwrap_or((text, ""));
        let frame = source_frame(called(symbol), None, None);
        return Frame { in_app: frame.in_app && !is_system(library), ..frame };
    };
    let frame = source_frame(called(symbol), place.url, place.line);
    // What the linker adds under this name has no source.
    let is_main = frame.function == Some("main") && super::in_app(place.url, None);
    Frame { column: place.column, in_app: frame.in_app || is_main, ..frame }
}

/// `com.shop.Cart#total(){}kotlin.Int + 123 (/srv/src/Cart.kt:12:5)`.
fn of_kotlin(text: &str) -> Frame<'_> {
    let (symbol, place) = match text.strip_suffix(')').and_then(|inner| inner.rsplit_once(" (")) {
        Some((symbol, place)) => (symbol, with_line(place)),
        None => (text, None),
    };
    let symbol = without_offset(symbol);
    let symbol = symbol.split_once('(').map_or(symbol, |(symbol, _)| symbol);
    let (url, line, column) = place.map_or((None, None, None), |place| (place.url, place.line, place.column));
    Frame { column, ..source_frame(name(symbol), url, line) }
}

/// `./shop(_ZN4Cart5totalEv+0x1a) [0x4f]`.
fn of_glibc(text: &str) -> Option<Frame<'_>> {
    let rest = text.strip_suffix(']')?;
    let (rest, _) = rest.rsplit_once(" [0x")?;
    let (program, symbol) = rest.strip_suffix(')')?.split_once('(')?;
    if program.contains(' ') || !symbol.contains("+0x") {
        return None;
    }
    let frame = source_frame(name(without_offset(symbol)), None, None);
    Some(Frame { in_app: frame.in_app && !is_system(program), ..frame })
}

/// `shop!Cart::total+0x1d [C:\src\cart.cpp @ 17]`, `C:\src\cart.cpp(17): shop!Cart::total+0x1D`.
fn of_windows(text: &str) -> Option<Frame<'_>> {
    let (place, rest) = match text.split_once("): ") {
        Some((place, rest)) => (place.rsplit_once('('), rest),
        None => match text.strip_suffix(']').and_then(|inner| inner.rsplit_once(" [")) {
            Some((rest, place)) => (place.rsplit_once(" @ "), rest),
            None => (None, text),
        },
    };
    let (library, symbol) = rest.split_once('!')?;
    if !symbol.contains("+0x") || library.contains([' ', '(']) {
        return None;
    }
    let (url, line) = match place {
        Some((file, line)) => (super::line::url(file), Some(number(line)?)),
        None => (None, None),
    };
    let frame = source_frame(name(without_offset(symbol)), url, line);
    Some(Frame { in_app: frame.in_app && !is_system(library), ..frame })
}

/// `Cart::total+0x1d` → `Cart::total`, `total() + 12` → `total()`.
fn without_offset(symbol: &str) -> &str {
    let end = rfind(symbol, "+0x").or_else(|| {
        let at = symbol.rfind('+')?;
        number(symbol[at + 1..].trim()).map(|_| at)
    });
    end.map_or(symbol, |end| symbol[..end].trim_end())
}

/// The name of a function; `??` is that of none.
fn called(symbol: &str) -> Option<&str> {
    name(plain(symbol)).filter(|name| *name != "??")
}

/// Without the values of arguments that debuggers print, which differ from call to call.
fn plain(symbol: &str) -> &str {
    /// The most parentheses that are tried: types have some, too.
    const TRIED: usize = 16;
    for (at, _) in symbol.match_indices('(').take(TRIED) {
        let inner = &symbol[at + 1..];
        let name = inner.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let value = &inner[name..];
        if name > 0 && value.starts_with('=') && !value.starts_with("==") {
            return symbol[..at].trim_end();
        }
    }
    symbol.strip_suffix(" ()").unwrap_or(symbol)
}

/// Whether a library or program belongs to the system.
fn is_system(library: &str) -> bool {
    const STARTS: [&str; 8] =
        ["/lib/", "/lib64/", "/usr/lib", "/system/", "/apex/", "/vendor/lib", "libc.so", "libstdc++"];
    const NAMES: [&str; 9] = [
        "ntdll",
        "kernel32",
        "KERNELBASE",
        "ucrtbase",
        "KERNEL32",
        "dyld",
        "UIKitCore",
        "CoreFoundation",
        "libdispatch.dylib",
    ];
    STARTS.iter().any(|start| library.starts_with(start)) || NAMES.contains(&library)
}
