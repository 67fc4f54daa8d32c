use super::super::TO_ITS_END;
use super::super::tests::{POLICY, World, git, mended, paths};
use super::*;
use crate::cli::runner::protocol::Repository;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

/// The mirror of a private fork on the same machine, and a commit that only it has.
fn private_fork(world: &World) -> (PathBuf, String) {
    let dir = world.dir.path();
    let host = dir.join("fork.git");
    git(dir, &["clone", "--quiet", "--bare", "host.git", "fork.git"]);
    git(dir, &["clone", "--quiet", "fork.git", "fork"]);
    let fork = dir.join("fork");
    fs::write(fork.join("secret"), "a secret\n").unwrap();
    git(&fork, &["add", "."]);
    git(&fork, &["commit", "--quiet", "-m", "private"]);
    git(&fork, &["push", "--quiet", "origin", "HEAD:main"]);
    let url = format!("file://{}", host.display());
    let repository = Repository { id: "0b".to_owned(), url, ..world.repository.clone() };
    Mirror::update(&dir.join("mirrors"), &repository, &POLICY, TO_ITS_END).unwrap();
    (dir.join("mirrors/0b.git"), git(&fork, &["rev-parse", "HEAD"]))
}

/// Checks that the private commit never gets into what may be pushed, whatever `trap` does in the agent's git
/// directory.
fn stays_private(trap: impl Fn(&Path, &Path)) {
    for names_commit in [true, false] {
        let world = World::new();
        let (other, secret) = private_fork(&world);
        let (_, work) = world.run(|repo| {
            let own = repo.join(".git");
            fs::write(own.join("refs/remotes/origin/main"), &secret).unwrap();
            let head = if names_commit { secret.as_str() } else { "ref: refs/remotes/origin/main" };
            fs::write(own.join("HEAD"), format!("{head}\n")).unwrap();
            trap(&own, &other);
            fs::write(repo.join("cart.js"), "mended\n").unwrap();
        });
        let work = work.unwrap().unwrap();
        assert_eq!(paths(&work), ["cart.js"]);
        let log = work.git().run(&["log", "--format=%s", &work.head]).unwrap();
        assert_eq!(log, "Mend the cart\nfirst");
        assert!(work.git().run(&["cat-file", "-e", &secret]).is_err());
    }
}

#[test]
fn a_common_directory_does_not_lead_to_another_mirror() {
    stays_private(|own, other| {
        fs::write(own.join("commondir"), other.to_str().unwrap()).unwrap();
        fs::write(own.join("gitdir"), other.to_str().unwrap()).unwrap();
    });
}

#[test]
fn lent_objects_do_not_lead_to_another_mirror() {
    stays_private(|own, other| {
        let lent = format!("{}\n", other.join("objects").display());
        fs::write(own.join("objects/info/alternates"), lent).unwrap();
    });
}

#[test]
fn a_link_in_place_of_the_objects_does_not_lead_to_another_mirror() {
    stays_private(|own, other| {
        fs::remove_dir_all(own.join("objects")).unwrap();
        symlink(other.join("objects"), own.join("objects")).unwrap();
    });
}

#[test]
fn links_among_the_objects_do_not_lead_to_another_mirror() {
    stays_private(|own, other| {
        git(other, &["repack", "-a", "-d", "--quiet"]);
        drop(fs::create_dir(own.join("objects/pack")));
        for entry in fs::read_dir(other.join("objects/pack")).unwrap().flatten() {
            symlink(entry.path(), own.join("objects/pack").join(entry.file_name())).unwrap();
        }
    });
    stays_private(|own, other| {
        drop(fs::remove_dir(own.join("objects/pack")));
        git(other, &["repack", "-a", "-d", "--quiet"]);
        symlink(other.join("objects/pack"), own.join("objects/pack")).unwrap();
    });
    // A link for a single object, and one for a directory of objects with the same first two digits, as in the
    // mirror.
    for whole in [true, false] {
        stays_private(|own, other| {
            unpack(other);
            for entry in fs::read_dir(other.join("objects")).unwrap().flatten() {
                let place = own.join("objects").join(entry.file_name());
                if !is_hex(entry.file_name().as_encoded_bytes(), 2) || place.exists() {
                    continue;
                }
                if whole {
                    symlink(entry.path(), place).unwrap();
                    continue;
                }
                fs::create_dir(&place).unwrap();
                for file in fs::read_dir(entry.path()).unwrap().flatten() {
                    symlink(file.path(), place.join(file.file_name())).unwrap();
                }
            }
        });
    }
}

/// Unpacks a mirror's packs into loose objects.
fn unpack(mirror: &Path) {
    let script = "mkdir aside && mv objects/pack/*.pack aside/ 2> /dev/null && rm -f objects/pack/* && \
                  for pack in aside/*; do git unpack-objects -q < $pack; done || true";
    let status = std::process::Command::new("/bin/sh").args(["-c", script]).current_dir(mirror).status();
    assert!(status.unwrap().success());
}

#[test]
fn branches_are_read_only_from_regular_files() {
    let world = World::new();
    let other = world.dir.path().join("other");
    git(world.dir.path(), &["clone", "--quiet", "host.git", "other"]);
    git(&other, &["pack-refs", "--all"]);
    let other = other.join(".git");
    let traps: [fn(&Path, &Path); 6] = [
        |own, other| {
            fs::remove_file(own.join("HEAD")).unwrap();
            symlink(other.join("HEAD"), own.join("HEAD")).unwrap();
        },
        |own, _| {
            fs::remove_file(own.join("HEAD")).unwrap();
            let made = std::process::Command::new("mkfifo").arg(own.join("HEAD")).status();
            assert!(made.unwrap().success());
        },
        |own, other| {
            fs::write(own.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            symlink(other.join("packed-refs"), own.join("packed-refs")).unwrap();
        },
        |own, other| {
            fs::write(own.join("HEAD"), "ref: refs/remotes/origin/main\n").unwrap();
            fs::remove_dir_all(own.join("refs")).unwrap();
            fs::create_dir_all(other.join("refs/remotes/origin")).unwrap();
            fs::write(other.join("refs/remotes/origin/main"), "0".repeat(40)).unwrap();
            symlink(other.join("refs"), own.join("refs")).unwrap();
        },
        |own, _| fs::write(own.join("HEAD"), "ref: ../../other/.git/HEAD\n").unwrap(),
        |own, _| fs::write(own.join("HEAD"), "ref: HEAD\n").unwrap(),
    ];
    for (number, trap) in traps.into_iter().enumerate() {
        let (_, work) = world.run(|repo| {
            let own = repo.join(".git");
            assert!(head_in(&own).is_some());
            trap(&own, &other);
            assert_eq!(head_in(&own), None, "{number}");
        });
        assert!(work.unwrap().is_none());
    }
}

fn head_in(dir: &Path) -> Option<String> {
    head_of(&openat(CWD, dir, FOLDER, Mode::empty()).unwrap())
}

#[test]
fn commits_are_taken_however_the_agent_stores_them() {
    let ways: [&[&[&str]]; 6] = [
        &[&["repack", "-a", "-d", "--quiet"]],
        &[&["gc", "--quiet"], &["pack-refs", "--all"]],
        &[&["checkout", "--quiet", "--detach"]],
        &[&["checkout", "--quiet", "-b", "another/name"], &["gc", "--quiet", "--aggressive", "--prune=now"]],
        &[&["commit", "--quiet", "--amend", "--no-edit", "--reset-author"]],
        &[&["stash", "--include-untracked", "--quiet"], &["stash", "pop", "--quiet"]],
    ];
    for way in ways {
        let world = World::new();
        let (mirror, work) = world.run(|repo| {
            for number in 0..3 {
                fs::write(repo.join("cart.js"), format!("mended {number}\n")).unwrap();
                git(repo, &["commit", "--quiet", "-am", &format!("step {number}")]);
                git(repo, &["repack", "-d", "--quiet"]);
            }
            fs::write(repo.join("left.js"), "left\n").unwrap();
            way.iter().for_each(|words| drop(git(repo, words)));
        });
        let work = work.unwrap().unwrap();
        let log = work.git().run(&["log", "--format=%s", &work.head]).unwrap();
        assert_eq!(log, "step 2\nfirst", "{way:?}");
        assert_eq!(paths(&work), ["cart.js", "left.js"]);
        mirror.push(&work, "mayday/x", TO_ITS_END).unwrap();
        assert!(!world.dir.path().join("run/taken").exists());
    }
}

#[test]
fn the_work_of_the_second_turn_replaces_that_of_the_first() {
    let world = World::new();
    let (mirror, work) = world.run(|repo| {
        fs::write(repo.join("cart.js"), "one\n").unwrap();
        git(repo, &["commit", "--quiet", "-am", "one"]);
    });
    assert!(work.unwrap().is_some());
    let (repo, own) = (world.dir.path().join("run/repo"), world.dir.path().join("run/git"));
    fs::write(repo.join("cart.js"), "two\n").unwrap();
    git(&repo, &["commit", "--quiet", "-am", "two"]);
    git(&repo, &["gc", "--quiet"]);
    let base = mirror.commit(None).unwrap();
    let work = mirror.collect(&repo, &own, &base, &mended, TO_ITS_END).unwrap().unwrap();
    assert_eq!(work.git().run(&["rev-parse", &format!("{}^", work.head)]).unwrap(), base);
    assert_eq!(work.git().run(&["show", &format!("{}:cart.js", work.head)]).unwrap(), "two");
}

#[test]
fn incomplete_commits_are_left_out_but_files_are_taken() {
    let traps: [fn(&Path); 3] = [
        // Half a pack, as if the agent was killed while writing it.
        |own| {
            let pack = fs::read_dir(own.join("objects/pack")).unwrap().flatten();
            let pack = pack.map(|entry| entry.path()).find(|path| path.extension() == Some("pack".as_ref()));
            let pack = pack.unwrap();
            let half = fs::read(&pack).unwrap();
            fs::remove_file(&pack).unwrap();
            fs::write(&pack, &half[..half.len() / 2]).unwrap();
        },
        |own| fs::remove_dir_all(own.join("objects/pack")).unwrap(),
        |own| fs::write(own.join("HEAD"), "0".repeat(40)).unwrap(),
    ];
    for trap in traps {
        let world = World::new();
        let (_, work) = world.run(|repo| {
            fs::write(repo.join("cart.js"), "mended\n").unwrap();
            git(repo, &["commit", "--quiet", "-am", "by the agent"]);
            git(repo, &["gc", "--quiet"]);
            trap(&repo.join(".git"));
        });
        let work = work.unwrap().unwrap();
        assert_eq!(work.git().run(&["log", "--format=%s", &work.head]).unwrap(), "Mend the cart\nfirst");
    }
    // A commit without its tree.
    let world = World::new();
    let (_, work) = world.run(|repo| {
        fs::write(repo.join("cart.js"), "mended\n").unwrap();
        git(repo, &["commit", "--quiet", "-am", "by the agent"]);
        let tree = git(repo, &["rev-parse", "HEAD^{tree}"]);
        fs::remove_file(repo.join(".git/objects").join(&tree[..2]).join(&tree[2..])).unwrap();
    });
    let work = work.unwrap().unwrap();
    assert_eq!(work.git().run(&["log", "--format=%s", &work.head]).unwrap(), "Mend the cart\nfirst");
}

#[test]
fn a_git_directory_over_the_size_limit_is_refused() {
    let world = World::new();
    let (mut mirror, work) = world.run(|repo| {
        fs::write(repo.join("cart.js"), "mended\n").unwrap();
        git(repo, &["commit", "--quiet", "-am", "by the agent"]);
    });
    assert!(work.unwrap().is_some());
    mirror.bytes_max = 2 * BLOCK;
    let (repo, own) = (world.dir.path().join("run/repo"), world.dir.path().join("run/git"));
    let base = mirror.commit(None).unwrap();
    let refused = mirror.collect(&repo, &own, &base, &mended, TO_ITS_END).err().unwrap();
    assert!(refused.contains("--max-repository-mb"), "{refused}");
    assert!(!world.dir.path().join("run/taken").exists());
}

#[test]
fn a_directory_with_too_many_names_is_refused_not_truncated() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        fs::write(dir.path().join(name), "").unwrap();
    }
    let folder = openat(CWD, dir.path(), FOLDER, Mode::empty()).unwrap();
    assert_eq!(all_names(&folder, 3).unwrap().len(), 3);
    assert_eq!(
        all_names(&folder, 2),
        Err("a folder of the agent's git directory has more than 2 files".to_owned())
    );
}
