//! Small handmade source maps, whose positions are all known.

use super::{Value, json};

/// The source that [`cart`] was "built" from.
pub(crate) const CART: &str = "export function total(items: Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += item.price.amount;
  }
  return sum;
}

export function checkout(cart: Cart): Receipt {
  if (!cart.items.length) throw new Error(\"The cart is empty\");
  return { sum: total(cart.items) };
}

checkout(window.cart);";

/// Columns of the generated line and their origins in [`CART`], all 1-based.
pub(crate) const IN_TOTAL: u32 = 51;
pub(crate) const IN_CHECKOUT: u32 = 162;
pub(crate) const TOP_LEVEL: u32 = 201;

/// `src/cart.ts` minified to one line: `total` is called `t`, `checkout` is `c`.
pub(crate) fn cart() -> String {
    let segments = [(1, 1, 1), (IN_TOTAL, 4, 16), (IN_CHECKOUT, 11, 17), (TOP_LEVEL, 14, 1)];
    map("src/cart.ts", Some(CART), &segments).to_string()
}

/// Another build of the same source: the same code is in other columns.
pub(crate) fn cart_rebuilt() -> String {
    let segments = [(1, 1, 1), (IN_TOTAL + 700, 4, 16), (IN_CHECKOUT + 700, 11, 17)];
    map("src/cart.ts", Some(CART), &segments).to_string()
}

/// A map of one generated line to one source; segments are (generated column, line, column), 1-based.
pub(crate) fn map(source: &str, content: Option<&str>, segments: &[(u32, u32, u32)]) -> Value {
    json!({
        "version": 3, "sources": [source], "sourcesContent": [content], "names": [],
        "mappings": mappings(segments),
    })
}

fn mappings(segments: &[(u32, u32, u32)]) -> String {
    let (mut column, mut line, mut source_column) = (1, 1, 1);
    let mut texts = Vec::new();
    for segment in segments {
        let mut text = String::new();
        for (value, last) in
            [(segment.0, &mut column), (1, &mut 1), (segment.1, &mut line), (segment.2, &mut source_column)]
        {
            vlq(i64::from(value) - *last, &mut text);
            *last = i64::from(value);
        }
        texts.push(text);
    }
    texts.join(",")
}

/// Base 64 VLQ: five bits a digit, the least first, the sign in the lowest bit.
fn vlq(value: i64, text: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut rest = value.unsigned_abs() << 1 | u64::from(value < 0);
    loop {
        let digit = (rest & 31) as usize;
        rest >>= 5;
        text.push(DIGITS[digit | if rest > 0 { 32 } else { 0 }].into());
        if rest == 0 {
            return;
        }
    }
}

/// A stack of V8 with these frames: function, address, column of line 1.
pub(crate) fn stack(title: &str, frames: &[(&str, &str, u32)]) -> String {
    let lines =
        frames.iter().map(|(function, url, column)| format!("\n    at {function} ({url}:1:{column})"));
    title.to_owned() + &lines.collect::<String>()
}
