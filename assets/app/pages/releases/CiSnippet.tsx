import { Tabs } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import { type Place, actionsSnippet, shellSnippet } from "./ci.ts";
import classes from "./Release.module.css";

/** What CI runs: a release, its source maps, done. */
export function CiSnippet({ project, ...place }: { project: number } & Omit<Place, "origin">) {
  const whole = { ...place, origin: location.origin };
  return (
    <div className={classes.snippet}>
      <Tabs defaultValue="shell" keepMounted={false}>
        <Tabs.List aria-label="Kind of CI">
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
        <code>MAYDAY_KEY</code> is a project key with the scope <code>releases</code>:{" "}
        <Link to={paths.settings(project, "keys")}>make one</Link>, and keep it among the secrets of your CI. Events
        name the same version as their <code>release</code>.
      </p>
    </div>
  );
}
