import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { CreatedKey } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import keyClasses from "../../ui/settings/Keys.module.css";
import { isPublic } from "./key-kinds.ts";
import { Kept } from "../../ui/settings/Kept.tsx";
import classes from "../../ui/settings/Settings.module.css";

/** A new key, in full: this once, unless it may only send. */
export function KeptKey({ project, made, close }: { project: number; made: CreatedKey; close: () => void }) {
  const uploads = made.scopes.includes("releases");
  const sends = made.scopes.includes("ingest");
  const onwards = (
    <>
      {uploads && (
        <Button component={Link} to={paths.releases(project)} variant="default">
          To the releases
        </Button>
      )}
      {sends && (
        <Button component={Link} to={paths.start(project)} variant="default">
          To the snippets
        </Button>
      )}
    </>
  );
  if (isPublic(made)) {
    return (
      <div className={keyClasses.kept}>
        <Snippet label="the new key" text={made.key} />
        <p className={classes.lead}>
          It is sent with each event as api_key. You can copy it again from the list of keys.
        </p>
        <Group justify="flex-end">
          {onwards}
          <Button onClick={close} data-autofocus>
            Done
          </Button>
        </Group>
      </div>
    );
  }
  return (
    <Kept
      label="the new key"
      secret={made.key}
      lost="The key cannot be shown again. If it was not copied, it has to be revoked and another made."
      onwards={onwards}
      close={close}
    >
      <p className={classes.lead}>
        {sends && "It is sent with each event as api_key. "}
        {uploads && "Give it to your CI as MAYDAY_KEY. "}
        {!uploads && !sends && "It is sent as Authorization: Bearer. "}
      </p>
    </Kept>
  );
}
