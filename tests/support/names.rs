//! The builds of `tests/fixtures/names`, and the function that each of their cases throws in, as people wrote it.

pub(crate) const BUILDS: [&str; 7] =
    ["esbuild", "rollup-terser", "swc", "vite-oxc", "vite-terser", "webpack-swc", "webpack-terser"];

/// Of `names.js`.
pub(crate) const NAMES: [(&str, &str); 17] = [
    ("declared", "declared"),
    ("arrow", "arrow"),
    ("expression", "expression"),
    ("static method", "Cart.total"),
    ("constructor", "new Cart"),
    ("method", "Cart.add"),
    ("private method", "Cart.#secret"),
    ("getter", "get Cart.size"),
    ("field", "Cart.onClick"),
    ("object method", "shop.open"),
    ("property", "shop.close"),
    ("class expression", "Basket.weigh"),
    ("default export", "default"),
    ("async", "load"),
    ("generator", "walk"),
    ("nested", "inner"),
    ("callback", "each/<anonymous>"),
];

/// Of `more.js`.
pub(crate) const MORE: [(&str, &str); 21] = [
    ("default arrow", "default"),
    ("setter", "set Basket.coupon"),
    ("static getter", "get Basket.limit"),
    ("async method", "Basket.save"),
    ("async generator method", "Basket.pages"),
    ("iterator", "Basket.[Symbol.iterator]"),
    ("computed method", "Basket.[key]"),
    ("object getter", "get till.total"),
    ("object setter", "set till.total"),
    ("async object method", "till.open"),
    ("computed key", "till.[key]"),
    ("inner object", "till.drawer.shut"),
    ("async arrow", "fetchAll"),
    ("async generator", "stream"),
    ("immediate", "start/<anonymous>"),
    ("named immediate", "begin"),
    ("module pattern", "<anonymous>"),
    ("prototype", "Legacy.run"),
    ("property of a function", "Legacy.make"),
    ("curried", "curried/<anonymous>"),
    ("default parameter", "report"),
];

/// Of `typed.tsx`, where people write types and elements.
pub(crate) const TYPED: [(&str, &str); 12] = [
    ("component", "Row"),
    ("wrapped component", "List"),
    ("handler", "Button/<anonymous>"),
    ("generic", "first"),
    ("generic arrow", "parse"),
    ("parameter property", "new Store"),
    ("overload", "Store.read"),
    ("typed field", "Shelf.sort"),
    ("override", "Shelf.write"),
    ("satisfies", "handlers.open"),
    ("assertion", "asserted"),
    ("namespace", "round"),
];

/// The folders of the builds, with the cases and function names in each.
pub(crate) const FOLDERS: [(&str, &[(&str, &str)]); 3] = [("", &NAMES), ("more/", &MORE), ("typed/", &TYPED)];
