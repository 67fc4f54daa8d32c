use super::*;
use crate::ids::{ReleaseId, SourceMapId};
use std::sync::OnceLock;

fn release(prefix: &str, urls: &[&str]) -> ReleaseMaps {
    let maps = urls.iter().zip(1..).map(|(url, id)| ((*url).to_owned(), (SourceMapId(id), [0; 32])));
    ReleaseMaps {
        id: ReleaseId(1),
        url_prefix: prefix.into(),
        uploads: 0,
        maps: maps.collect(),
        decoded: OnceLock::new(),
    }
}

fn near(prefix: &str, path: &str, release: &str) -> Nearest {
    let url = format!("{prefix}{path}");
    Nearest { url, release: release.into(), url_prefix: prefix.into(), why: String::new() }
}

const ADDRESS: &str = "https://shop.example/static/js/app.js?v=1";

#[test]
fn a_missing_url_needs_an_upload_under_the_prefix_that_a_nearest_map_shows() {
    let known = release("~/", &["~/js/app.js"]);
    let command = |near: &[Nearest]| command(Rule::Url, Some("1.0"), Some(&known), ADDRESS, near).unwrap();
    let upload = "mayday sourcemaps upload --release 1.0";
    assert_eq!(
        command(&[near("~/", "js/app.js", "1.0")]),
        format!("{upload} --url-prefix '~/static/' dist/")
    );
    assert_eq!(
        command(&[near("~/", "js/app2.js", "1.0")]),
        format!("{upload} --url-prefix '~/static/' dist/")
    );
    assert_eq!(
        command(&[near("~/", "js/app.js", "0.9")]),
        format!("{upload} --url-prefix '~/static/' dist/")
    );
    let second = [near("~/", "other/app.js", "1.0"), near("~/x/", "js/app.js", "0.9")];
    assert_eq!(command(&second), format!("{upload} --url-prefix '~/static/' dist/"));
    // At the top of a build, the names decide.
    let top = [near("~/old/", "app.js", "0.9")];
    assert_eq!(command(&top), format!("{upload} --url-prefix '~/static/js/' dist/"));
    for unlike in ["other/app.js", "worker.js"] {
        assert_eq!(command(&[near("~/", unlike, "1.0")]), format!("{upload} dist/"), "{unlike}");
    }
    assert_eq!(looked_for(Rule::Url, Some("1.0"), Some(&known), ADDRESS).unwrap(), "~/static/js/app.js");
}

#[test]
fn without_a_nearest_map_an_upload_uses_the_releases_prefix() {
    for (prefix, words) in [
        ("~/", ""),
        ("~/static/", " --url-prefix '~/static/'"),
        ("https://shop.example/", " --url-prefix https://shop.example/"),
    ] {
        let known = release(prefix, &[]);
        assert_eq!(
            command(Rule::Url, Some("1.0"), Some(&known), ADDRESS, &[]).unwrap(),
            format!("mayday sourcemaps upload --release 1.0{words} dist/")
        );
    }
}

#[test]
fn a_release_with_another_prefix_is_recreated_if_that_helps() {
    let command = |release: &ReleaseMaps, address, near: &[Nearest]| {
        command(Rule::Prefix, Some("1.0"), Some(release), address, near)
    };
    let anew = "mayday releases delete 1.0 && mayday sourcemaps upload --release 1.0";
    let empty = release("~/assets/", &[]);
    assert_eq!(command(&empty, ADDRESS, &[]).unwrap(), format!("{anew} dist/"));
    let full = release("~/assets/", &["~/assets/js/app.js", "~/assets/main.js"]);
    let proof = [near("~/assets/", "js/app.js", "1.0")];
    assert_eq!(command(&full, ADDRESS, &proof).unwrap(), format!("{anew} --url-prefix '~/static/' dist/"));
    // Nothing shows where it belongs, so nothing is deleted.
    let check = "mayday releases check --release 1.0 dist/";
    assert_eq!(command(&full, ADDRESS, &[near("~/assets/", "main.js", "1.0")]).unwrap(), check);
}

#[test]
fn a_bare_address_never_deletes_source_maps_that_others_need() {
    let known = release("~/", &["~/assets/index.js"]);
    let command =
        |address, path| command(Rule::Prefix, Some("1.0"), Some(&known), address, &[near("~/", path, "1.0")]);
    assert_eq!(command("index.js", "assets/index.js"), None);
    assert_eq!(command("src/assets/index.js", "assets/index.js"), None, "`src/` is no prefix");
    let anew = "mayday releases delete 1.0 && mayday sourcemaps upload --release 1.0 --url-prefix '' dist/";
    assert_eq!(command("assets/index.js", "assets/index.js").unwrap(), anew);
    assert_eq!(command("index.js", "index.js").unwrap(), anew);
}

#[test]
fn an_unknown_release_needs_an_upload_and_no_release_has_no_command() {
    let command = |version, address, near: &[Nearest]| command(Rule::Release, version, None, address, near);
    let upload = "mayday sourcemaps upload --release 1.0";
    // Only the build knows where it is served.
    assert_eq!(command(Some("1.0"), ADDRESS, &[]).unwrap(), format!("{upload} dist/"));
    assert_eq!(command(None, ADDRESS, &[]), None);
    assert_eq!(command(Some("1.0"), "index.js", &[]).unwrap(), format!("{upload} --url-prefix '' dist/"));
    // The same build was uploaded before: its path shows whether `static/` is one of its directories, or where it is
    // served.
    for (near, words) in [
        (near("~/", "static/js/app.js", "0.9"), ""),
        (near("~/static/", "js/app.js", "0.9"), " --url-prefix '~/static/'"),
        (near("~/old/", "js/app.js", "0.9"), " --url-prefix '~/static/'"),
    ] {
        assert_eq!(command(Some("1.0"), ADDRESS, &[near]).unwrap(), format!("{upload}{words} dist/"));
    }
}

#[test]
fn names_from_clients_are_quoted_for_the_shell() {
    let command = |version| command(Rule::Release, Some(version), None, ADDRESS, &[]);
    assert_eq!(
        command("$(reboot)'; x").unwrap(),
        "mayday sourcemaps upload --release '$(reboot)'\\''; x' dist/"
    );
    assert_eq!(command("a\nrm"), None);
}

#[test]
fn a_path_on_one_device_needs_debug_ids() {
    let known = release("~/", &["~/main.jsbundle"]);
    for address in [
        "file:///var/containers/Bundle/Application/0A1B2C3D-0000-4000-8000-0123456789AB/Shop.app/main.jsbundle",
        "C:\\Users\\ada\\AppData\\Local\\Programs\\shop\\resources\\app.asar\\build\\main.js",
        "/home/ada/shop/dist/main.js",
    ] {
        for rule in [Rule::Release, Rule::Prefix, Rule::Url] {
            let command =
                command(rule, Some("1.0"), Some(&known), address, &[near("~/", "main.jsbundle", "1.0")]);
            let expected = "mayday sourcemaps inject dist/ && mayday sourcemaps upload --release 1.0 dist/";
            assert_eq!(command.as_deref(), Some(expected), "{address}");
        }
    }
    let server = command(Rule::Url, Some("1.0"), Some(&known), "/srv/shop/main.js", &[]);
    assert_eq!(server.as_deref(), Some("mayday sourcemaps upload --release 1.0 dist/"));
}
