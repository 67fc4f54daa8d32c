import { Button } from "@mantine/core";
import { CircleAlert, CircleDashed } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { messageOf } from "../api/error.ts";
import { LineBones, PageBones } from "./Bones.tsx";
import classes from "./States.module.css";
import { Sentence } from "./Text.tsx";

/** What arrives within this shows nothing in between, in milliseconds. */
const patience = 200;

/** Grey shapes in the place of what is being loaded, after a moment: `bones` where it is known what will come. */
export function Loading({
  rows = 8,
  bones = <LineBones rows={rows} />,
  label = "Loading",
}: {
  rows?: number;
  bones?: ReactNode;
  label?: string;
}) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true">
      <span className="unseen" role="status">
        {late ? `${label}…` : ""}
      </span>
      {late && bones}
    </div>
  );
}

/** In the place of a page whose code is being fetched. */
export const PendingPage = () => <Loading bones={<PageBones />} />;

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
      <p>
        <Sentence text={messageOf(error)} />
      </p>
      {retry && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** There is nothing: why, and what to do next. */
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

/** The three states around an answer of the server; `rows` or `bones` say what it will look like. */
export function Answer<T>(props: {
  query: { data: T | undefined; error: unknown; isPending: boolean; refetch: () => unknown };
  what: string;
  rows?: number;
  bones?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { query, what, rows, bones, children } = props;
  // What is there stays, even when asking again failed: the shell says that the server is silent.
  if (query.data !== undefined) return children(query.data);
  if (!query.isPending) return <Failed error={query.error} what={what} retry={() => void query.refetch()} />;
  const label = `Loading ${what.toLowerCase()}`;
  return <Loading label={label} {...(rows ? { rows } : {})} {...(bones ? { bones } : {})} />;
}
