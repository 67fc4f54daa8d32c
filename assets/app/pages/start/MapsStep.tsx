import { Code } from "./Code.tsx";
import { FreshKey } from "./FreshKey.tsx";
import { CreateKey } from "./CreateKey.tsx";
import { placeholder, uploadSnippet } from "./snippets.ts";
import { Step } from "./Step.tsx";
import classes from "./Start.module.css";

interface Props {
  project: number;
  place: { origin: string; key: string | undefined };
  mayMake: boolean;
}

/** Minified code is read at its original lines once the build sends its source maps. */
export function MapsStep({ project, place, mayMake }: Props) {
  return (
    <Step id="maps" title="Then: upload source maps">
      <p>
        Is your JavaScript minified? Let the build send its source maps, and every frame shows the original file,
        function and line. Run this after bundling, with the same release as in the snippet.
      </p>
      {place.key !== undefined ? (
        <FreshKey text={place.key} label="CI key" once isNew>
          It is a secret: keep it where your build keeps its secrets.
        </FreshKey>
      ) : mayMake ? (
        <CreateKey project={project} use="releases" label="Make a CI key" />
      ) : (
        <p className={classes.about}>It needs a CI key, which an owner or an admin makes.</p>
      )}
      <Code
        text={uploadSnippet({ origin: place.origin, key: place.key ?? placeholder })}
        language="shell"
        label="Upload of source maps"
      />
    </Step>
  );
}
