//! What of a commit decides what its set-up makes: manifests, lock files, versions of tools, and what leads from one path to another.

use super::held::names::is_manifest;
use super::{Check, Git, Mirror, Result};

/// Files that say which versions of tools there are, in lower case.
const TOOLS: [&str; 15] = [
    ".bun-version",
    ".go-version",
    ".java-version",
    ".node-version",
    ".nvmrc",
    ".python-version",
    ".ruby-version",
    ".sdkmanrc",
    ".tool-versions",
    "environment.yaml",
    "environment.yml",
    "global.json",
    "mise.toml",
    "rust-toolchain",
    "rust-toolchain.toml",
];
/// Lock files that end otherwise than [`LOCK_ENDS`].
const LOCKS: [&str; 6] = [
    "cartfile.resolved",
    "go.sum",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "pnpm-lock.yaml",
];
const LOCK_ENDS: [&str; 4] = [".lock", ".lockb", ".lockfile", "package.resolved"];
/// How git lists a submodule's commit, and a link: another one makes all paths below it other files.
const LEADS: [&str; 2] = ["160000 ", "120000 "];

impl Mirror {
    /// Those files of a commit, each as git lists it: its object, and its path. `None` if no lock file is among them: then what they
    /// bring is another thing each day.
    ///
    /// # Errors
    /// If git fails, or `check` wants it to end.
    pub(in crate::cli::runner) fn manifests(
        &self,
        commit: &str,
        check: Check<'_>,
    ) -> Result<Option<Vec<String>>> {
        let listed = Git::at(&self.dir, check).run(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
        Ok(deciding(&listed))
    }
}

/// Picks them from what git lists.
fn deciding(listed: &str) -> Option<Vec<String>> {
    let (mut found, mut is_locked) = (Vec::new(), false);
    for entry in listed.split('\0') {
        let path = entry.split_once('\t').map_or("", |(_, path)| path).to_lowercase();
        let name = path.rsplit('/').next().unwrap_or_default();
        let leads = LEADS.iter().any(|mode| entry.starts_with(mode));
        // One of an unknown tool bears on what is made, but says nothing of other tools.
        let (is_known, locks) = (is_manifest(&path), is_lock(name));
        if leads || is_known || locks || TOOLS.contains(&name) {
            found.push(entry.to_owned());
        }
        is_locked |= is_known && locks && !leads;
    }
    is_locked.then_some(found)
}

fn is_lock(name: &str) -> bool {
    LOCKS.contains(&name) || LOCK_ENDS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::super::TO_ITS_END;
    use super::super::tests::{World, git};
    use super::*;
    use std::fs;

    #[test]
    fn lock_files_manifests_and_versions_of_tools_decide() {
        let listed =
            |paths: &[&str]| paths.iter().map(|path| format!("100644 blob 0a\t{path}\0")).collect::<String>();
        let all = [
            "web/package.json",
            "web/package-lock.json",
            "Cargo.lock",
            ".npmrc",
            ".nvmrc",
            "rust-toolchain.toml",
            "renv.lock",
            ".opencode/package.json",
        ];
        assert_eq!(deciding(&listed(&all)).map(|found| found.len()), Some(all.len()));
        let others = ["src/cart.mjs", "README.md", "locks", "go.sum"];
        assert_eq!(deciding(&listed(&others)).unwrap(), ["100644 blob 0a\tgo.sum"]);
        assert!(deciding(&listed(&[".devcontainer/Package-Lock.json"])).is_some(), "wherever it lies");
        for leads in ["160000 commit 0b\tlib\0", "120000 blob 0b\tweb\0"] {
            let found = deciding(&format!("{leads}{}", listed(&["uv.lock"])));
            assert_eq!(found.map(|found| found.len()), Some(2), "{leads}");
        }
        assert_eq!(deciding("120000 blob 0b\tuv.lock\0"), None, "it is elsewhere");
        for none in [&[][..], &["package.json"], &["src/a.lock"], &["requirements.txt", "setup.py"]] {
            assert_eq!(deciding(&listed(none)), None, "{none:?}");
        }
    }

    #[test]
    fn what_decides_changes_with_what_is_in_it() {
        let world = World::new();
        let first = world.dir.path().join("first");
        let commit = |path: &str, content: &str| {
            fs::write(first.join(path), content).unwrap();
            git(&first, &["add", "--all"]);
            git(&first, &["commit", "--quiet", "-m", path]);
            git(&first, &["push", "--quiet", "origin", "HEAD:main"]);
            let mirror = world.mirror();
            mirror.manifests(&mirror.commit(None).unwrap(), TO_ITS_END).unwrap()
        };
        assert_eq!(commit("package.json", "{}"), None);
        let locked = commit("package-lock.json", "{}");
        assert!(locked.as_ref().is_some_and(|found| found.len() == 2), "{locked:?}");
        assert_eq!(commit("cart.js", "other"), locked);
        assert_ne!(commit("package.json", "{ }"), locked);
    }
}
