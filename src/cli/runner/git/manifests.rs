//! What of a commit decides what its set-up makes: manifests, lock files, and versions of tools.

use super::held::names::is_manifest;
use super::{Check, Git, Mirror, Result};

/// Files that say which versions of tools there are, in lower case.
const TOOLS: [&str; 9] = [
    ".node-version",
    ".nvmrc",
    ".python-version",
    ".ruby-version",
    ".tool-versions",
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
/// How git lists the commit of a submodule.
const SUBMODULE: &str = "160000 ";

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
    let decides = |entry: &&str| {
        let path = path_of(entry);
        entry.starts_with(SUBMODULE) || is_manifest(path) || TOOLS.contains(&name_of(path).as_str())
    };
    let found: Vec<String> = listed.split('\0').filter(decides).map(str::to_owned).collect();
    found.iter().any(|entry| is_lock(path_of(entry))).then_some(found)
}

fn is_lock(path: &str) -> bool {
    let name = name_of(path);
    LOCKS.contains(&name.as_str()) || LOCK_ENDS.iter().any(|end| name.ends_with(end))
}

fn path_of(entry: &str) -> &str {
    entry.split_once('\t').map_or("", |(_, path)| path)
}

/// In lower case.
fn name_of(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_lowercase()
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
        ];
        assert_eq!(deciding(&listed(&all)).map(|found| found.len()), Some(all.len()));
        let others = ["src/cart.mjs", "README.md", "notes.lock", "go.sum"];
        assert_eq!(deciding(&listed(&others)).unwrap(), ["100644 blob 0a\tgo.sum"]);
        let submodule = format!("160000 commit 0b\tlib\0{}", listed(&["uv.lock"]));
        assert_eq!(deciding(&submodule).map(|found| found.len()), Some(2));
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
