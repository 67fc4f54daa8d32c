import { Tabs } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import { type Place, actionsSnippet, shellSnippet } from "./ci.ts";
import classes from "./Release.module.css";

/** What CI runs: it creates a release, uploads its source maps and finalizes it. */
export function CiSnippet({ project, ...place }: { project: number } & Omit<Place, "origin">) {
  const whole = { ...place, origin: location.origin };
  return (
    <div className={classes.snippet}>
      <Tabs defaultValue="shell" keepMounted={false}>
        <Tabs.List aria-label="CI system">
          <Tabs.Tab value="shell">Any shell</Tabs.Tab>
          <Tabs.Tab value="actions">GitHub Actions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="shell">
          <Snippet label="upload for any shell" text={shellSnippet(whole)} />
        </Tabs.Panel>
        <Tabs.Panel value="actions">
          <Snippet label="upload for GitHub Actions" text={actionsSnippet(whole)} />
        </Tabs.Panel>
      </Tabs>
      <p className="muted">
        <code>MAYDAY_KEY</code> is a project key with the <code>releases</code> scope:{" "}
        <Link to={paths.settings(project, "keys")}>create one</Link> and store it with your CI’s secrets. Events have to
        report the same version as their <code>release</code>.
      </p>
    </div>
  );
}
