import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import { freshKeysQuery } from "../../first-steps/keys.ts";
import { useOrigin } from "../../first-steps/use-origin.ts";
import { type Place, placeholder } from "../../first-steps/snippets.ts";
import { paths } from "../../paths.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import { Empty } from "../../ui/States.tsx";
import classes from "./Page.module.css";
import { useTailStream } from "./use-tail-stream.ts";

/** How long the index takes to include new entries, in milliseconds. */
const indexed = 1_500;

/** Sends one entry; a test runs it as it stands. */
const snippet = ({
  origin,
  key,
}: Place): string => `curl -sS ${origin}/api/v1/logs/batch -H 'Content-Type: application/json' -d '{
  "api_key": "${key}",
  "logs": [{
    "timestamp": '$(date +%s)',
    "level": "info",
    "message": "Order 1234 was paid",
    "logger_name": "shop.orders",
    "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
    "attributes": { "order_id": 1234 }
  }]
}'
`;

/** How to send the first entry; it appears by itself when it arrives. */
export function FirstEntry({ project, arrived }: { project: number; arrived: () => void }) {
  const fresh = useQuery(freshKeysQuery(project)).data?.ingest;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hear = useCallback(() => {
    timer.current ??= setTimeout(arrived, indexed);
  }, [arrived]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useTailStream(paths.tailLogs(project, {}), hear);
  const origin = useOrigin();
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
