//! Frameworks, libraries and run-times, recognized by names that are the same in every installation.

use super::paths::{extension, segments};

/// Whether a frame belongs to one of them. Standard libraries and package directories that version 1 of the
/// fingerprint knew are in [`super::in_app_of_version_1`].
pub(super) fn is_one(file: Option<&str>, function: Option<&str>) -> bool {
    let function = function.unwrap_or_default();
    let file = file.unwrap_or_default();
    let path = file.split('?').next().unwrap_or(file);
    if is_of_runtime(path) {
        return true;
    }
    match extension(path) {
        "java" | "kt" | "kts" | "scala" | "groovy" | "clj" => of_jvm(function),
        "cs" | "vb" | "fs" => of_dotnet(function) || is_package_folder(path),
        "py" | "pyx" => of_python(path),
        "rb" | "erb" | "rake" | "ru" => of_ruby(path),
        "php" | "phtml" | "inc" => of_php(path),
        "go" | "s" => of_go(path),
        "rs" => of_rust(function),
        "swift" => is_package_folder(path),
        // `SourceFile` and the like replace names that were stripped; programs have no extension.
        "" if !path.contains(['/', '\\']) => of_jvm(function) || of_dotnet(function) || of_rust(function),
        "" => of_ruby(path),
        "dart" => of_dart(path),
        "ex" | "exs" | "erl" => of_elixir(path),
        "pm" | "pl" => of_perl(path),
        "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "m" | "mm" => of_native(path),
        _ => false,
    }
}

/// Classes of the JVM's libraries. A class loader (`app//`) or a module (`java.base@17/`) may stand in
/// front, and behind the name of a hidden class its number (`$$Lambda$14/0x0800`).
fn of_jvm(function: &str) -> bool {
    const STARTS: [&str; 76] = [
        "akka.",
        "android.",
        "androidx.",
        "brave.",
        "cats.effect.",
        "ch.qos.logback.",
        "clojure.",
        "com.amazonaws.",
        "com.android.",
        "com.datastax.",
        "com.fasterxml.",
        "com.google.android.",
        "com.google.common.",
        "com.google.firebase.",
        "com.google.gson.",
        "com.google.inject.",
        "com.google.protobuf.",
        "com.mongodb.",
        "com.mysql.",
        "com.netflix.",
        "com.squareup.",
        "com.sun.",
        "com.zaxxer.",
        "feign.",
        "freemarker.",
        "groovy.",
        "io.grpc.",
        "io.javalin.",
        "io.ktor.",
        "io.lettuce.",
        "io.micrometer.",
        "io.micronaut.",
        "io.netty.",
        "io.opentelemetry.",
        "io.quarkus.",
        "io.reactivex.",
        "io.undertow.",
        "io.vertx.",
        "jakarta.",
        "java.",
        "javax.",
        "jdk.",
        "junit.",
        "kotlin.",
        "kotlinx.",
        "liquibase.",
        "net.bytebuddy.",
        "net.sf.cglib.",
        "okhttp3.",
        "okio.",
        "oracle.",
        "org.apache.",
        "org.aspectj.",
        "org.codehaus.",
        "org.eclipse.",
        "org.flywaydb.",
        "org.glassfish.",
        "org.gradle.",
        "org.hibernate.",
        "org.jboss.",
        "org.jetbrains.",
        "org.jooq.",
        "org.junit.",
        "org.mockito.",
        "org.mybatis.",
        "org.postgresql.",
        "org.slf4j.",
        "org.springframework.",
        "org.testng.",
        "play.api.",
        "play.core.",
        "reactor.",
        "retrofit2.",
        "scala.",
        "software.amazon.",
        "sun.",
    ];
    let class = &function[..function.find("$$Lambda").unwrap_or(function.len())];
    let start = class.rfind('/').map_or(0, |slash| slash + 1);
    is_within(&STARTS, &class[start..]) || is_within(&["rx.", "zio.", "org.thymeleaf."], &class[start..])
}

fn is_within(names: &[&str], name: &str) -> bool {
    names.iter().any(|start| name.starts_with(start))
}

fn of_dotnet(function: &str) -> bool {
    const STARTS: [&str; 28] = [
        "Autofac.",
        "AutoMapper.",
        "Azure.",
        "Castle.",
        "Dapper.",
        "FluentValidation.",
        "Grpc.",
        "Hangfire.",
        "MassTransit.",
        "MediatR.",
        "Microsoft.",
        "Mono.",
        "MongoDB.",
        "MySql.",
        "MySqlConnector.",
        "NLog.",
        "NUnit.",
        "Newtonsoft.",
        "Npgsql.",
        "Polly.",
        "Quartz.",
        "Serilog.",
        "StackExchange.",
        "Swashbuckle.",
        "System.",
        "UnityEditor.",
        "UnityEngine.",
        "Xunit.",
    ];
    is_within(&STARTS, function)
}

/// Packages that lie beside the application's own code, as in cloud functions: recognized by their path from
/// the root, or by an unmistakable directory.
fn of_python(path: &str) -> bool {
    const PACKAGES: [&str; 22] = [
        "aiohttp",
        "asyncio",
        "boto3",
        "botocore",
        "celery",
        "click",
        "django",
        "fastapi",
        "flask",
        "gunicorn",
        "jinja2",
        "kombu",
        "numpy",
        "pandas",
        "pydantic",
        "requests",
        "rest_framework",
        "sqlalchemy",
        "starlette",
        "urllib3",
        "uvicorn",
        "werkzeug",
    ];
    const OF_DJANGO: [&str; 10] =
        ["contrib", "core", "db", "forms", "http", "middleware", "template", "urls", "utils", "views"];
    let mut parts = segments(path);
    let first = parts.next().unwrap_or_default();
    if PACKAGES.contains(&first) && parts.next().is_some() {
        return true;
    }
    let mut before = ["", ""];
    for segment in segments(path) {
        let own = before[0] == "django" && OF_DJANGO.contains(&before[1]);
        if own || matches!(before[1], "werkzeug" | "starlette" | "gunicorn" | "uvicorn" | "sqlalchemy") {
            return true;
        }
        before = [before[1], segment];
    }
    false
}

/// Ruby's standard library wherever it is installed, its programs, and gems stored with the application.
fn of_ruby(path: &str) -> bool {
    let mut previous = "";
    for segment in segments(path) {
        let digit = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
        let gem = previous == "gems" && segment.contains(|next: char| next.is_ascii_digit());
        if gem
            || (previous == "ruby" && digit(segment))
            || matches!(
                (previous, segment),
                ("vendor", "gems" | "bundle") | ("lib", "ruby") | ("bundler", "gems")
            )
        {
            return true;
        }
        previous = segment;
    }
    ["/usr/local/bin/", "/usr/bin/", "/usr/local/bundle/bin/"].iter().any(|start| path.starts_with(start))
}

fn of_php(path: &str) -> bool {
    let folder = |name: &str| matches!(name, "vendor" | "wp-includes" | "wp-admin" | "pear");
    path.starts_with("phar:") || segments(path).any(folder)
}

/// Modules as named by builds with `-trimpath`: `github.com/a/b@v1.2.3/c.go`.
fn of_go(path: &str) -> bool {
    segments(path).any(|segment| {
        segment.split_once("@v").is_some_and(|(_, version)| version.starts_with(|v: char| v.is_ascii_digit()))
    })
}

/// The crates that frames without a file most often belong to.
fn of_rust(function: &str) -> bool {
    const CRATES: [&str; 22] = [
        "actix_http",
        "actix_rt",
        "actix_server",
        "actix_web",
        "anyhow",
        "async_std",
        "axum",
        "backtrace",
        "color_eyre",
        "crossbeam",
        "eyre",
        "futures",
        "futures_core",
        "futures_util",
        "hyper",
        "mio",
        "panic_unwind",
        "rayon_core",
        "reqwest",
        "rocket",
        "tokio",
        "tower",
    ];
    let name = function.trim_start_matches(['<', '&']);
    let name = name.split_once("::").map_or("", |(name, _)| name);
    CRATES.contains(&name.split('[').next().unwrap_or(name))
}

/// Packages and toolchain sources of Swift and .NET.
fn is_package_folder(path: &str) -> bool {
    let mut previous = "";
    for segment in segments(path) {
        let pair = matches!(
            (previous, segment),
            (".build" | "SourcePackages", "checkouts") | ("swift", "stdlib") | (".nuget", "packages")
        );
        if pair || matches!(segment, "Pods" | "Carthage") {
            return true;
        }
        previous = segment;
    }
    path.starts_with("/_/src/")
}

/// Modules of Deno, Bun and Dart, beside Node's, and what Hermes itself is written in.
fn is_of_runtime(path: &str) -> bool {
    const STARTS: [&str; 8] = [
        "ext:",
        "deno:",
        "bun:",
        "internal:",
        "dart:",
        "org-dartlang-sdk:",
        "https://deno.land/std",
        "https://jsr.io/@std/",
    ];
    is_within(&STARTS, path) || path.ends_with("InternalBytecode.js")
}

/// Packages of Dart, by the name that follows `package:`, or in the cache that they are fetched to.
fn of_dart(path: &str) -> bool {
    const PACKAGES: [&str; 60] = [
        "args",
        "async",
        "auto_route",
        "bloc",
        "cached_network_image",
        "chopper",
        "cloud_firestore",
        "collection",
        "dart_frog",
        "dartz",
        "dio",
        "drift",
        "easy_localization",
        "equatable",
        "firebase_auth",
        "firebase_core",
        "flame",
        "flutter",
        "flutter_bloc",
        "flutter_cache_manager",
        "flutter_hooks",
        "flutter_localizations",
        "flutter_riverpod",
        "flutter_test",
        "flutter_web_plugins",
        "fpdart",
        "get",
        "get_it",
        "go_router",
        "graphql",
        "grpc",
        "hive",
        "hooks_riverpod",
        "http",
        "hydrated_bloc",
        "isar",
        "json_annotation",
        "logger",
        "logging",
        "mobx",
        "mockito",
        "mocktail",
        "path_provider",
        "postgres",
        "protobuf",
        "provider",
        "retrofit",
        "riverpod",
        "rxdart",
        "sentry",
        "sentry_flutter",
        "shared_preferences",
        "shelf",
        "shelf_router",
        "sqflite",
        "stack_trace",
        "stream_channel",
        "test",
        "test_api",
        "web_socket_channel",
    ];
    // On the web: `packages/flutter/src/…`.
    let package = path.strip_prefix("package:").or_else(|| path.strip_prefix("packages/"));
    let package = package.and_then(|rest| rest.split('/').next());
    package.is_some_and(|name| PACKAGES.binary_search(&name).is_ok())
        || segments(path).any(|segment| matches!(segment, ".pub-cache" | "hosted" | "dart-sdk"))
}

/// Dependencies of Elixir and Erlang, which lie beside the application, and their own libraries.
fn of_elixir(path: &str) -> bool {
    let mut previous = "";
    for segment in segments(path) {
        if segment == "deps" || (previous == "lib" && matches!(segment, "elixir" | "erlang")) {
            return true;
        }
        previous = segment;
    }
    false
}

/// Perl's own library, and what was installed beside it.
fn of_perl(path: &str) -> bool {
    const STARTS: [&str; 4] = ["/usr/share/", "/usr/lib/", "/usr/local/lib/", "/usr/local/share/"];
    is_within(&STARTS, path)
        || segments(path).any(|segment| {
            matches!(
                segment,
                "perl5" | "site_perl" | "vendor_perl" | "local-lib" | "Strawberry" | "strawberry"
            )
        })
}

/// Headers and sources of the system and of the compiler.
fn of_native(path: &str) -> bool {
    const STARTS: [&str; 6] =
        ["/usr/include/", "/usr/lib/", "/usr/src/", "/build/glibc", "../sysdeps/", "./nptl/"];
    is_within(&STARTS, path)
        || segments(path).any(|segment| matches!(segment, "sysdeps" | "libstdc++-v3" | "vctools"))
}
