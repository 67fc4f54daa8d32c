import { Button, Checkbox, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { CreatedKey } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import keyClasses from "./Keys.module.css";
import { LeaveGuard } from "./LeaveGuard.tsx";
import classes from "./Settings.module.css";

/** A new key, in full, this once; closed by saying that it was kept. */
export function KeptKey({ project, made, close }: { project: number; made: CreatedKey; close: () => void }) {
  const [kept, setKept] = useState(false);
  const uploads = made.scopes.includes("releases");
  return (
    <div className={keyClasses.kept}>
      <p>This is the only time that it is shown: Mayday keeps a hash of it.</p>
      <Snippet label="the new key" text={made.key} />
      <p className={classes.lead}>
        {made.scopes.includes("ingest") && "It is sent with each event as api_key. "}
        {uploads && "Give it to your CI as MAYDAY_KEY. "}
        {!uploads && !made.scopes.includes("ingest") && "It is sent as Authorization: Bearer. "}
      </p>
      <Checkbox label="I have kept it in a safe place" checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} data-autofocus />
      <Group justify="flex-end">
        {kept && uploads && (
          <Button component={Link} to={paths.releases(project)} variant="default">
            To the releases
          </Button>
        )}
        {kept && made.scopes.includes("ingest") && (
          <Button component={Link} to={paths.start(project)} variant="default">
            To the snippets
          </Button>
        )}
        <Button disabled={!kept} onClick={close}>
          Done
        </Button>
      </Group>
      <LeaveGuard when={!kept} title="The key was not kept">
        It cannot be shown again. If it was not copied, it has to be revoked and another made.
      </LeaveGuard>
    </div>
  );
}
