import { Button, Tabs } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useOrigin } from "../../../first-steps/use-origin.ts";
import { paths } from "../../../paths.ts";
import { Snippet } from "../../../ui/Snippet.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { NewToken } from "../tokens/NewToken.tsx";
import { clients, variable } from "./clients.ts";

/** How to connect an agent that looks up issues, logs and releases by itself. */
export function Agents() {
  const origin = useOrigin();
  const [making, setMaking] = useState(false);
  return (
    <>
      <h2>Connect an agent (MCP)</h2>
      <p className={classes.lead}>
        Let Claude Code, Codex and other agents look up issues, events, logs and releases while they work, by the Model
        Context Protocol. <code>docs/mcp.md</code> lists the tools and says how agents are kept safe.
      </p>
      <Snippet label="Address of the MCP server" text={`${origin}/mcp`} />
      <section className={classes.part} aria-labelledby="agent-token">
        <h3 id="agent-token">1. Create a token</h3>
        <p className={classes.lead}>
          With <em>Read</em>, an agent sees what you see and changes nothing. With <em>Read and write</em>, it may also
          resolve, assign and comment in your name. Your <Link to={paths.account("tokens")}>access tokens</Link> can be
          revoked at any time.
        </p>
        <div>
          <Button variant="default" onClick={() => setMaking(true)}>
            New token…
          </Button>
        </div>
        <p className={classes.lead}>
          Put it where your agent runs, in place of <code>…</code>:
        </p>
        <Snippet label="Variable with the token" text={`export ${variable}=…`} />
      </section>
      <section className={classes.part} aria-labelledby="agent-client">
        <h3 id="agent-client">2. Add the server to your agent</h3>
        <Tabs defaultValue={clients[0]?.id ?? ""} keepMounted={false}>
          <Tabs.List>
            {clients.map(({ id, name }) => (
              <Tabs.Tab key={id} value={id}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {clients.map(({ id, name, where, text }) => (
            <Tabs.Panel key={id} value={id} pt="sm" className={classes.section ?? ""}>
              <p className={classes.lead}>{where}</p>
              <Snippet label={`Setup: ${name}`} text={text(origin)} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </section>
      <NewToken opened={making} close={() => setMaking(false)} />
    </>
  );
}
