import { Tabs } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import { type Place, actionsSnippet, commandSnippet, shellSnippet } from "./ci.ts";
import classes from "./Release.module.css";

/** What CI runs: it creates a release, uploads its source maps and finalizes it. */
export function CiSnippet({ project, ...place }: { project: number } & Omit<Place, "origin">) {
  const whole = { ...place, origin: location.origin };
  return (
    <div className={classes.snippet}>
      <Tabs defaultValue="command" keepMounted={false}>
        <Tabs.List aria-label="CI system">
          <Tabs.Tab value="command">mayday</Tabs.Tab>
          <Tabs.Tab value="shell">curl</Tabs.Tab>
          <Tabs.Tab value="actions">GitHub Actions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="command">
          <Snippet label="upload with mayday" text={commandSnippet(whole)} />
          <p className="muted">
            <code>mayday</code> is the program that this server runs. It checks each script with its source map and says
            which would not resolve, before it uploads all of them at once.
          </p>
        </Tabs.Panel>
        <Tabs.Panel value="shell">
          <Snippet label="upload with curl" text={shellSnippet(whole)} />
          <p className="muted">
            Sends each source map by itself, of the 100 an hour that a project has, and checks nothing before.
          </p>
        </Tabs.Panel>
        <Tabs.Panel value="actions">
          <Snippet label="upload for GitHub Actions" text={actionsSnippet(whole)} />
        </Tabs.Panel>
      </Tabs>
      <p className="muted">
        <code>MAYDAY_KEY</code> is a CI key, a project key with the permission <code>releases</code>:{" "}
        <Link to={paths.settings(project, "keys")}>create one</Link> and store it with your CI’s secrets. Events have to
        report the same version as their <code>release</code>.
      </p>
    </div>
  );
}
