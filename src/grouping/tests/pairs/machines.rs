//! Paths that belong to a person, a machine or a single run.

use super::{ONE, Pair, TWO};

pub(super) const PAIRS: &[Pair] = &[
    (
        "people on Windows",
        ONE,
        [
            "Error",
            "boom",
            "Error: boom\n    at click (C:\\Users\\ada\\AppData\\Local\\Programs\\shop\\resources\\app.asar\\build\\main.js:2:14)",
        ],
        [
            "Error",
            "boom",
            "Error: boom\n    at click (C:\\Users\\grace.hopper\\AppData\\Local\\Programs\\shop\\resources\\app.asar\\build\\main.js:2:14)",
        ],
    ),
    (
        "files of people on Windows",
        TWO,
        ["Error", "boom", "Error: boom\n    at click (C:\\Users\\ada\\shop\\main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (C:\\Users\\ada\\shop\\menu.js:2:14)"],
    ),
    (
        "people on macOS",
        ONE,
        ["Error", "boom", "Error: boom\n    at click (/Users/ada/shop/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/Users/grace/shop/main.js:2:14)"],
    ),
    (
        "people on Linux",
        ONE,
        ["Error", "boom", "Error: boom\n    at click (/home/ada/shop/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (file:///home/grace/shop/main.js:2:14)"],
    ),
    (
        "pages that are named like a home",
        TWO,
        ["Error", "boom", "Error: boom\n    at click (https://shop.example/home/cart/app.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (https://shop.example/home/login/app.js:2:14)"],
    ),
    (
        "applications in the home and for everybody",
        ONE,
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/Applications/Shop.app/Contents/Resources/app/main.js:2:14)",
        ],
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/Users/ada/Applications/Shop.app/Contents/Resources/app/main.js:2:14)",
        ],
    ),
    (
        "bundles of phones",
        ONE,
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/var/containers/Bundle/Application/0A1B2C3D-0000-4000-8000-0123456789AB/Shop.app/main.jsbundle:2:14)",
        ],
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/private/var/containers/Bundle/Application/11111111-2222-4333-8444-555555555555/Shop.app/main.jsbundle:2:14)",
        ],
    ),
    (
        "packages of Android",
        ONE,
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/data/app/~~kVlXq0J3==/com.shop-AbC1dE2fG3==/base.apk/index.js:2:14)",
        ],
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/data/app/~~Zz9yX8w7==/com.shop-QwE4rT5yU6==/base.apk/index.js:2:14)",
        ],
    ),
    (
        "programs that unpack themselves",
        ONE,
        ["Error", "boom", "Error: boom\n    at click (/tmp/_MEI1a2b3c/shop/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/tmp/_MEIzZ9yY8/shop/main.js:2:14)"],
    ),
    (
        "AppImages",
        ONE,
        ["Error", "boom", "Error: boom\n    at click (/tmp/.mount_ShopAb12Cd/resources/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/tmp/.mount_ShopXy98Zw/resources/main.js:2:14)"],
    ),
    (
        "temporary directories",
        ONE,
        ["Error", "boom", "Error: boom\n    at click (/tmp/build-81723/src/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/tmp/build-99102/src/main.js:2:14)"],
    ),
    (
        "temporary directories of macOS",
        ONE,
        ["Error", "boom", "Error: boom\n    at click (/var/folders/ab/c1d2e3/T/shop/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/var/folders/xy/z9w8v7/T/shop/main.js:2:14)"],
    ),
    (
        "files in temporary directories",
        TWO,
        ["Error", "boom", "Error: boom\n    at click (/tmp/build-81723/src/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/tmp/build-81723/src/menu.js:2:14)"],
    ),
    (
        "layers of containers",
        ONE,
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/var/lib/docker/overlay2/0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9/merged/srv/main.js:2:14)",
        ],
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/var/lib/docker/overlay2/ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100/merged/srv/main.js:2:14)",
        ],
    ),
    (
        "revisions of snaps",
        ONE,
        ["Error", "boom", "Error: boom\n    at click (/snap/shop/41/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/snap/shop/102/main.js:2:14)"],
    ),
    (
        "store paths of Nix",
        ONE,
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/nix/store/0123456789abcdfghijklmnpqrsvwxyz-shop/lib/main.js:2:14)",
        ],
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/nix/store/zyxwvsrqpnmlkjihgfdcba9876543210-shop/lib/main.js:2:14)",
        ],
    ),
    (
        "directories of versions on Windows",
        ONE,
        [
            "Error",
            "boom",
            "Error: boom\n    at click (C:\\Users\\ada\\AppData\\Local\\shop\\app-1.2.3\\main.js:2:14)",
        ],
        [
            "Error",
            "boom",
            "Error: boom\n    at click (C:\\Users\\ada\\AppData\\Local\\shop\\app-1.3.0\\main.js:2:14)",
        ],
    ),
    (
        "other functions' files below a home",
        TWO,
        ["Error", "boom", "Error: boom\n    at click (/home/ada/shop/cart/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/home/ada/shop/login/main.js:2:14)"],
    ),
    (
        "homes in messages",
        ONE,
        ["E", "cannot open /home/ada/.config/shop.json: denied", ""],
        ["E", "cannot open /home/grace/.config/shop.json: denied", ""],
    ),
    (
        "files in messages",
        TWO,
        ["E", "cannot open /home/ada/.config/shop.json: denied", ""],
        ["E", "cannot open /home/ada/.config/cart.json: denied", ""],
    ),
    (
        "routes that are named like a home",
        TWO,
        ["E", "GET /home/cart/items failed with 500", ""],
        ["E", "GET /home/login/items failed with 500", ""],
    ),
    (
        "temporary directories in messages",
        ONE,
        ["E", "no space in /tmp/upload-81723/part", ""],
        ["E", "no space in /tmp/upload-17/part", ""],
    ),
    (
        "pages of an application for phones",
        TWO,
        ["Error", "boom", "Error: boom\n    at click (capacitor://localhost/home/cart/index.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (capacitor://localhost/home/orders/index.js:2:14)"],
    ),
    (
        "pages of a packed application",
        TWO,
        ["Error", "boom", "Error: boom\n    at click (app:///home/cart/index.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (app:///home/orders/index.js:2:14)"],
    ),
    (
        "directories named folders",
        TWO,
        ["Error", "boom", "Error: boom\n    at click (/home/ada/app/src/folders/shared/edit/index.js:2:14)"],
        [
            "Error",
            "boom",
            "Error: boom\n    at click (/home/ada/app/src/folders/shared/delete/index.js:2:14)",
        ],
    ),
    (
        "directories named snap",
        TWO,
        ["Error", "boom", "Error: boom\n    at click (/home/ada/app/src/snap/grid/x/index.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/home/ada/app/src/snap/grid/xx/index.js:2:14)"],
    ),
    (
        "directories named users",
        TWO,
        ["Error", "boom", "Error: boom\n    at click (C:\\shop\\a\\Users\\edit\\index.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (C:\\shop\\a\\Users\\delete\\index.js:2:14)"],
    ),
    (
        "people on Windows in addresses of files",
        ONE,
        ["Error", "boom", "Error: boom\n    at click (file:///C:/Users/ada/shop/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (file:///C:/Users/grace/shop/main.js:2:14)"],
    ),
    (
        "directories of the system under two names",
        ONE,
        ["Error", "boom", "Error: boom\n    at click (/private/var/folders/ab/c1d2e3/T/shop/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/var/folders/xy/z9w8v7/T/shop/main.js:2:14)"],
    ),
    (
        "directories that people named below a temporary one",
        TWO,
        ["Error", "boom", "Error: boom\n    at click (/tmp/orders/export.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/tmp/users/export.js:2:14)"],
    ),
    (
        "views that are named like a home",
        TWO,
        ["E", "No view for /home/cart/edit", ""],
        ["E", "No view for /home/orders/edit", ""],
    ),
    (
        "files that people named in a temporary directory",
        TWO,
        ["E", "cannot write /tmp/orders/export.csv", ""],
        ["E", "cannot write /tmp/users/export.csv", ""],
    ),
    (
        "homes on Windows in messages",
        ONE,
        ["E", "C:\\Users\\ada\\shop.json (The system cannot find the file specified)", ""],
        ["E", "C:\\Users\\grace\\shop.json (The system cannot find the file specified)", ""],
    ),
    (
        "files on Windows in messages",
        TWO,
        ["E", "C:\\Users\\ada\\shop.json is locked", ""],
        ["E", "C:\\Users\\ada\\cart.json is locked", ""],
    ),
    (
        "people on Windows in its own Linux",
        ONE,
        ["Error", "boom", "Error: boom\n    at click (/mnt/c/Users/ada/shop/main.js:2:14)"],
        ["Error", "boom", "Error: boom\n    at click (/mnt/c/Users/grace/shop/main.js:2:14)"],
    ),
];
