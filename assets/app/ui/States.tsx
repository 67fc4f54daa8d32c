import { Button, Skeleton } from "@mantine/core";
import { CircleAlert, CircleDashed } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { messageOf } from "../api/error.ts";
import classes from "./States.module.css";

/** Nothing flashes for what is there at once, in milliseconds. */
const patience = 200;

/** Grey rows in the place of what is being loaded, after a moment. */
export function Loading({ rows = 8, label = "Loading" }: { rows?: number; label?: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={classes.loading} aria-busy="true">
      <span className="unseen" role="status">
        {late ? `${label}…` : ""}
      </span>
      {late && Array.from({ length: rows }, (_, row) => <Skeleton key={row} className={classes.bone ?? ""} />)}
    </div>
  );
}

/** In the place of a page whose code is being fetched. */
export function PendingPage() {
  return (
    <div className={classes.pending}>
      <Loading rows={10} />
    </div>
  );
}

/** What went wrong, in words, and a way to try again. */
export function Failed({
  error,
  retry,
  what = "This",
}: {
  error: unknown;
  retry?: (() => void) | undefined;
  what?: string;
}) {
  return (
    <div className={classes.state} role="alert">
      <CircleAlert aria-hidden className={classes.bad} />
      <h2>{what} could not be loaded</h2>
      <p>{messageOf(error)}</p>
      {retry && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Nothing there: why, and what to do next. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.state}>
      <CircleDashed aria-hidden />
      <h2>{title}</h2>
      {children && <div className={classes.words}>{children}</div>}
      {action}
    </div>
  );
}

/** The three states around an answer of the server. */
export function Answer<T>(props: {
  query: { data: T | undefined; error: unknown; isPending: boolean; refetch: () => unknown };
  what: string;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  const { query, what, rows, children } = props;
  // What is there stays, even when asking again failed: the shell says that the server is silent.
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return <Loading label={`Loading ${what.toLowerCase()}`} {...(rows ? { rows } : {})} />;
  return <Failed error={query.error} what={what} retry={() => void query.refetch()} />;
}
