use super::*;

#[test]
fn clone_addresses_are_accepted_unchanged() {
    for address in [
        "https://github.com/acme/shop",
        "https://git.example:8443/acme/shop.git",
        "HTTPS://github.com/acme/shop",
        "ssh://git@github.com/acme/shop.git",
        "ssh://git@[::1]:2222/acme/shop.git",
        "git@github.com:acme/shop.git",
        "github.com:acme/shop.git",
    ] {
        assert_eq!(check_address("hostUrl", address, false).unwrap(), address);
    }
    for address in ["file:///srv/git/shop.git", "http://gitea.local/acme/shop.git"] {
        assert_eq!(check_address("hostUrl", address, true).unwrap(), address);
        let refused = check_address("hostUrl", address, false).unwrap_err().to_string();
        assert!(refused.contains("SERVICE_REPOSITORIES_ALLOW_LOCAL"), "{refused}");
    }
}

#[test]
fn addresses_that_git_would_execute_or_take_as_options_are_refused() {
    for address in [
        "",
        "shop",
        "/srv/git/shop.git",
        "../shop",
        "ext::sh -c id",
        "ext::sh",
        "fd::17",
        "transport::https://github.com/acme/shop",
        "--upload-pack=id",
        "-oProxyCommand=id",
        "ssh://-oProxyCommand=id/shop",
        "ssh://-x@host/shop",
        "-x@host:shop",
        "git@-host:shop",
        "git@host:-x",
        "git@host:",
        "c:/shop",
        "ftp://host/shop",
        "git://host/shop",
        "javascript:alert(1)",
        "https://",
        "https://host",
        "https://host/",
        "https://host /shop",
        "https://host/shop\nid",
        "https://host/shop\0",
        "file://host/shop",
        "file:///",
    ] {
        let refused = check_address("hostUrl", address, true);
        assert!(refused.is_err(), "{address}");
        assert!(refused.unwrap_err().to_string().starts_with("hostUrl: "), "{address}");
    }
    assert!(check_address("hostUrl", &format!("https://host/{}", "x".repeat(2_048)), false).is_err());
}

#[test]
fn credentials_stay_on_the_runner() {
    for address in ["https://user:secret@host/shop", "https://token@host/shop", "ssh://git:secret@host/shop"]
    {
        let refused = check_address("hostUrl", address, false).unwrap_err().to_string();
        assert!(refused.contains("credentials") && !refused.contains("secret@"), "{refused}");
    }
}

#[test]
fn branches_are_named_as_git_names_them() {
    for branch in ["main", "release/1.0", "feature-x", "é", "a.b", "@x"] {
        assert!(check_branch("defaultBranch", branch).is_ok(), "{branch}");
    }
    for branch in [
        "",
        "-x",
        "--upload-pack=id",
        "a..b",
        "a b",
        "a~1",
        "a^",
        "a:b",
        "a?",
        "a*",
        "a[",
        "a\\b",
        "/a",
        "a/",
        "a//b",
        ".a",
        "a/.b",
        "a.lock",
        "a.",
        "@",
        "a@{1}",
        "a\n",
        "a\0b",
    ] {
        assert!(check_branch("defaultBranch", branch).is_err(), "{branch:?}");
    }
    assert!(check_branch("defaultBranch", &"x".repeat(256)).is_err());
}

#[test]
fn a_pull_request_belongs_to_the_repository_at_its_host() {
    let github = "https://github.com/acme/shop.git";
    for (address, url) in [
        (github, "https://github.com/acme/shop/pull/7"),
        ("https://github.com/acme/shop", "https://github.com/Acme/Shop/pull/7"),
        ("https://github.com/acme/shop/", "https://github.com/acme/shop/pulls/7"),
        ("git@github.com:acme/shop.git", "https://github.com/acme/shop/pull/1234567890"),
        ("ssh://git@git.example:2222/a/b/c.git", "https://git.example/a/b/c/-/merge_requests/1"),
        ("https://git.example:8443/a/b", "https://git.example:8443/a/b/pulls/1"),
        ("http://git.example:8080/a/b", "https://git.example/a/b/pulls/1"),
    ] {
        assert!(is_pull_request(address, url), "{address} {url}");
    }
    for (address, url) in [
        (github, "https://evil.example/acme/shop/pull/7"),
        (github, "https://github.com.evil.example/acme/shop/pull/7"),
        (github, "https://github.com@evil.example/acme/shop/pull/7"),
        (github, "https://ada@github.com/acme/shop/pull/7"),
        (github, "https://github.com:444/acme/shop/pull/7"),
        (github, "http://github.com/acme/shop/pull/7"),
        (github, "https://github.com/acme/shopping/pull/7"),
        (github, "https://github.com/acme/other/pull/7"),
        (github, "https://github.com/acme/shop/pull/"),
        (github, "https://github.com/acme/shop/pull/7/files"),
        (github, "https://github.com/acme/shop/pull/x"),
        (github, "https://github.com/acme/shop/pull/12345678901"),
        (github, "https://github.com/acme/shop/pull/7?x=1"),
        (github, "https://github.com/acme/shop/pull/7#x"),
        (github, "https://github.com/acme/shop/x/../pull/7"),
        (github, "https://github.com\\acme/shop/pull/7"),
        (github, " https://github.com/acme/shop/pull/7"),
        (github, "javascript:alert(1)"),
        ("https://git.example:8443/a/b", "https://git.example/a/b/pulls/1"),
        ("file:///srv/shop.git", "https://git.example/srv/shop/pull/1"),
        ("https://git.example/", "https://git.example/pull/1"),
    ] {
        assert!(!is_pull_request(address, url), "{address} {url}");
    }
}

#[test]
fn a_repository_is_recognized_by_all_its_addresses() {
    let github = "https://github.com/acme/shop";
    for other in [
        github,
        "https://github.com/acme/shop.git",
        "https://GitHub.com./Acme//Shop/",
        "https://github.com:443/acme/%73hop",
        "ssh://git@github.com/acme/shop",
        "ssh://git@github.com:2222/acme/shop",
        "git@github.com:acme/shop.git",
        "github.com:/acme/shop",
    ] {
        assert!(is_same(github, other) && is_same(other, github), "{other}");
    }
    for other in
        ["https://github.com/acme/shops", "https://github.com:444/acme/shop", "git@gitlab.com:acme/shop.git"]
    {
        assert!(!is_same(github, other), "{other}");
    }
    assert!(is_same("file:///srv/shop.git", "file:///srv/shop.git"));
    assert!(!is_same("file:///srv/shop.git", "file:///srv/other.git"));
}

#[test]
fn the_address_of_a_pull_request_has_its_number() {
    for (url, number) in [
        ("https://github.com/acme/shop/pull/7", Some(7)),
        ("https://gitlab.com/acme/web/shop/-/merge_requests/42", Some(42)),
        ("http://127.0.0.1:3000/acme/shop/pulls/1", Some(1)),
        ("https://gitea.example/git/pulls/pulls/pulls/3", Some(3)),
        ("https://gitea.example/acme/pull/pulls/3", Some(3)),
        ("https://gitea.example/acme/shop/pulls/9999999999", Some(9_999_999_999)),
        ("https://gitea.example/acme/shop/pulls/", None),
        ("https://gitea.example/acme/shop/pulls/1/files", None),
        ("https://gitea.example/acme/shop/pulls/99999999999", None),
        ("https://gitea.example/acme/shop/pulls/-1", None),
        ("https://gitea.example/acme/shop/issues/1", None),
        ("acme/shop/pulls/1", None),
        ("", None),
    ] {
        assert_eq!(pull_request_number(url), number, "{url}");
    }
}
