//! Disables filters of the runner's user, such as git-lfs, for an agent's files: the agent's `.gitattributes` would
//! choose them, and its `.lfsconfig` where they send data. Each command that reads or writes files gets settings that
//! replace the configured filters.

use super::Git;
use std::process::Command;

/// The number of settings that the environment has already.
const COUNT: &str = "GIT_CONFIG_COUNT";
/// The settings that turn a filter into a no-op.
const OFF: [(&str, &str); 4] = [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")];

impl Git<'_> {
    pub(super) fn without_filters(self) -> Self {
        // Git fails if there are none.
        let listed =
            self.run(&["config", "--name-only", "-z", "--get-regexp", "^filter[.]"]).unwrap_or_default();
        let name = |setting: &str| setting.rsplit_once('.').map(|(filter, _)| filter.to_owned());
        let mut filters: Vec<String> = listed.split('\0').filter_map(name).collect();
        filters.sort();
        filters.dedup();
        let off = |filter: &String| OFF.map(|(what, value)| (format!("{filter}.{what}"), value));
        Self { settings: filters.iter().flat_map(off).collect(), ..self }
    }

    /// Passes the settings in the environment, where a name may contain any character (git 2.31).
    pub(super) fn add_settings(&self, command: &mut Command) {
        if self.settings.is_empty() {
            return;
        }
        let there = std::env::var(COUNT).ok().and_then(|count| count.parse().ok()).unwrap_or(0_usize);
        for (number, (name, value)) in (there..).zip(&self.settings) {
            command.env(format!("GIT_CONFIG_KEY_{number}"), name);
            command.env(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        command.env(COUNT, (there + self.settings.len()).to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::super::TO_ITS_END;
    use super::super::tests::{World, git, mended, paths};
    use std::fs;

    #[test]
    fn the_runners_filters_do_not_run_on_an_agents_files() {
        let world = World::new();
        let canary = world.dir.path().join("canary");
        // In the runner's git directory, because tests share the user's settings.
        let own = world.dir.path().join("own");
        fs::create_dir(&own).unwrap();
        git(&own, &["init", "--quiet", "--bare"]);
        for filter in ["shop", "a.b=c"] {
            for what in ["clean", "smudge", "process"] {
                let name = format!("filter.{filter}.{what}");
                git(&own, &["config", &name, &format!("touch {}; cat", canary.display())]);
            }
            git(&own, &["config", &format!("filter.{filter}.required"), "true"]);
        }
        let (mirror, _) = world.run(|repo| {
            fs::write(repo.join(".gitattributes"), "*.js filter=shop\n*.ts filter=a.b=c\n*.txt eol=crlf\n")
                .unwrap();
            fs::write(repo.join("cart.js"), "mended\n").unwrap();
            fs::write(repo.join("new.ts"), "new\n").unwrap();
            fs::write(repo.join("dos.txt"), "a\r\nb\r\n").unwrap();
        });
        let (repo, base) = (world.dir.path().join("run/repo"), mirror.commit(None).unwrap());
        let work = mirror.collect(&repo, &own, &base, &mended, TO_ITS_END).unwrap().unwrap();
        assert!(!canary.exists(), "a filter was run");
        assert_eq!(paths(&work), [".gitattributes", "cart.js", "dos.txt", "new.ts"]);
        let shown =
            |path: &str| work.git().run(&["cat-file", "blob", &format!("{}:{path}", work.head)]).unwrap();
        assert_eq!((shown("cart.js").as_str(), shown("new.ts").as_str()), ("mended", "new"));
        // Git's own conversions still apply.
        assert_eq!(shown("dos.txt"), "a\nb");
    }
}
