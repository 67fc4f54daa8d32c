mod endings;

use super::*;
use std::fs;
use tempfile::TempDir;

/// A repository with one commit on a host, and a runner's directory for mirrors.
pub(super) struct World {
    pub(super) dir: TempDir,
    pub(super) repository: Repository,
}

pub(super) const POLICY: Policy = Policy { local: true, bytes_max: 64 << 20 };

pub(super) fn git(dir: &Path, words: &[&str]) -> String {
    let own = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "init.defaultBranch=main"];
    let output = Command::new("git").args(own).args(words).current_dir(dir).output().unwrap();
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The commit's title, unless the agent has made commits.
pub(super) fn mended(own: Option<&str>) -> String {
    own.unwrap_or("Mend the cart").to_owned()
}

impl World {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (host, work) = (dir.path().join("host.git"), dir.path().join("first"));
        fs::create_dir_all(&host).unwrap();
        git(&host, &["init", "--quiet", "--bare"]);
        git(dir.path(), &["clone", "--quiet", host.to_str().unwrap(), "first"]);
        fs::write(work.join("cart.js"), "one\ntwo\n").unwrap();
        git(&work, &["add", "."]);
        git(&work, &["commit", "--quiet", "-m", "first"]);
        git(&work, &["push", "--quiet", "origin", "HEAD:main"]);
        let url = format!("file://{}", host.display());
        let [id, name] = ["0a", "acme/shop"].map(str::to_owned);
        let repository = Repository {
            id,
            name,
            url,
            default_branch: "main".to_owned(),
            allowed_hosts: Vec::new(),
            allowed_files: Vec::new(),
            setup_command: None,
            test_command: None,
            test_report: None,
        };
        Self { dir, repository }
    }

    pub(super) fn host(&self) -> PathBuf {
        self.dir.path().join("host.git")
    }

    pub(super) fn mirror(&self) -> Mirror {
        Mirror::update(&self.dir.path().join("mirrors"), &self.repository, &POLICY, TO_ITS_END).unwrap()
    }

    /// Runs `act` as the agent in a run's clone; returns the mirror and the collected work.
    pub(super) fn run(&self, act: impl FnOnce(&Path)) -> (Mirror, Result<Option<Work>>) {
        let mirror = self.mirror();
        let (base, repo) = (mirror.commit(None).unwrap(), self.dir.path().join("run/repo"));
        drop(fs::remove_dir_all(self.dir.path().join("run")));
        mirror.check_out(&repo, &base, "mayday/x", TO_ITS_END).unwrap();
        assert_eq!(git(&repo, &["branch", "--show-current"]), "mayday/x");
        assert_eq!(git(&repo, &["rev-parse", "origin/main"]), base);
        act(&repo);
        let work = mirror.collect(&repo, &self.dir.path().join("run/git"), &base, &mended, TO_ITS_END);
        (mirror, work)
    }
}

impl Work {
    pub(super) fn git(&self) -> Git<'static> {
        Git::at(&self.dir, TO_ITS_END)
    }
}

pub(super) fn paths(work: &Work) -> Vec<&str> {
    work.files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn uncommitted_files_are_committed_and_pushed() {
    let world = World::new();
    let (mirror, work) = world.run(|repo| {
        fs::write(repo.join("cart.js"), "one\n2\nthree\n").unwrap();
        fs::write(repo.join("a file ä.txt"), "x\n").unwrap();
        fs::write(repo.join("blob"), [0, 1, 2]).unwrap();
    });
    let work = work.unwrap().unwrap();
    assert_eq!(paths(&work), ["a file ä.txt", "blob", "cart.js"]);
    assert_eq!((work.files[2].added, work.files[2].removed), (Some(2), Some(1)));
    assert_eq!(work.files[1].added, None, "a binary file has no lines");
    mirror.push(&work, "mayday/x", TO_ITS_END).unwrap();
    assert_eq!(
        git(&world.host(), &["log", "-1", "--format=%an|%s", "mayday/x"]),
        "Mayday agent|Mend the cart"
    );
    assert_eq!(git(&world.host(), &["show", "mayday/x:cart.js"]), "one\n2\nthree");
    // Another attempt of the same session replaces it.
    let (mirror, work) = world.run(|repo| fs::write(repo.join("cart.js"), "otherwise\n").unwrap());
    mirror.push(&work.unwrap().unwrap(), "mayday/x", TO_ITS_END).unwrap();
    assert_eq!(git(&world.host(), &["show", "mayday/x:cart.js"]), "otherwise");
}

#[test]
fn the_agents_own_commits_are_squashed() {
    let world = World::new();
    let (_, work) = world.run(|repo| {
        fs::write(repo.join("cart.js"), "mended\n").unwrap();
        git(repo, &["commit", "--quiet", "-am", "by the agent"]);
        fs::write(repo.join("more.js"), "more\n").unwrap();
    });
    let work = work.unwrap().unwrap();
    assert_eq!(work.git().run(&["log", "--format=%s", &work.head]).unwrap(), "by the agent\nfirst");
    assert_eq!(paths(&work), ["cart.js", "more.js"]);
}

#[test]
fn without_changes_there_is_no_work() {
    let world = World::new();
    assert!(world.run(|_| ()).1.unwrap().is_none());
    // Ignored files are not work, either.
    let (_, work) = world.run(|repo| {
        fs::write(repo.join(".gitignore"), "out/\n").unwrap();
        fs::create_dir(repo.join("out")).unwrap();
        fs::write(repo.join("out/x"), "x").unwrap();
    });
    assert_eq!(paths(&work.unwrap().unwrap()), [".gitignore"]);
}

#[test]
fn what_the_agent_writes_into_its_git_directory_is_not_executed() {
    let world = World::new();
    let canary = world.dir.path().join("canary");
    let touch = format!("touch {}", canary.display());
    let (mirror, work) = world.run(|repo| {
        for hook in ["pre-commit", "post-commit", "pre-push", "post-checkout", "reference-transaction", "pre-auto-gc"] {
            let path = repo.join(".git/hooks").join(hook);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, format!("#!/bin/sh\n{touch}\n")).unwrap();
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
        fs::write(repo.join(".gitattributes"), "* filter=evil diff=evil merge=evil\n").unwrap();
        let mut config = fs::read_to_string(repo.join(".git/config")).unwrap();
        config += &format!(
            "[core]\n fsmonitor = {touch}\n sshCommand = {touch}\n pager = {touch}\n hooksPath = .git/hooks\n\
             [filter \"evil\"]\n clean = {touch}\n smudge = {touch}\n process = {touch}\n required = true\n\
             [diff \"evil\"]\n command = {touch}\n textconv = {touch}\n\
             [uploadpack]\n packObjectsHook = {touch}\n[alias]\n fetch = !{touch}\n[credential]\n helper = !{touch}\n"
        );
        fs::write(repo.join(".git/config"), config).unwrap();
        fs::write(repo.join("cart.js"), "mended\n").unwrap();
    });
    mirror.push(&work.unwrap().unwrap(), "mayday/x", TO_ITS_END).unwrap();
    assert!(!canary.exists(), "something of the agent's was run");
}

#[test]
fn what_a_repository_contains_is_not_executed_at_checkout() {
    let world = World::new();
    let first = world.dir.path().join("first");
    let other = world.dir.path().join("host.git").display().to_string();
    fs::write(first.join(".gitattributes"), "*.js filter=lfs\n").unwrap();
    fs::write(first.join(".gitmodules"), format!("[submodule \"x\"]\n\tpath = x\n\turl = {other}\n"))
        .unwrap();
    git(&first, &["add", "."]);
    let commit = git(&first, &["rev-parse", "HEAD"]);
    git(&first, &["update-index", "--add", "--cacheinfo", &format!("160000,{commit},x")]);
    git(&first, &["commit", "--quiet", "-m", "with a submodule"]);
    git(&first, &["push", "--quiet", "origin", "HEAD:main"]);
    let (_, work) = world.run(|repo| {
        assert!(repo.join("cart.js").exists());
        assert!(
            !repo.join("x/HEAD").exists() && !repo.join("x/cart.js").exists(),
            "the submodule was fetched"
        );
    });
    assert!(work.unwrap().is_none());
}

/// Configures a nested repository so that git executes something when it looks into it.
fn arm(dir: &Path, canary: &Path) {
    let touch = format!("touch {}", canary.display());
    let config = fs::read_to_string(dir.join(".git/config")).unwrap();
    let traps = format!(
        "[core]\n fsmonitor = {touch}\n[filter \"evil\"]\n clean = {touch}\n process = {touch}\n\
         [diff \"evil\"]\n command = {touch}\n textconv = {touch}\n"
    );
    fs::write(dir.join(".git/config"), config + &traps).unwrap();
    fs::write(dir.join(".gitattributes"), "* filter=evil diff=evil\n").unwrap();
    fs::write(dir.join("file"), "two\n").unwrap();
}

#[test]
fn a_nested_repository_executes_nothing() {
    let world = World::new();
    let canary = world.dir.path().join("canary");
    let (mirror, work) = world.run(|repo| {
        // One in a commit, one uncommitted, one without a commit, and one through a `.git` file.
        for dir in ["committed", "left", "empty"].map(|name| repo.join(name)) {
            fs::create_dir(&dir).unwrap();
            git(&dir, &["init", "--quiet"]);
            if !dir.ends_with("empty") {
                fs::write(dir.join("file"), "one\n").unwrap();
                git(&dir, &["add", "."]);
                git(&dir, &["commit", "--quiet", "-m", "inside"]);
            }
        }
        let inside = git(&repo.join("committed"), &["rev-parse", "HEAD"]);
        git(repo, &["update-index", "--add", "--cacheinfo", &format!("160000,{inside},committed")]);
        git(repo, &["commit", "--quiet", "-m", "with a repository"]);
        let modules =
            format!("[submodule \"x\"]\n\tpath = committed\n\tupdate = !touch {}\n", canary.display());
        fs::write(repo.join(".gitmodules"), modules).unwrap();
        fs::create_dir(repo.join("named")).unwrap();
        fs::write(repo.join("named/.git"), format!("gitdir: {}\n", repo.join("left/.git").display()))
            .unwrap();
        fs::write(repo.join("cart.js"), "mended\n").unwrap();
        ["committed", "left", "empty"].iter().for_each(|name| arm(&repo.join(name), &canary));
    });
    let work = work.unwrap().unwrap();
    assert!(!canary.exists(), "something of the agent's was run");
    assert_eq!(paths(&work), [".gitmodules", "cart.js", "committed"]);
    mirror.push(&work, "mayday/x", TO_ITS_END).unwrap();
    assert!(!canary.exists(), "something of the agent's was run");
    assert_eq!(git(&world.host(), &["show", "mayday/x:cart.js"]), "mended");
}

#[test]
fn replacing_a_directory_with_a_file_and_the_reverse_is_work() {
    let world = World::new();
    let (_, work) = world.run(|repo| {
        fs::create_dir(repo.join("deep")).unwrap();
        fs::write(repo.join("deep/a"), "a\n").unwrap();
        git(repo, &["add", "."]);
        git(repo, &["commit", "--quiet", "-m", "deep"]);
        fs::remove_dir_all(repo.join("deep")).unwrap();
        fs::write(repo.join("deep"), "a file\n").unwrap();
        fs::remove_file(repo.join("cart.js")).unwrap();
        fs::create_dir(repo.join("cart.js")).unwrap();
        fs::write(repo.join("cart.js/a"), "in a directory\n").unwrap();
    });
    assert_eq!(paths(&work.unwrap().unwrap()), ["cart.js", "cart.js/a", "deep"]);
}

#[test]
fn only_commits_in_the_agents_own_directory_are_taken() {
    let world = World::new();
    let first = world.dir.path().join("first");
    git(&first, &["commit", "--quiet", "--allow-empty", "-m", "not the agent's"]);
    let (_, work) = world.run(|repo| {
        fs::remove_dir_all(repo.join(".git")).unwrap();
        fs::write(repo.join(".git"), format!("gitdir: {}\n", first.join(".git").display())).unwrap();
    });
    assert!(work.unwrap().is_none());
}

#[test]
fn only_a_sessions_own_branch_is_pushed() {
    let world = World::new();
    let before = git(&world.host(), &["rev-parse", "main"]);
    let (mirror, work) = world.run(|repo| fs::write(repo.join("cart.js"), "mended\n").unwrap());
    let work = work.unwrap().unwrap();
    for branch in ["main", "mayday", "mayday/", "x/mayday/y", ""] {
        let refused = mirror.push(&work, branch, TO_ITS_END).unwrap_err();
        assert!(refused.contains("begin with mayday/"), "{branch}: {refused}");
    }
    assert_eq!(git(&world.host(), &["for-each-ref", "--format=%(refname)"]), "refs/heads/main");
    assert_eq!(git(&world.host(), &["rev-parse", "main"]), before);
}

#[test]
fn history_that_does_not_descend_from_the_base_is_refused() {
    let world = World::new();
    let (_, work) = world.run(|repo| {
        git(repo, &["checkout", "--quiet", "--orphan", "other"]);
        git(repo, &["commit", "--quiet", "-m", "from nothing"]);
    });
    assert!(work.err().unwrap().contains("do not build upon"));
}

#[test]
fn an_agent_that_deletes_its_git_directory_still_has_work() {
    let world = World::new();
    let (_, work) = world.run(|repo| {
        fs::remove_dir_all(repo.join(".git")).unwrap();
        fs::write(repo.join("cart.js"), "mended\n").unwrap();
    });
    assert_eq!(paths(&work.unwrap().unwrap()), ["cart.js"]);
}

#[test]
fn a_mirror_follows_its_host_and_falls_back_to_the_default_branch() {
    let world = World::new();
    let first = world.mirror().commit(None).unwrap();
    let work = world.dir.path().join("first");
    git(&work, &["commit", "--quiet", "--allow-empty", "-m", "second"]);
    git(&work, &["push", "--quiet", "origin", "HEAD:main", "HEAD:next"]);
    let mirror = world.mirror();
    let second = mirror.commit(Some("next")).unwrap();
    assert_ne!(first, second);
    assert_eq!(mirror.commit(Some("gone")).unwrap(), second);
    assert_eq!(mirror.commit(Some("--help")).unwrap(), second, "a branch is never an option");
    git(&world.host(), &["update-ref", "-d", "refs/heads/next"]);
    git(&world.host(), &["update-ref", "-d", "refs/heads/main"]);
    assert!(world.mirror().commit(None).unwrap_err().contains("has no branch `main`"));
}

#[test]
fn a_repository_over_the_size_limit_is_refused_and_leaves_nothing() {
    let world = World::new();
    let work = world.dir.path().join("first");
    let noise: Vec<u8> =
        (0..3_u32 << 20).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::write(work.join("noise"), noise).unwrap();
    git(&work, &["add", "."]);
    git(&work, &["commit", "--quiet", "-m", "noise"]);
    git(&work, &["push", "--quiet", "origin", "HEAD:main"]);
    let small = Policy { local: true, bytes_max: 64 << 10 };
    let folder = world.dir.path().join("mirrors");
    let updated = Mirror::update(&folder, &world.repository, &small, TO_ITS_END);
    assert!(updated.err().unwrap().contains("--max-repository-mb"));
    assert!(!folder.join("0a.git").exists());
}

#[test]
fn addresses_that_git_would_misread_are_refused() {
    let closed = Policy { local: false, bytes_max: 1 };
    for url in ["https://host/a.git", "ssh://git@host/a", "git@host:a/b.git", "HTTPS://host/a"] {
        closed.check(url).unwrap();
    }
    for url in [
        "--upload-pack=x",
        "ext::sh -c x",
        "fd::17",
        "file:///etc",
        "http://host/a",
        "HTTP://host/a",
        "/etc",
        "./x",
        "ftp://host/a",
        "https://h/a\nb",
        "host:a",
        "a/b@c:d",
        "git-remote-x::https://h",
        "",
    ] {
        let refused = closed.check(url).unwrap_err();
        assert!(refused.contains("not one that this runner clones"), "{url}");
    }
    POLICY.check("file:///srv/a.git").unwrap();
    POLICY.check("http://host/a").unwrap();
}

#[test]
fn credentials_are_not_repeated() {
    let text = "fatal: unable to access 'https://ada:secret@host/a.git/': no";
    assert_eq!(without_credentials(text), "fatal: unable to access 'https://host/a.git/': no");
    assert_eq!(without_credentials("ada@example.com and https://host/"), "ada@example.com and https://host/");
}

#[test]
fn a_mirror_locked_by_a_killed_git_becomes_usable_again() {
    let world = World::new();
    world.mirror();
    let mirror = world.dir.path().join("mirrors/0a.git");
    let half = mirror.join("objects/pack/tmp_pack_x");
    fs::create_dir_all(half.parent().unwrap()).unwrap();
    let locks = [mirror.join("refs/remotes/origin/main.lock"), mirror.join("packed-refs.lock"), half];
    locks.iter().for_each(|path| fs::write(path, "").unwrap());
    let first = world.dir.path().join("first");
    git(&first, &["commit", "--quiet", "--allow-empty", "-m", "second"]);
    git(&first, &["push", "--quiet", "origin", "HEAD:main"]);
    assert_eq!(world.mirror().commit(None).unwrap(), git(&first, &["rev-parse", "HEAD"]));
    assert!(!locks.iter().any(|path| path.exists()));
}

#[test]
fn a_link_in_place_of_the_repository_is_not_followed() {
    let world = World::new();
    let secrets = world.dir.path().join("secrets");
    fs::create_dir(&secrets).unwrap();
    fs::write(secrets.join("key"), "a secret").unwrap();
    let (_, work) = world.run(|repo| {
        fs::remove_dir_all(repo).unwrap();
        std::os::unix::fs::symlink(&secrets, repo).unwrap();
    });
    assert!(work.err().unwrap().contains("removed the directory"));
}
