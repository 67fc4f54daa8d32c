use super::*;
use crate::cli::runner::descendants::Burden;

fn named(names: &[&str]) -> Agents {
    Agents::new(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), None).unwrap()
}

#[test]
fn by_default_all_built_in_agents_are_available() {
    let agents = named(&[]);
    for (name, command) in BUILT_IN {
        assert_eq!(agents.command(name).unwrap().shell, command);
    }
    assert!(agents.command("mine").unwrap_err().contains("--agent mine=COMMAND"));
}

#[test]
fn named_agents_replace_the_built_in_ones() {
    let agents = named(&["aider", "mine=./run me"]);
    assert_eq!(agents.command("mine").unwrap().shell, "./run me");
    assert!(agents.command("aider").unwrap().shell.contains("--message-file"));
    assert!(agents.command("codex").is_err());
    assert_eq!(agents.names(), "aider, mine");
    let any = Agents::new(&[], Some("sh work.sh")).unwrap();
    assert_eq!(any.command("claude-code").unwrap().shell, "sh work.sh");
    for wrong in ["unheard-of", "mine=", "mine=  ", "mine=acp:", "mine=acp: "] {
        assert!(Agents::new(&[wrong.to_owned()], None).unwrap_err().contains("NAME=COMMAND"), "{wrong}");
    }
}

#[test]
fn an_agent_that_speaks_acp_is_recognized() {
    let mut agents = named(&["opencode=acp: exec opencode acp", "aider", "mine=acp:no-such-program-here"]);
    let spoken = AgentCommand { shell: "exec opencode acp".into(), speaks_acp: true };
    assert_eq!(agents.command("opencode").unwrap(), &spoken);
    assert!(!agents.command("aider").unwrap().speaks_acp);
    assert_eq!(agents.keep_those(|program| program != "no-such-program-here"), ["mine"]);
}

#[test]
fn only_installed_agents_are_offered() {
    let mut agents = named(&[
        "mine=exec no-such-program-here --x",
        "other=sh -c true",
        "path=./work.sh",
        "shell=cd sub && ./work.sh",
        "set=A=1 exec sh -c true",
        "odd=\"$HOME/agent\"",
    ]);
    assert_eq!(agents.keep_present().unwrap(), ["mine"]);
    assert_eq!(agents.offered(), ["odd", "other", "path", "set", "shell"]);
    assert!(agents.command("mine").is_err());
    let refused = named(&["mine=no-such-program-here"]).keep_present().unwrap_err();
    assert!(refused.contains("looked for mine") && refused.contains("--agent NAME=COMMAND"), "{refused}");
    // The command for all agents is not checked.
    let mut any = Agents::new(&["mine=no-such-program-here".to_owned()], Some("anything")).unwrap();
    assert_eq!((any.keep_present().unwrap().len(), any.offered().len()), (1, 0));
}

#[test]
fn an_isolation_is_parsed_or_refused() {
    assert_eq!("none".parse(), Ok(Isolation::None));
    let Isolation::User { name, uid, .. } = "user:root".parse().unwrap() else { panic!("a user") };
    assert_eq!((name.as_str(), uid), ("root", 0));
    for wrong in ["", "vm", "user:nobody-of-that-name", "container:", "container:--privileged", "user"] {
        assert!(wrong.parse::<Isolation>().is_err(), "{wrong}");
    }
}

#[test]
fn the_environment_has_the_listed_variables_and_the_session() {
    let job: Job = serde_json::from_value(serde_json::json!({
        "session_id": "s", "lease": "l", "lease_seconds": 300, "prompt": "p", "time_limit_seconds": 60,
        "branch": "mayday/x", "gateway": {"base_url": "https://models.example/llm/", "api_key": "sk-1"},
    }))
    .unwrap();
    let here = Path::new("/r");
    let given = Path::new("/given");
    let places = Places {
        run: here,
        given,
        repo: here,
        instructions: given,
        context: given,
        result: here,
        lent: Some(here),
    };
    let environment = environment(&job, &places, &[], "https://mayday.example");
    assert_eq!(environment["OPENAI_BASE_URL"], "https://models.example/llm/v1");
    assert_eq!(environment["ANTHROPIC_AUTH_TOKEN"], "sk-1");
    assert_eq!(environment["MAYDAY_BRANCH"], "mayday/x");
    let allowed = |name: &str| {
        PASSED.contains(&name)
            || ["MAYDAY_", "ANTHROPIC_", "OPENAI_"].iter().any(|start| name.starts_with(start))
    };
    let others: Vec<&String> = environment.keys().filter(|name| !allowed(name)).collect();
    assert!(others.is_empty(), "{others:?}");
    // With a container, the values are in the engine's environment, not in its arguments.
    let limits = Limits { most: Burden { processes: 7, bytes: 64 << 20 }, cpus: None };
    let isolation = Isolation::Container { engine: "podman".into(), image: "agents".into() };
    let launch = isolation.launch("work", environment, &places, ("mayday-s", limits), None);
    let words = launch.command.join(" ");
    assert!(!words.contains("sk-1"));
    assert!(words.contains("--volume /given:/given:ro"), "{words}");
    assert!(words.contains("--user 0:0 "), "{words}");
    assert!(words.contains("--pids-limit 7 --memory 67108864"), "{words}");
    assert_eq!(launch.environment["OPENAI_API_KEY"], "sk-1");
    assert_eq!(launch.container, Some(("podman".to_owned(), "mayday-s".to_owned())));
}

#[test]
fn the_gateway_does_not_replace_the_runners_own_provider() {
    let own = |names: &[&str]| {
        let passed: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        ["ANTHROPIC_", "OPENAI_"].map(|provider| has_own(provider, &passed))
    };
    assert_eq!(own(&["OPENAI_API_KEY"]), [false, true]);
    assert_eq!(own(&["ANTHROPIC_AUTH_TOKEN", "OPENAI_API_BASE"]), [true, true]);
    assert_eq!(own(&["ANTHROPIC_MODEL", "OPENAI_LOG", "MY_OPENAI_API_KEY"]), [false, false]);
}
