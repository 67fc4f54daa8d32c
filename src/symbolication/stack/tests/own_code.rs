use super::*;

#[track_caller]
fn assert_own(expected: bool, files: &[&str]) {
    for file in files {
        assert_eq!(in_app(Some(file), None), expected, "{file:?}");
    }
}

#[test]
fn packages_and_runtimes_of_javascript_are_foreign() {
    assert_own(
        false,
        &[
            "/srv/app/node_modules/express/lib/router.js",
            "C:\\app\\node_modules\\express\\index.js",
            "webpack://shop/./node_modules/react/index.js",
            "node:fs",
            "internal/modules/cjs/loader.js",
            "native array.js",
            "<anonymous>",
            "webpack://shop/webpack/bootstrap",
            "webpack:///webpack/bootstrap 1a2b3c",
            "webpack/runtime/chunk loading",
            "webpack:///(webpack)/buildin/module.js",
            "vite/preload-helper.js",
            "../../vite/preload-helper.js",
            "\0vite/preload-helper.js",
            "../\0vite/preload-helper.js",
            "http://localhost:5173/@vite/client",
            "chrome-extension://a/b.js",
            "moz-extension://a/b.js",
            "safari-extension://a/b.js",
            "safari-web-extension://a/b.js",
        ],
    );
}

#[test]
fn folders_of_the_application_with_such_names_are_its_own() {
    assert_own(
        true,
        &[
            "src/cart.ts",
            "src/internal/cart.ts",
            "src/webpack/bootstrap.ts",
            "https://x.example/vite/assets/app.js",
            "https://x.example/webpack/runtime/app.js",
            "src/gems/index.js",
            "app/models/gems/ruby.rb",
            "/srv/lib/pythonic/x.py",
            "/srv/app/x.go",
            "/home/me/go/src/github.com/me/app/x.go",
            "src/main.rs",
            "https://x.example/node_modules.js",
        ],
    );
}

#[test]
fn libraries_of_servers_are_foreign() {
    assert_own(
        false,
        &[
            "/usr/lib/python3.12/asyncio/base.py",
            "C:\\Python312\\Lib\\asyncio\\base.py",
            "/venv/lib/python3.12/site-packages/x.py",
            "<frozen importlib._bootstrap>",
            "/usr/local/bundle/gems/rack-3.0.8/lib/rack.rb",
            "/srv/vendor/bundle/x.rb",
            "/usr/lib/ruby/3.3.0/net/http.rb",
            "/root/go/pkg/mod/x@v1/y.go",
            "/srv/app/vendor/github.com/x/y.go",
            "/rustc/5980/library/core/src/option.rs",
            "/root/.cargo/registry/src/index.crates.io-1/serde-1.0.0/src/lib.rs",
        ],
    );
}

#[test]
fn functions_decide_where_the_file_does_not() {
    assert!(!in_app(Some("ArrayList.java"), Some("java.base/java.util.ArrayList.forEach")));
    assert!(in_app(Some("Cart.java"), Some("com.shop.Cart.total")));
    assert!(in_app(Some("sun.js"), Some("sun.rise")));
    assert!(!in_app(Some("runtime/panic.go"), Some("runtime.gopanic")));
    assert!(!in_app(Some("/opt/go/src/net/http/server.go"), Some("net/http.(*conn).serve")));
    assert!(in_app(Some("/srv/x.go"), Some("net.example/shop/http.Serve")));
    assert!(!in_app(None, Some("std::rt::lang_start")));
    assert!(in_app(None, Some("shop::main")));
    assert!(in_app(None, None));
}

#[test]
fn frameworks_are_foreign_behind_any_class_loader() {
    for function in [
        "app//org.springframework.web.servlet.DispatcherServlet.doDispatch",
        "org.hibernate.internal.SessionImpl.flush",
        "java.base@17.0.2/java.util.stream.ReferencePipeline$$Lambda$14/0x0000000800066840.accept",
        "io.netty.channel.AbstractChannel.write",
        "reactor.core.publisher.Mono.block",
    ] {
        assert!(!in_app(Some("X.java"), Some(function)), "{function}");
        assert!(!in_app(None, Some(function)), "{function}");
    }
    for function in ["app//com.acme.X.run", "com.acme.org.apache.X.run", "com.acme.X$$Lambda$14/0x08.run"] {
        assert!(in_app(Some("X.java"), Some(function)), "{function}");
        assert!(in_app(None, Some(function)), "{function}");
    }
    assert!(!in_app(Some("Assert.cs"), Some("System.Linq.Enumerable.First")));
    assert!(!in_app(None, Some("Microsoft.AspNetCore.Mvc.X.Run")));
    assert!(in_app(Some("/srv/Cart.cs"), Some("Systematic.Cart.Total")));
    assert!(!in_app(None, Some("<tokio::runtime::Runtime>::block_on")));
    assert!(in_app(None, Some("tokio_shop::main")));
}

#[test]
fn frameworks_are_foreign_by_their_folders() {
    assert_own(
        false,
        &[
            "/var/task/django/core/handlers/exception.py",
            "flask/app.py",
            "/usr/lib/python3/dist-packages/requests/api.py",
            "/opt/ruby/3.2.0/lib/set.rb",
            "/srv/vendor/gems/rack/rack.rb",
            "/usr/local/bundle/bin/puma",
            "/srv/app/vendor/symfony/http-kernel/HttpKernel.php",
            "phar:///usr/bin/composer/x.php",
            "/srv/wp-includes/plugin.php",
            "github.com/gin-gonic/gin@v1.9.1/context.go",
            "/srv/.build/checkouts/swift-nio/Sources/NIO/Channel.swift",
            "ext:core/01_core.js",
        ],
    );
    assert_own(
        true,
        &[
            "/srv/django/shop/views.py",
            "/srv/flask/app.py",
            "/srv/shop/requests.py",
            "/srv/app/src/Vendor.php",
            "/srv/Sources/Cart.swift",
            "/srv/app/models/ruby/x.rb",
        ],
    );
}
