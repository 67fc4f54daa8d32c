import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import { metaQuery } from "../../api/queries.ts";
import { paths } from "../../paths.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import { Empty } from "../../ui/States.tsx";
import { freshKeysQuery } from "../start/keys.ts";
import { originOf } from "../start/origin.ts";
import { placeholder } from "../start/snippets.ts";
import classes from "./Page.module.css";
import { snippet } from "./snippet.ts";
import { useTailStream } from "./use-tail-stream.ts";

/** How long the index takes to include new entries, in milliseconds. */
const indexed = 1_500;

/** How to send the first entry; disappears when it arrives. */
export function FirstEntry({ project, arrived }: { project: number; arrived: () => void }) {
  const meta = useQuery(metaQuery);
  const fresh = useQuery(freshKeysQuery(project)).data?.ingest;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hear = useCallback(() => {
    timer.current ??= setTimeout(arrived, indexed);
  }, [arrived]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useTailStream(paths.tailLogs(project, {}), hear);
  const origin = originOf(meta.data?.capabilities.webApp.baseUrl, location.origin);
  return (
    <Empty
      title="No logs yet"
      action={
        <Button variant="default" onClick={arrived}>
          Check again
        </Button>
      }
    >
      <p>
        Logs with the trace ID of an error appear next to it on its issue. Send your first entry from a shell or from
        any language:
      </p>
      <div className={classes.snippet}>
        <Snippet label="First log entry" text={snippet({ origin, key: fresh ?? placeholder })} />
      </div>
      {fresh === undefined && (
        <p>
          <code>{placeholder}</code> stands for your key: <Link to={paths.start(project)}>create one</Link>, or use one
          you have stored.
        </p>
      )}
    </Empty>
  );
}
