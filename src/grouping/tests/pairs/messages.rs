//! Messages without frames.

use super::{ONE, Pair, TWO};

pub(super) const PAIRS: &[Pair] = &[
    (
        "statuses",
        TWO,
        ["HttpError", "GET /api/orders/123 failed with 404", ""],
        ["HttpError", "GET /api/orders/123 failed with 500", ""],
    ),
    (
        "paths",
        TWO,
        ["HttpError", "GET /api/orders/123 failed with 404", ""],
        ["HttpError", "GET /api/users/123 failed with 404", ""],
    ),
    (
        "ids in paths",
        ONE,
        ["HttpError", "GET /api/orders/123 failed with 404", ""],
        ["HttpError", "GET /api/orders/98765 failed with 404", ""],
    ),
    (
        "random ids in paths",
        ONE,
        ["E", "PUT /v1/carts/01HZY3K9V4Q8M2N7R5T6W1X0YZ: 500", ""],
        ["E", "PUT /v1/carts/01HZZ9ABCD3EFG5HJK7MNPQ1RS: 500", ""],
    ),
    (
        "UUIDs in paths",
        ONE,
        ["E", "no /o/0a1b2c3d-0000-4000-8000-0123456789ab", ""],
        ["E", "no /o/11111111-2222-4333-8444-555555555555", ""],
    ),
    ("methods", TWO, ["E", "GET /api/orders failed", ""], ["E", "POST /api/orders failed", ""]),
    (
        "query strings of paths",
        ONE,
        ["E", "GET /search?q=red+shoes&page=2 failed with 503", ""],
        ["E", "GET /search?q=hats failed with 503", ""],
    ),
    (
        "query strings of URLs",
        ONE,
        ["E", "Failed to fetch https://a.example/v1/x?token=abc", ""],
        ["E", "Failed to fetch https://a.example/v1/x?token=def#top", ""],
    ),
    (
        "hosts of URLs",
        ONE,
        ["E", "no answer of https://eu1.api.example:8443/v1/orders", ""],
        ["E", "no answer of https://us7.api.example/v1/orders", ""],
    ),
    (
        "paths of URLs",
        TWO,
        ["E", "no answer of https://api.example/v1/orders", ""],
        ["E", "no answer of https://api.example/v1/invoices", ""],
    ),
    (
        "requests' own words for statuses",
        TWO,
        ["HTTPError", "404 Client Error: Not Found for url: https://x.example/api/a", ""],
        ["HTTPError", "403 Client Error: Forbidden for url: https://x.example/api/a", ""],
    ),
    (
        "axios",
        TWO,
        ["AxiosError", "Request failed with status code 404", ""],
        ["AxiosError", "Request failed with status code 500", ""],
    ),
    (
        "numbers that are no statuses",
        ONE,
        ["E", "timeout of 300 ms exceeded", ""],
        ["E", "timeout of 500 ms exceeded", ""],
    ),
    (
        "counts of items",
        ONE,
        ["E", "GET /api/items returned 120 items", ""],
        ["E", "GET /api/items returned 450 items", ""],
    ),
    (
        "positions",
        ONE,
        ["SyntaxError", "Unexpected token } in JSON at position 404", ""],
        ["SyntaxError", "Unexpected token } in JSON at position 17", ""],
    ),
    (
        "hashes in names of chunks",
        ONE,
        [
            "TypeError",
            "Failed to fetch dynamically imported module: https://x.example/assets/Cart-BxY12Abc.js",
            "",
        ],
        [
            "TypeError",
            "Failed to fetch dynamically imported module: https://x.example/assets/Cart-C-8sdf2q.js",
            "",
        ],
    ),
    (
        "names of chunks",
        TWO,
        [
            "TypeError",
            "Failed to fetch dynamically imported module: https://x.example/assets/Cart-BxY12Abc.js",
            "",
        ],
        [
            "TypeError",
            "Failed to fetch dynamically imported module: https://x.example/assets/Login-BxY12Abc.js",
            "",
        ],
    ),
    (
        "hashes in names of style sheets",
        ONE,
        ["Error", "Unable to preload CSS for /assets/Cart-BxY12Abc.css", ""],
        ["Error", "Unable to preload CSS for /assets/Cart-Dk_T3v9a.css", ""],
    ),
    (
        "numbers of chunks",
        ONE,
        ["ChunkLoadError", "Loading chunk 12 failed.", ""],
        ["ChunkLoadError", "Loading chunk 371 failed.", ""],
    ),
    ("quoted names", ONE, ["KeyError", "no field 'price'", ""], ["KeyError", "no field 'total'", ""]),
    (
        "memory addresses",
        ONE,
        ["E", "object <Cart object at 0x7f3a2c1d> is closed", ""],
        ["E", "object <Cart object at 0x7f99aa01> is closed", ""],
    ),
    (
        "hashes",
        ONE,
        ["E", "commit d41d8cd98f00b204e9800998ecf8427e is missing", ""],
        ["E", "commit 9e107d9d372bb6826bd81d3542a419d6 is missing", ""],
    ),
    (
        "e-mail addresses",
        ONE,
        ["E", "mail to joe@x.example bounced", ""],
        ["E", "mail to jane.doe@y.example bounced", ""],
    ),
    (
        "network addresses",
        ONE,
        ["E", "connect ECONNREFUSED 10.0.0.1:5432", ""],
        ["E", "connect ECONNREFUSED 10.0.7.9:5432", ""],
    ),
    (
        "codes of errors",
        TWO,
        ["E", "connect ECONNREFUSED 10.0.0.1:5432", ""],
        ["E", "connect ETIMEDOUT 10.0.0.1:5432", ""],
    ),
    (
        "times",
        ONE,
        ["E", "token expired at 2026-11-18T10:13:20Z", ""],
        ["E", "token expired at 2026-11-23T04:00:00.123Z", ""],
    ),
    ("types", TWO, ["ValueError", "bad input", ""], ["TypeError", "bad input", ""]),
];
