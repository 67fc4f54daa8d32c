use super::*;

#[test]
fn a_fetch_stops_with_its_run() {
    let world = World::new();
    let stopped = || Err("the session was stopped".to_owned());
    let updated = Mirror::update(&world.dir.path().join("mirrors"), &world.repository, &POLICY, &stopped);
    assert_eq!(updated.err().unwrap(), "the session was stopped");
}

#[test]
fn collecting_and_pushing_stop_with_their_run() {
    let world = World::new();
    let (mirror, work) = world.run(|repo| fs::write(repo.join("cart.js"), "mended\n").unwrap());
    let repo = world.dir.path().join("run/repo");
    let base = mirror.commit(None).unwrap();
    // Fail at different calls of the check. A killed git leaves locks, so each attempt has its own directory.
    let mut asks = 0_u32;
    loop {
        let left = Cell::new(asks);
        let check = || {
            let next = left.get().checked_sub(1).ok_or("the session was stopped")?;
            left.set(next);
            Ok(())
        };
        let own = world.dir.path().join(format!("run/git-{asks}"));
        match mirror.collect(&repo, &own, &base, &mended, &check) {
            Ok(_) => break,
            Err(why) => assert!(left.get() == 0 && !why.is_empty(), "{why}"),
        }
        asks += 5;
        assert!(asks < 10_000);
    }
    assert!(asks > 10, "{asks}");
    // A host that never answers.
    let hook = world.host().join("hooks/pre-receive");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let came = world.dir.path().join("came");
    fs::write(&hook, format!("#!/bin/sh\ntouch {}\nsleep 600\n", came.display())).unwrap();
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let check = || if came.exists() { Err("the session was stopped".to_owned()) } else { Ok(()) };
    let pushed = mirror.push(&work.unwrap().unwrap(), "mayday/x", &check);
    assert_eq!(pushed.unwrap_err(), "the session was stopped");
}
