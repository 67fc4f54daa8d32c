use super::*;

fn commit(id: &str) -> HostCommit {
    let title = format!("Change {id}");
    HostCommit { id: id.to_owned(), title, author: "Ada".to_owned(), login: None, at: None, url: None }
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|&one| one.to_owned()).collect()
}

#[test]
fn a_source_is_a_path_of_the_repository() {
    for (source, path) in [
        ("src/cart.ts", Some("src/cart.ts")),
        ("./src/cart.ts", Some("src/cart.ts")),
        ("../../src/cart.ts", Some("src/cart.ts")),
        ("webpack://shop/./src/cart.ts?a1b2", Some("src/cart.ts")),
        ("webpack:///./src/cart.ts", Some("src/cart.ts")),
        ("https://shop.example/assets/src/cart.ts#1", Some("assets/src/cart.ts")),
        ("/app/src/cart.ts", Some("app/src/cart.ts")),
        ("", None),
        ("..", None),
    ] {
        assert_eq!(path_of(source).as_deref(), path, "{source}");
    }
}

#[test]
fn files_are_found_wherever_the_repository_keeps_them() {
    let changed = texts(&["README.md", "apps/web/src/cart.ts", "apps/web/src/price.ts", "src/not-cart.ts"]);
    let found = |sources: &[&str]| changed_files(&texts(sources), &changed);
    assert_eq!(
        found(&["webpack://shop/./src/price.ts", "src/cart.ts", "src/price.ts"]),
        ["apps/web/src/price.ts", "apps/web/src/cart.ts"]
    );
    assert_eq!(found(&["/builds/apps/web/src/cart.ts"]), ["apps/web/src/cart.ts"]);
    assert!(found(&["cart.ts", "rt.ts", "lib/cart.ts"]).is_empty(), "a bare name may be any file's");
    assert_eq!(found(&["README.md"]), ["README.md"]);
}

#[test]
fn commits_that_changed_the_stack_are_shown_or_else_the_newest() {
    let compared = || Comparison {
        total: 12,
        commits: (0..12).map(|number| commit(&number.to_string())).collect(),
        files: Vec::new(),
    };
    let touched = [("a.ts".to_owned(), HashSet::from(["3".to_owned(), "99".to_owned()]))];
    let found = chosen(compared(), &touched);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].commit.id.as_str(), &found[0].files), ("3", &vec!["a.ts".to_owned()]));
    let ids: Vec<String> = chosen(compared(), &[]).into_iter().map(|one| one.commit.id).collect();
    assert_eq!(ids, ["0", "1", "2", "3", "4"]);
}
