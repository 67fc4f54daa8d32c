import { Tabs } from "@mantine/core";
import { useOrigin } from "../../first-steps/use-origin.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import { AboutCommand, CiKey } from "./CiKey.tsx";
import { type Place, actionsSnippet, commandSnippet, gitlabSnippet, shellSnippet } from "./ci.ts";
import classes from "./Release.module.css";

/** The commands for CI: create a release, upload its source maps and finalize it. */
export function CiSnippet({ project, ...place }: { project: number } & Omit<Place, "origin">) {
  const whole = { ...place, origin: useOrigin() };
  // A step of a workflow runs for each build, so it never names one release.
  const each = { ...whole, version: undefined };
  return (
    <div className={classes.snippet}>
      <Tabs defaultValue="command" keepMounted={false}>
        <Tabs.List aria-label="CI system">
          <Tabs.Tab value="command">mayday</Tabs.Tab>
          <Tabs.Tab value="shell">curl</Tabs.Tab>
          <Tabs.Tab value="actions">GitHub Actions</Tabs.Tab>
          <Tabs.Tab value="gitlab">GitLab CI</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="command">
          <ByCommand {...whole} />
        </Tabs.Panel>
        <Tabs.Panel value="shell">
          <Snippet label="upload with curl" text={shellSnippet(whole)} />
          <p className="muted">
            Uploads the source maps one by one, of which a project may upload 100 an hour, and checks nothing first.
          </p>
        </Tabs.Panel>
        <Tabs.Panel value="actions">
          <Snippet label="upload for GitHub Actions" text={actionsSnippet(each)} />
          <Recipes folder=".github/actions/mayday" />
        </Tabs.Panel>
        <Tabs.Panel value="gitlab">
          <Snippet label="upload for GitLab CI" text={gitlabSnippet(each)} />
          <Recipes folder=".gitlab/mayday" />
          <p className="muted">
            The job that builds keeps its folder for it: <code>{"artifacts: { paths: [dist/] }"}</code>.
          </p>
        </Tabs.Panel>
      </Tabs>
      <CiKey project={project} />
      <p className="muted">
        Events must report the same version as their <code>release</code>.
      </p>
    </div>
  );
}

const ByCommand = (place: Place) => (
  <>
    <Snippet label="upload with mayday" text={commandSnippet(place)} />
    {place.version !== undefined && (
      <p className="muted">
        This names one release. For each build, leave out <code>--release</code>: the version is then the commit.
      </p>
    )}
    <p className="muted">
      <AboutCommand />
    </p>
  </>
);

/** Where the recipes are that a pipeline's step uses. */
const Recipes = ({ folder }: { folder: string }) => (
  <p className="muted">
    First copy the recipes to <code>{folder}</code> in your repository: they are the folder <code>ci/</code> of a
    release’s <code>mayday-deploy-server-vX.Y.Z.tar.gz</code>, and <code>docs/ci.md</code> describes them. They use{" "}
    <code>mayday</code> where the job has it, and curl otherwise, which checks nothing first. The version is the commit
    that is built.
  </p>
);
