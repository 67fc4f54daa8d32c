import { type Sdk, withoutMaps } from "../../first-steps/sdks.ts";
import { releaseOfSnippets } from "../../first-steps/snippets.ts";
import { Code } from "./Code.tsx";
import { FreshKey } from "./FreshKey.tsx";
import { CreateKey } from "./CreateKey.tsx";
import { AboutCommand, CiSecret } from "../releases/CiKey.tsx";
import { commandSnippet, shellSnippet } from "../releases/ci.ts";
import { Step } from "./Step.tsx";
import classes from "./Start.module.css";

interface Props {
  project: number;
  /** What the snippet is for. */
  sdk: Sdk;
  place: { origin: string; key: string | undefined };
  mayCreate: boolean;
}

/** What is to be done so that frames show their source: where scripts may be minified, to upload source maps. */
export function MapsStep({ sdk, ...props }: Props) {
  const why = withoutMaps[sdk];
  return why === undefined ? <Upload {...props} /> : <NoUpload why={why} />;
}

/** Where there are no source maps: only releases are named. */
function NoUpload({ why }: { why: string }) {
  return (
    <Step id="maps" title="Next: name your releases">
      <p>There is nothing to upload. {why}</p>
      <p>
        Set <code>release</code> in the snippet to the version you deploy. An issue then says in which releases it
        happened, and one that is resolved in a release comes back if a later one has it.
      </p>
    </Step>
  );
}

/** How a build uploads its source maps. */
function Upload({ project, place, mayCreate }: Omit<Props, "sdk">) {
  const whole = { origin: place.origin, version: releaseOfSnippets, key: place.key };
  return (
    <Step id="maps" title="Next: upload source maps">
      <p>
        Is your JavaScript minified? Upload its source maps from your build, and every frame shows the original file,
        function and line. Run this after bundling, with the same release as in the snippet.
      </p>
      {place.key !== undefined ? (
        <FreshKey text={place.key} label="CI key" once isNew>
          Keep it secret. <CiSecret />
        </FreshKey>
      ) : mayCreate ? (
        <CreateKey project={project} use="releases" label="Create CI key" />
      ) : (
        <p className={classes.about}>You need a CI key. Owners and admins can create one.</p>
      )}
      <Code text={commandSnippet(whole)} language="shell" label="Source map upload" />
      <p className={classes.about}>
        <AboutCommand />
      </p>
      <details>
        <summary>Without it, with curl</summary>
        <Code text={shellSnippet(whole)} language="shell" label="Source map upload with curl" />
      </details>
    </Step>
  );
}
