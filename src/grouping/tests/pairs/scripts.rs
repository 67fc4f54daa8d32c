//! JavaScript of browsers and Node, without source maps.

use super::{ONE, Pair, TWO};

pub(super) const PAIRS: &[Pair] = &[
    (
        "Chrome names the class of a method, Safari does not",
        ONE,
        [
            "TypeError",
            "x is undefined",
            "TypeError: x is undefined\n    at Cart.total (https://shop.example/app.js:10:5)\n    at checkout (https://shop.example/app.js:20:3)",
        ],
        [
            "TypeError",
            "undefined is not an object",
            "total@https://shop.example/app.js:10:9\ncheckout@https://shop.example/app.js:20:8",
        ],
    ),
    (
        "Chrome's constructors",
        ONE,
        [
            "E",
            "m",
            "E: m\n    at new Cart (https://shop.example/app.js:10:5)\n    at openShop (https://shop.example/app.js:1:1)",
        ],
        ["E", "m", "Cart@https://shop.example/app.js:10:9\nopenShop@https://shop.example/app.js:1:4\n"],
    ),
    (
        "objects and async marks",
        ONE,
        ["E", "m", "E: m\n    at async Object.total (https://shop.example/app.js:10:5)"],
        ["E", "m", "async total@https://shop.example/app.js:10:9"],
    ),
    (
        "getters",
        ONE,
        ["E", "m", "E: m\n    at get total [as total] (https://shop.example/app.js:10:5)"],
        ["E", "m", "total@https://shop.example/app.js:10:9"],
    ),
    (
        "functions without a name, which Firefox guesses at",
        ONE,
        [
            "E",
            "m",
            "E: m\n    at https://shop.example/app.js:10:5\n    at checkout (https://shop.example/app.js:20:3)",
        ],
        [
            "E",
            "m",
            "checkout/<@https://shop.example/app.js:10:5\ncheckout@https://shop.example/app.js:20:3\n",
        ],
    ),
    (
        "handlers of elements",
        ONE,
        ["E", "m", "E: m\n    at HTMLButtonElement.onclick (https://shop.example/cart:10:5)"],
        ["E", "m", "onclick@https://shop.example/cart:10:5\n"],
    ),
    (
        "methods by symbols",
        ONE,
        ["E", "m", "E: m\n    at Cart.[Symbol.iterator] (https://shop.example/app.js:10:5)"],
        ["E", "m", "[Symbol.iterator]@https://shop.example/app.js:10:5"],
    ),
    (
        "other methods",
        TWO,
        ["E", "m", "E: m\n    at Cart.total (https://shop.example/app.js:10:5)"],
        ["E", "m", "E: m\n    at Cart.clear (https://shop.example/app.js:90:5)"],
    ),
    (
        "the same function of other files",
        TWO,
        ["E", "m", "E: m\n    at total (https://shop.example/cart.js:10:5)"],
        ["E", "m", "E: m\n    at total (https://shop.example/invoice.js:10:5)"],
    ),
    (
        "what goes wrong in a minified bundle",
        TWO,
        [
            "TypeError",
            "cart is null",
            "TypeError: cart is null\n    at e (https://shop.example/app.js:1:500)\n    at t.n (https://shop.example/app.js:1:900)",
        ],
        [
            "TypeError",
            "user has no address",
            "TypeError: user has no address\n    at t (https://shop.example/app.js:1:7000)\n    at Xr (https://shop.example/app.js:1:100)",
        ],
    ),
    (
        "other errors at one place of a minified bundle",
        TWO,
        [
            "TypeError",
            "cart is null",
            "TypeError: cart is null\n    at e (https://shop.example/app.js:1:500)\n    at t.n (https://shop.example/app.js:1:900)",
        ],
        [
            "TypeError",
            "user has no address",
            "TypeError: user has no address\n    at e (https://shop.example/app.js:1:7000)\n    at t.n (https://shop.example/app.js:1:100)",
        ],
    ),
    (
        "one error of a minified bundle with other values",
        ONE,
        [
            "RangeError",
            "item 17 of 20",
            "RangeError: item 17 of 20\n    at e (https://shop.example/app.js:1:500)",
        ],
        [
            "RangeError",
            "item 3 of 4",
            "RangeError: item 3 of 4\n    at e (https://shop.example/app.js:1:500)",
        ],
    ),
    (
        "minified names of two builds",
        TWO,
        ["E", "m", "E: m\n    at e (https://shop.example/app.js:1:500)"],
        ["E", "m", "E: m\n    at ab (https://shop.example/app.js:1:500)"],
    ),
    (
        "messages count nothing where functions have names",
        ONE,
        ["E", "cannot read a", "E: cannot read a\n    at loadCart (https://shop.example/app.js:1:500)"],
        ["E", "cannot read b", "E: cannot read b\n    at loadCart (https://shop.example/app.js:1:500)"],
    ),
    (
        "messages of an unmapped function without a name",
        TWO,
        ["E", "cannot load cart", "E: cannot load cart\n    at https://shop.example/app.js:1:500"],
        ["E", "cannot load user", "E: cannot load user\n    at https://shop.example/app.js:1:500"],
    ),
    (
        "hashes in names of files",
        ONE,
        ["E", "m", "E: m\n    at loadCart (https://shop.example/assets/index-BxY12Abc.js:1:500)"],
        ["E", "m", "E: m\n    at loadCart (https://shop.example/assets/index-C-8sdf2q.js:2:7)"],
    ),
    (
        "hashes in names of webpack's chunks",
        ONE,
        ["E", "m", "E: m\n    at loadCart (https://shop.example/static/js/cart.4f8d2c1a.chunk.js:1:500)"],
        ["E", "m", "E: m\n    at loadCart (https://shop.example/static/js/cart.99e0b1c2.chunk.js:1:9)"],
    ),
    (
        "names of webpack's chunks",
        TWO,
        ["E", "m", "E: m\n    at loadItems (https://shop.example/static/js/cart.4f8d2c1a.chunk.js:1:500)"],
        ["E", "m", "E: m\n    at loadItems (https://shop.example/static/js/login.4f8d2c1a.chunk.js:1:500)"],
    ),
    (
        "query strings of scripts",
        ONE,
        ["E", "m", "E: m\n    at loadCart (https://shop.example/app.js?v=1:1:500)"],
        ["E", "m", "E: m\n    at loadCart (https://shop.example/app.js?v=2&t=3:1:500)"],
    ),
    (
        "hosts",
        ONE,
        ["E", "m", "E: m\n    at loadCart (https://shop.example/app.js:1:500)"],
        ["E", "m", "E: m\n    at loadCart (http://localhost:5173/app.js:1:500)"],
    ),
    (
        "two functions that call each other",
        ONE,
        [
            "RangeError",
            "Maximum call stack size exceeded",
            "RangeError: Maximum call stack size exceeded\n    at even (/srv/n.js:1:1)\n    at odd (/srv/n.js:5:1)\n    at even (/srv/n.js:1:1)\n    at odd (/srv/n.js:5:1)\n    at even (/srv/n.js:1:1)",
        ],
        [
            "RangeError",
            "Maximum call stack size exceeded",
            "RangeError: Maximum call stack size exceeded\n    at odd (/srv/n.js:5:1)\n    at even (/srv/n.js:1:1)\n    at odd (/srv/n.js:5:1)\n    at even (/srv/n.js:1:1)\n    at odd (/srv/n.js:5:1)",
        ],
    ),
    (
        "three functions in a circle",
        ONE,
        [
            "E",
            "m",
            "E: m\n    at first (/srv/n.js:1:1)\n    at second (/srv/n.js:2:1)\n    at third (/srv/n.js:3:1)\n    at first (/srv/n.js:1:1)\n    at second (/srv/n.js:2:1)",
        ],
        [
            "E",
            "m",
            "E: m\n    at third (/srv/n.js:3:1)\n    at first (/srv/n.js:1:1)\n    at second (/srv/n.js:2:1)\n    at third (/srv/n.js:3:1)\n    at first (/srv/n.js:1:1)",
        ],
    ),
    (
        "a helper called out of a circle",
        ONE,
        [
            "E",
            "m",
            "E: m\n    at fail (/srv/n.js:9:1)\n    at even (/srv/n.js:1:1)\n    at odd (/srv/n.js:5:1)\n    at even (/srv/n.js:1:1)",
        ],
        [
            "E",
            "m",
            "E: m\n    at fail (/srv/n.js:9:1)\n    at odd (/srv/n.js:5:1)\n    at even (/srv/n.js:1:1)\n    at odd (/srv/n.js:5:1)",
        ],
    ),
    (
        "depth of a plain recursion",
        ONE,
        [
            "E",
            "m",
            "E: m\n    at walk (/srv/n.js:1:1)\n    at walk (/srv/n.js:1:1)\n    at main (/srv/n.js:9:1)",
        ],
        [
            "E",
            "m",
            "E: m\n    at walk (/srv/n.js:1:1)\n    at walk (/srv/n.js:1:1)\n    at walk (/srv/n.js:1:1)\n    at main (/srv/n.js:9:1)",
        ],
    ),
    (
        "other circles",
        TWO,
        [
            "E",
            "m",
            "E: m\n    at even (/srv/n.js:1:1)\n    at odd (/srv/n.js:5:1)\n    at even (/srv/n.js:1:1)",
        ],
        [
            "E",
            "m",
            "E: m\n    at even (/srv/n.js:1:1)\n    at prime (/srv/n.js:5:1)\n    at even (/srv/n.js:1:1)",
        ],
    ),
    (
        "numbers of a transpiler's generators",
        ONE,
        [
            "E",
            "m",
            "E: m\n    at _callee12$ (https://shop.example/app.js:1:500)\n    at loadCart (https://shop.example/app.js:1:1)",
        ],
        [
            "E",
            "m",
            "E: m\n    at _callee3$ (https://shop.example/app.js:1:90)\n    at loadCart (https://shop.example/app.js:1:1)",
        ],
    ),
    (
        "an error that Node prints with its properties",
        ONE,
        ["E", "m", "E: m\n    at loadCart (/srv/app.js:1:500) {\n  code: 'E_CART'\n}"],
        ["E", "m", "E: m\n    at loadCart (/srv/app.js:1:500)"],
    ),
    (
        "an error wrapped around another one",
        ONE,
        [
            "E",
            "m",
            "E: m\n    at loadCart (/srv/app.js:1:500) {\n  [cause]: TypeError: x\n      at parse (/srv/json.js:3:1)\n}",
        ],
        [
            "E",
            "m",
            "E: m\n    at loadCart (/srv/app.js:1:500) {\n  [cause]: RangeError: y\n      at read (/srv/file.js:8:1)\n}",
        ],
    ),
    (
        "libraries between the application's frames",
        ONE,
        [
            "E",
            "m",
            "E: m\n    at loadCart (/srv/app.js:1:500)\n    at next (/srv/node_modules/express/lib/router.js:3:4)",
        ],
        ["E", "m", "E: m\n    at Object.map (node:internal/x:1:2)\n    at loadCart (/srv/app.js:1:500)"],
    ),
];
