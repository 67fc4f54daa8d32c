import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { api, ok } from "../../api/client.ts";
import { serverNow } from "../../api/server-clock.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { newestQuery } from "./arrival.ts";
import { testEvent } from "./test-event.ts";
import classes from "./Start.module.css";

/** How long it takes until a sent event is an issue, if there is no live stream; in milliseconds. */
const readable = 2_500;

/** Sends an event through the real intake, with the project's own key. */
export function TestButton({
  project,
  apiKey,
  mayCreate,
}: {
  project: number;
  apiKey: string | undefined;
  mayCreate: boolean;
}) {
  const cache = useQueryClient();
  const reason = useId();
  const button = useRef<HTMLButtonElement>(null);
  const going = useRef(false);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async () => {
    if (going.current || apiKey === undefined) return;
    going.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await ok(api.POST("/api/v1/errors", { body: testEvent(apiKey, serverNow()) }));
      setSent(true);
      setTimeout(() => void cache.invalidateQueries({ queryKey: newestQuery(project).queryKey }), readable);
    } catch (problem) {
      setError(problem);
    } finally {
      going.current = false;
      setBusy(false);
    }
  };
  useEffect(() => {
    // A busy button loses the focus.
    if (!busy && (sent || error !== undefined) && document.activeElement === document.body) button.current?.focus();
  }, [busy, sent, error]);
  const why = mayCreate
    ? "This needs a key: create one in step 1."
    : "This needs a key. Owners and admins can create one.";
  return (
    <div className={classes.test}>
      <Button
        ref={button}
        variant="default"
        size="sm"
        loading={busy}
        disabled={apiKey === undefined}
        aria-describedby={reason}
        onClick={() => void send()}
      >
        Send test event
      </Button>
      <span id={reason} className={`${classes.about} ${classes.said}`} role="status">
        {apiKey === undefined ? why : sent ? "Accepted." : ""}
      </span>
      <Alarm error={error} />
    </div>
  );
}
