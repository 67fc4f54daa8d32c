use std::borrow::Cow;

use super::super::file_name::normalise;
use super::Numbers;

#[track_caller]
fn assert_same(name: &str, files: &[&str]) {
    for file in files {
        assert_eq!(normalise(file), name, "{file}");
    }
}

#[track_caller]
fn assert_unchanged(files: &[&str]) {
    for file in files {
        assert!(matches!(normalise(file), Cow::Borrowed(name) if name == *file), "{file}");
    }
}

#[test]
fn hosts_ports_queries_and_fragments_do_not_count() {
    assert_same(
        "/assets/app.js",
        &[
            "https://shop.example/assets/app.js",
            "http://localhost:5173/assets/app.js?t=1700000000#x",
            "https://cdn-7.example/assets/app.js?v=1.2.3",
            "app:///assets/app.js",
            "file:///assets/app.js",
        ],
    );
    assert_same("/", &["https://shop.example", "https://shop.example/?q=1"]);
    assert_same("src/App.vue", &["webpack-internal:///./src/App.vue?vue&type=script", "./src/App.vue"]);
    assert_same("src/x.js", &["webpack://shop/./src/x.js", "webpack:///src/x.js?1a2b"]);
}

#[test]
fn hashes_of_every_bundler_do_not_count() {
    assert_same(
        "/js/app.js",
        &[
            "/js/app-3f9a8c1b.js",
            "/js/app.4f8d2c1a9b7e6f50.js",
            "/js/app.4f8d2c1a9b.min.js",
            "/js/app.min.4f8d2c1a9b.js",
            "/js/app-BxY12Abc.js",
            "/js/app-C-8sdf2q.js",
            "/js/app-Dk_T3v9a.js",
            "/js/app-ABCDEFGH.js",
            "/js/app-K5TXQ2ZB.js",
            "/js/app.BxY12Abc.js",
            "/js/app-1a2b3c4.js",
            "/js/app.min.js",
            "/js/app_17000000001.js",
            "/js/app-d41d8cd98f00b204e9800998ecf8427e.js",
        ],
    );
    assert_same("main.chunk.js", &["main.4f8d2c1a9b.chunk.js", "main.chunk.js"]);
    assert_same("chunk.js", &["chunk-ABCDEFGH.js", "chunk-QRSTUVWX.js"]);
    assert_same("app-legacy.js", &["app-legacy-BxY12Abc.js", "app-legacy.3f9a8c1b.js"]);
    assert_same("<hash>.js", &["4f8d2c1a9b.js", "4bd1b696-9a8b7c6d5e4f3a2b.js"]);
    assert_same("/_nuxt/<hash>.js", &["/_nuxt/BxY12Abc.js", "/_nuxt/K3dj_x-9.js"]);
    assert_same("/_next/static/<build>/x.js", &["/_next/static/Xk3jd9fKs02mD-1kdo3Aq/x.js"]);
    assert_same("/_next/static/chunks/main.js", &["/_next/static/chunks/main-0a1b2c3d4e5f.js"]);
}

#[test]
fn names_that_people_chose_are_kept() {
    assert_unchanged(&[
        "src/cart.ts",
        "src/components/UserCard.tsx",
        "user-settings.js",
        "user-profile.js",
        "checkout-validate.js",
        "User-Settings.js",
        "app-UserCard.js",
        "app-HTMLView.js",
        "page-section3.js",
        "page-2columns.js",
        "x-pay-form.js",
        "my-v2-setup.js",
        "my-b2b-form.js",
        "App-Pay-Form.js",
        "report-20240101.js",
        "sign-ed25519.js",
        "facade.js",
        "my-deadbeef.js",
        "assets/UserCard.js",
        "chunks/settings.js",
        "es2015.js",
        "i18nText.js",
        "jquery-3.js",
        "4021.js",
        "md5-sha256-base64.js",
        "app/versions/1a2b3c4d5e6f_add_users.py",
        "migrations/20240101120000_create_users.rb",
        "node:internal/modules/cjs/loader",
        "com/shop/Cart.java",
        "[id].tsx",
        "src/c#/x.js",
        "C:\\app\\Cart.js",
        "../src/x.ts",
    ]);
}

#[test]
fn build_and_version_directories_do_not_count() {
    assert_same("/srv/releases/<num>/app.rb", &["/srv/releases/20240101120000/app.rb"]);
    assert_same("/r/<version>/app.js", &["/r/1.4.2/app.js", "/r/v1.4.3-rc.1/app.js", "/r/v123/app.js"]);
    assert_same(
        "/b/<hash>/app.js",
        &["/b/3f9a8c1b/app.js", "/b/0a1b2c3d-0000-4000-8000-0123456789ab/app.js"],
    );
    assert_same("/npm/vue@<version>/dist/vue.js", &["https://cdn.example/npm/vue@3.4.1/dist/vue.js"]);
    assert_same("/orders/<num>", &["https://shop.example/orders/1234567"]);
    assert_unchanged(&["api/v1/x.ts", "api/v2/x.ts", "steps/1/x.ts", "vue@next/x.js"]);
}

#[test]
fn addresses_without_a_file_have_short_names() {
    assert_same("", &["<anonymous>", "[native code]", "", " "]);
    assert_same("blob:", &["blob:https://x.example/0a1b2c3d-0000-4000-8000-0123456789ab"]);
    assert_same("data:", &["data:text/javascript,"]);
    assert_same("wasm:", &["wasm://wasm/0145fffe"]);
    assert_same(
        "moz-extension://<hash>/a.js",
        &["moz-extension://0a1b2c3d-0000-4000-8000-0123456789ab/a.js"],
    );
}

/// The number of random hashes that may pass for words, of 20,000 each.
#[test]
fn random_hashes_are_nearly_always_found() {
    let base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (base62, base32) = (&base64[..62], "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
    let hex = "0123456789abcdef";
    let mut numbers = Numbers::new();
    for (alphabet, length, most) in
        [(base64, 8, 400), (hex, 8, 30), (hex, 20, 0), (base32, 8, 0), (base62, 21, 400)]
    {
        let mut missed = 0;
        for _ in 0..20_000 {
            let hash = numbers.text(alphabet, length);
            missed += usize::from(normalise(&format!("/js/index-{hash}.js")) != "/js/index.js");
        }
        assert!(missed <= most, "{missed} of {length} from {alphabet}");
    }
}

#[test]
fn normalising_twice_changes_nothing() {
    let mut numbers = Numbers::new();
    for _ in 0..50_000 {
        let length = 1 + numbers.below(40);
        let file = format!("{}.js", numbers.text("aB3f9-_./:?#@vmin<>\\", length));
        let once = normalise(&file).into_owned();
        let again = normalise(&once).into_owned();
        assert_eq!(normalise(&again), again, "{file}");
    }
}
