import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { Bug, CircleAlert } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { reachable } from "../api/client.ts";
import { useConnection } from "../api/connection.ts";
import { ApiError, isStatus, messageOf } from "../api/error.ts";
import { Page } from "../navigation/Page.tsx";
import { Snippet } from "../ui/Snippet.tsx";
import classes from "../ui/States.module.css";
import { Failed } from "../ui/States.tsx";
import { Forbidden, NotFound } from "./Missing.tsx";

/** Replaces a page that could not be loaded or rendered. */
export function Crash({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const cache = useQueryClient();
  useEffect(() => {
    if (!(error instanceof ApiError)) console.error(error);
  }, [error]);
  const retry = () => {
    // A cached answer that cannot be rendered would break the page again.
    void cache.resetQueries({ queryKey: ["project"] });
    reset();
    void router.invalidate();
  };
  useOnceBack(error, retry);
  if (isStatus(error, 403)) return <Forbidden />;
  if (isStatus(error, 404)) return <NotFound />;
  if (error instanceof ApiError) {
    return (
      <Page title="Could not be loaded" bare wide>
        <Failed error={error} retry={retry} what="This page" />
      </Page>
    );
  }
  return isOldBuild(error) ? <Updated /> : <Broken error={error} retry={retry} />;
}

/** How long to wait before asking again whether a proxy has a server behind it, in milliseconds. */
const wait = 5_000;

/** Tries again when the server answers after a silence, or itself after a proxy: the router does not do so. */
function useOnceBack(error: unknown, retry: () => void) {
  const { state } = useConnection();
  const was = useRef(state);
  const again = useEffectEvent(retry);
  useEffect(() => {
    if (isStatus(error, 0) && was.current === "down" && state === "up") again();
    was.current = state;
  }, [error, state]);
  useEffect(() => {
    // A proxy's answer counts as one, so that the connection stays up; and signed out, nothing else asks.
    if (!isStatus(error, 0, 502, 503, 504)) return;
    const timer = setInterval(() => reachable().then(again, () => undefined), wait);
    return () => clearInterval(timer);
  }, [error]);
}

/** A part of the app that a newer server no longer has. */
const isOldBuild = (error: unknown): boolean =>
  /dynamically imported module|preload CSS|Importing a module script|Failed to fetch/i.test(messageOf(error));

function Updated() {
  return (
    <Page title="Part of the page is missing" bare wide>
      <div className={classes.state} role="alert">
        <CircleAlert aria-hidden className={classes.bad} />
        <h2>Part of this page could not be loaded</h2>
        <p>Mayday may have been updated since you opened this page. Reloading usually helps.</p>
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    </Page>
  );
}

function Broken({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Page title="Something broke" bare wide>
      <div className={classes.state} role="alert">
        <Bug aria-hidden className={classes.bad} />
        <h2>This page broke</h2>
        <p>
          This is a bug in Mayday, not something you did. Nothing was lost on the server. Try again, or reload the page.
        </p>
        <div className={classes.words}>
          <Snippet label="what happened" text={(error instanceof Error && error.stack) || messageOf(error)} />
        </div>
        <Button onClick={retry}>Try again</Button>
      </div>
    </Page>
  );
}
