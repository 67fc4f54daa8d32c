//! Files that need a review because of their names: they decide what other machines execute.

use super::SUBMODULE;

pub(super) const RUNS: &str = "decides what a build server, a hook or an editor runs";
pub(super) const BRINGS: &str = "decides which packages are installed, or how it is built";

/// Directories of build servers, code hosts, hooks, editors and agents, at any depth, in lower case.
const FOLDERS: &[&str] = &[
    ".buildkite",
    ".builds",
    ".circleci",
    ".claude",
    ".codex",
    ".cursor",
    ".devcontainer",
    ".forgejo",
    ".gitea",
    ".githooks",
    ".github",
    ".gitlab",
    ".husky",
    ".idea",
    ".opencode",
    ".semaphore",
    ".teamcity",
    ".tekton",
    ".vscode",
    ".woodpecker",
    ".zed",
];
/// Prefixes of their files, up to a `.`, `-` or the end.
const FILES: &[&str] = &[
    ".appveyor",
    ".build",
    ".cirrus",
    ".drone",
    ".envrc",
    ".git-blame-ignore-revs",
    ".gitattributes",
    ".gitlab-ci",
    ".lefthook",
    ".lfsconfig",
    ".mcp",
    ".overcommit",
    ".pre-commit",
    ".pre-commit-hooks",
    ".travis",
    ".woodpecker",
    "agents.md",
    "appveyor",
    "azure-pipelines",
    "bitbucket-pipelines",
    "bitrise",
    "buildspec",
    "claude.md",
    "cloudbuild",
    "codemagic",
    "codeowners",
    "jenkinsfile",
    "lefthook",
    "netlify.toml",
    "render.yaml",
    "vercel.json",
    "wercker",
];
/// Directories of package tools.
const TOOLS: &[&str] = &[".cargo", ".mvn", ".yarn", "gradle", "requirements"];
/// Prefixes of manifests, lock files and build files, up to a `.`, `-` or the end.
const PACKAGES: &[&str] = &[
    ".bazelrc",
    ".gemrc",
    ".npmrc",
    ".pnpmfile",
    ".yarnrc",
    "build.bazel",
    "build.gradle",
    "build.rs",
    "bun.lock",
    "bun.lockb",
    "bunfig.toml",
    "cargo.lock",
    "cargo.toml",
    "cartfile",
    "cmakelists",
    "compose.override",
    "compose.yaml",
    "compose.yml",
    "composer.json",
    "composer.lock",
    "conanfile",
    "containerfile",
    "deno.json",
    "deno.jsonc",
    "deno.lock",
    "directory.build",
    "directory.packages",
    "docker-bake",
    "docker-compose",
    "dockerfile",
    "flake.lock",
    "flake.nix",
    "gemfile",
    "gnumakefile",
    "go.mod",
    "go.sum",
    "go.work",
    "gradle.lockfile",
    "gradle.properties",
    "gradlew",
    "justfile",
    "libs.versions.toml",
    "makefile",
    "mix.exs",
    "mix.lock",
    "module.bazel",
    "mvnw",
    "npm-shrinkwrap",
    "nuget.config",
    "package-lock",
    "package.json",
    "package.resolved",
    "package.swift",
    "packages.config",
    "packages.lock",
    "pdm.lock",
    "pipfile",
    "pnpm-lock",
    "pnpm-workspace",
    "podfile",
    "poetry.lock",
    "pom.xml",
    "pubspec",
    "pyproject.toml",
    "rakefile",
    "settings.gradle",
    "setup.cfg",
    "setup.py",
    "taskfile",
];
/// Lock files that these prefixes do not cover.
const LOCKS: &[&str] = &["uv.lock", "vcpkg.json", "yarn.lock"];
/// Extensions of manifests.
const ENDS: &[&str] = &[".csproj", ".fsproj", ".vbproj", ".gemspec", ".podspec"];

/// Why a file needs a review, judged by its path. `allowed` has manifests and lock files in lower case, by name (at
/// any depth) or by path.
pub(super) fn by_path(path: &str, allowed: &[String]) -> Option<&'static str> {
    let path = path.to_lowercase();
    let name = name_of(&path);
    let is_action = ["action.yml", "action.yaml"].contains(&name);
    if name == ".gitmodules" {
        Some(SUBMODULE)
    } else if is_within(&path, FOLDERS) || begins(name, FILES) || is_action {
        Some(RUNS)
    } else if allowed.iter().any(|one| *one == path || one == name) {
        None
    } else if is_manifest(&path) {
        Some(BRINGS)
    } else {
        None
    }
}

/// Whether it is a manifest, a lock file, or a file that builds, in whatever folder. `path`: in lower case.
pub(in crate::cli::runner::git) fn is_manifest(path: &str) -> bool {
    let name = name_of(path);
    let is_requirements = name.starts_with("requirements") && !name.ends_with(".md");
    is_within(path, TOOLS)
        || begins(name, PACKAGES)
        || LOCKS.contains(&name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || is_requirements
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Whether a path leads through one of the folders: what has the name of one may be a link to one.
fn is_within(path: &str, folders: &[&str]) -> bool {
    path.split('/').any(|part| folders.contains(&part))
}

/// Whether a name is one of those, up to a `.`, a `-` or its end.
fn begins(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| {
        let rest = name.strip_prefix(known);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_decide_what_runs_need_a_review() {
        for path in [
            ".github/workflows/run.yml",
            "sub/.GitHub/CODEOWNERS",
            ".github",
            ".husky",
            ".gitlab-ci.yml",
            ".gitlab-ci-jobs.yml",
            "deploy/Jenkinsfile",
            "Jenkinsfile.deploy",
            ".husky/pre-commit",
            "azure-pipelines.yaml",
            ".drone.jsonnet",
            ".build.yml",
            "lefthook.yaml",
            ".lefthook.yml",
            ".envrc",
            ".vscode/tasks.json",
            ".claude/settings.json",
            "CLAUDE.md",
            "actions/run/action.yml",
        ] {
            assert_eq!(by_path(path, &[]), Some(RUNS), "{path}");
        }
        for path in [
            "web/package.json",
            "Cargo.lock",
            ".cargo/config.toml",
            "build.rs",
            "setup.py",
            "requirements-dev.txt",
            "requirements/base.txt",
            "src/Shop.csproj",
            "Podfile.lock",
            "gradle/wrapper/gradle-wrapper.properties",
            "gradlew.bat",
            ".yarnrc.yml",
            "go.work.sum",
            "Dockerfile.prod",
            "docker-compose.override.yml",
            "Makefile",
            "uv.lock",
        ] {
            assert_eq!(by_path(path, &[]), Some(BRINGS), "{path}");
        }
        assert_eq!(by_path("a/.gitmodules", &[]), Some(SUBMODULE));
        for path in [
            "src/github/workflows.rs",
            "docs/requirements.md",
            "src/makefiles.rs",
            "src/cart.mjs",
            "src/build.ts",
        ] {
            assert_eq!(by_path(path, &[]), None, "{path}");
        }
    }

    #[test]
    fn a_repository_can_allow_manifests_but_nothing_that_runs() {
        let allowed =
            ["package.json", "web/yarn.lock", ".github/workflows/run.yml", ".gitmodules"].map(str::to_owned);
        for path in ["package.json", "web/Package.json", "web/yarn.lock"] {
            assert_eq!(by_path(path, &allowed), None, "{path}");
        }
        assert_eq!(by_path("yarn.lock", &allowed), Some(BRINGS));
        assert_eq!(by_path("web/package-lock.json", &allowed), Some(BRINGS));
        assert_eq!(by_path(".github/workflows/run.yml", &allowed), Some(RUNS));
        assert_eq!(by_path(".gitmodules", &allowed), Some(SUBMODULE));
        assert_eq!(by_path(".vscode/package.json", &allowed), Some(RUNS));
    }
}
