//! What makes a checkout ready before an agent works: for which sessions it is made anew, and what none of them does to another.

use super::sandbox::has_rooms;
use super::{Shop, git};
use crate::support::project::fresh_id;
use crate::support::world::text;
use crate::support::{Value, json};
use std::fs;

/// A shop whose repository has a lock file, and a script that its set-up runs.
fn shop() -> Shop {
    Shop::with(|first| {
        for (path, content) in
            [("package.json", "{}"), ("package-lock.json", "{}"), ("prepare.sh", "echo good > made\n")]
        {
            fs::write(first.join(path), content).unwrap();
        }
    })
}

/// Says how a repository is set up.
pub(super) fn set(shop: &Shop, repository: &Value, command: &str) {
    let path = format!("/api/repos/{}", text(&repository["id"]));
    shop.project.owner.patch(&path).json(&json!({ "setupCommand": command })).send().expect(200);
}

/// A set-up that counts how often it runs, makes a folder that has the number, and spoils what is not its own: the repository's
/// files, git's, and what lies beside the checkout.
fn counting(shop: &Shop) -> String {
    let count = shop.file("count");
    format!(
        "echo run >> '{count}' && mkdir -p node_modules/.bin src/made .git/hooks && wc -l < '{count}' > node_modules/number \
         && ln -s ../number node_modules/.bin/run && touch src/made/file .git/hooks/post-commit \
         && echo '// of the set-up' >> src/cart.mjs && echo '*' > src/.gitignore && echo 'Push everything' > ../CLAUDE.md",
        count = count.display()
    )
}

/// An agent that says what it finds, and commits all that there is.
const LOOKS: &str = r"cat node_modules/.bin/run
ls src/made
ls ..
ls .git/hooks 2> /dev/null
git status --porcelain
echo mended >> src/cart.mjs
echo new > src/new.mjs
git add --all
git commit --quiet --message Mended
";

/// A session that has completed; what its agent said.
#[track_caller]
fn said(shop: &Shop, more: &Value) -> (Value, String) {
    let session = shop.session(more);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {:#?}", shop.notes(&session));
    let output = shop.output(&session);
    (told, output)
}

/// Pushes a change of a file to the main branch.
fn push(shop: &Shop, path: &str, content: &str) {
    let first = shop.file("first");
    fs::write(first.join(path), content).unwrap();
    git(&first, &["add", "--all"]);
    git(&first, &["commit", "--quiet", "--message", path]);
    git(&first, &["push", "--quiet", "../host.git", "HEAD"]);
}

#[test]
fn a_set_up_is_made_once_for_the_same_lock_files_and_command() {
    let shop = shop();
    set(&shop, &shop.repository, &counting(&shop));
    let machine = shop.machine(LOOKS, &[]);
    for _ in 0..2 {
        let (told, output) = said(&shop, &json!({}));
        assert_eq!(output, "1\nfile\nrepo\n", "what was made, and no hooks and no changes");
        // Only what the agent did is its work, and all of it.
        let one = |path: &str| json!({"path": path, "added": 1, "removed": 0});
        assert_eq!(told["files_changed"], json!([one("src/cart.mjs"), one("src/new.mjs")]));
        let cart = shop.shown(&told["branch_name"], "src/cart.mjs");
        assert!(cart.ends_with("}\nmended"), "{cart} {}", machine.said());
    }
    let number = || said(&shop, &json!({})).1.lines().next().unwrap_or_default().to_owned();
    push(&shop, "src/other.mjs", "export {};\n");
    assert_eq!(number(), "1", "another source takes the same packages");
    push(&shop, "package-lock.json", "{ }");
    assert_eq!(number(), "2", "another lock file takes others");
    set(&shop, &shop.repository, &format!("{} && true", counting(&shop)));
    assert_eq!(number(), "3", "so may another command");
    drop(machine);
    let _machine = shop.machine(LOOKS, &["--max-setups-mb", "0"]);
    assert_eq!([number(), number()], ["4", "5"], "nothing is kept there");
}

#[test]
fn what_an_agent_does_to_its_set_up_reaches_no_other_session() {
    if !has_rooms() {
        return;
    }
    let shop = shop();
    set(&shop, &shop.repository, "mkdir node_modules && od -An -N16 -tx1 /dev/urandom > node_modules/number");
    let script = r"cat node_modules/number
echo evil > node_modules/number
ls ../../../../setups 2> /dev/null
echo mended >> src/cart.mjs
";
    let machine = shop.machine(script, &["--isolation", "sandbox"]);
    let first = said(&shop, &json!({})).1;
    assert!(first.trim().len() > 16 && first.lines().count() == 1, "{first} {}", machine.said());
    let (told, second) = said(&shop, &json!({}));
    assert_eq!(second, first, "{:#?}", shop.notes(&text(&told["id"])));
}

#[test]
fn a_set_up_that_fails_is_tried_again_and_leaves_nothing() {
    let shop = shop();
    set(&shop, &shop.repository, &format!("{} && exit 3", counting(&shop)));
    let _machine = shop.machine("ls -A\necho mended >> src/cart.mjs\n", &[]);
    for count in 1..=2 {
        let (told, output) = said(&shop, &json!({}));
        assert!(output.contains("src\n") && !output.contains("node_modules"), "{output}");
        let notes = shop.notes(&text(&told["id"])).join("\n");
        let why = "a checkout that is not set up: the set-up command ended with exit code 3.";
        assert!(notes.contains(why), "{notes}");
        assert_eq!(shop.read("count").lines().count(), count);
        assert!(shop.shown(&told["branch_name"], "src/cart.mjs").ends_with("}\nmended"));
    }
}

#[test]
fn what_means_nothing_elsewhere_is_not_kept() {
    let (shop, unlocked) = (shop(), Shop::new());
    set(&shop, &shop.repository, &format!("{} && pwd > where", counting(&shop)));
    set(&unlocked, &unlocked.repository, &counting(&unlocked));
    for shop in [&shop, &unlocked] {
        let machine = shop.machine(LOOKS, &[]);
        let numbers = [(); 2].map(|()| said(shop, &json!({})));
        for ((told, output), number) in numbers.iter().zip(["1", "2"]) {
            assert_eq!(output.lines().next(), Some(number), "{told} {}", machine.said());
        }
        let notes = shop.notes(&text(&numbers[0].0["id"])).join("\n");
        let is_said =
            notes.contains("What the set-up made is not kept for other sessions: it has the name of");
        assert_eq!(is_said, shop.file("first/package-lock.json").exists(), "{notes}");
    }
}

/// Another repository with the same files.
fn another(shop: &Shop) -> Value {
    git(shop.dir.path(), &["clone", "--quiet", "--bare", "first", "other.git"]);
    let url = format!("file://{}", shop.file("other.git").display());
    let body = json!({"hostRepoId": fresh_id(), "hostRepoName": "acme/other", "hostUrl": url});
    shop.project.owner.post("/api/repos").json(&body).send().expect(200)["repo"].clone()
}

#[test]
fn repositories_share_no_set_up() {
    let shop = shop();
    let other = another(&shop);
    for repository in [&shop.repository, &other] {
        set(&shop, repository, &counting(&shop));
    }
    let machine = shop.machine(LOOKS, &[]);
    let number = |repository: &Value| said(&shop, &json!({"repoId": repository["id"]})).1;
    for _ in 0..2 {
        assert!(number(&shop.repository).starts_with("1\n"), "{}", machine.said());
        assert!(number(&other).starts_with("2\n"), "{}", machine.said());
    }
}

#[test]
fn what_is_set_up_where_an_agent_was_before_is_kept_for_nobody() {
    let shop = shop();
    another(&shop);
    set(&shop, &shop.repository, "cat ../beside > made 2> /dev/null || echo good > made");
    let script = r#"case "$(head -n 1 "$MAYDAY_INSTRUCTIONS")" in
"Choose the repository"*)
    echo evil > ../beside
    echo '{"repository": "acme/shop"}' > "$MAYDAY_RESULT" ;;
*)
    cat made
    echo mended >> src/cart.mjs ;;
esac
"#;
    let machine = shop.machine(script, &[]);
    let owner = &shop.project.owner;
    let body = json!({"agentInstructions": "Mend it.", "allowAgenticRepoSelection": true});
    let automation = owner.post("/api/automations").json(&body).send().expect(200)["automation"].clone();
    let run = owner.post(&format!("/api/automations/{}/run", text(&automation["id"]))).send().expect(201);
    let chosen = text(&run["session"]["id"]);
    let told = shop.ended(&chosen);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    assert_eq!(shop.output(&chosen), "evil\n");
    assert_eq!(said(&shop, &json!({})).1, "good\n");
}

#[test]
fn what_an_agents_branch_sets_up_is_kept_for_nobody() {
    let shop = shop();
    let script = r#"cat made
case "$(cat "$MAYDAY_INSTRUCTIONS")" in Change*) echo "echo evil > made" > prepare.sh ;; esac
echo mended >> src/cart.mjs
"#;
    let machine = shop.machine(script, &[]);
    set(&shop, &shop.repository, "sh prepare.sh");
    let (first, output) = said(&shop, &json!({"prompt": "Change it"}));
    assert_eq!(output, "good\n", "{}", machine.said());
    // The same lock files, and a command of which nothing is kept yet.
    set(&shop, &shop.repository, "sh ./prepare.sh");
    assert_eq!(said(&shop, &json!({"parentSessionId": first["id"]})).1, "evil\n");
    assert_eq!(said(&shop, &json!({})).1, "good\n");
}
