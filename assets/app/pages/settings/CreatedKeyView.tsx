import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { CreatedKey } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import keyClasses from "../../ui/settings/Keys.module.css";
import { CiSecret } from "../releases/CiKey.tsx";
import { isPublic } from "./key-kinds.ts";
import { NewSecret } from "../../ui/settings/NewSecret.tsx";
import classes from "../../ui/settings/Settings.module.css";

/** A new key in full: shown this once, unless all it can do is send. */
export function CreatedKeyView({ project, made, close }: { project: number; made: CreatedKey; close: () => void }) {
  const uploads = made.scopes.includes("releases");
  const sends = made.scopes.includes("ingest");
  const next = (
    <>
      {uploads && (
        <Button component={Link} to={paths.releases(project)} variant="default">
          Go to releases
        </Button>
      )}
      {sends && (
        <Button component={Link} to={paths.start(project)} variant="default">
          Go to setup
        </Button>
      )}
    </>
  );
  if (isPublic(made)) {
    return (
      <div className={keyClasses.form}>
        <Snippet label="New key" text={made.key} />
        <p className={classes.lead}>
          Send it with every event as <code>api_key</code>. You can copy it again from the list of keys.
        </p>
        <Group justify="flex-end">
          {next}
          <Button onClick={close} data-autofocus>
            Done
          </Button>
        </Group>
      </div>
    );
  }
  return (
    <NewSecret
      label="New key"
      secret={made.key}
      lost="The key cannot be shown again. If you have not copied it, you will have to revoke it and create another."
      next={next}
      close={close}
    >
      <p className={classes.lead}>
        {sends && (
          <>
            Send it with every event as <code>api_key</code>.{" "}
          </>
        )}
        {uploads && (
          <>
            <CiSecret />{" "}
          </>
        )}
        {!uploads && !sends && (
          <>
            Send it as <code>Authorization: Bearer</code>.
          </>
        )}
      </p>
    </NewSecret>
  );
}
