import { CircleAlert, CircleDashed } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isStatus, messageOf } from "../api/error.ts";
import { LineBones, PageBones } from "./Bones.tsx";
import { BusyButton } from "./BusyButton.tsx";
import classes from "./States.module.css";
import { Sentence } from "./Text.tsx";

/** Nothing is shown for loads that take less than this, in milliseconds. */
const patience = 200;

/** A placeholder while something is loading, after a moment; `bones` if its shape is known. */
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

/** A placeholder while a page's code is loading. */
export const PendingPage = () => <Loading bones={<PageBones />} />;

/** Whether a banner above says that there is no connection, and offers to try again. */
export const ConnectionLost = createContext(false);

/** An error message, and a button to try again, which is `busy` meanwhile; none where the banner has one. */
export function Failed({
  error,
  retry,
  busy = false,
  what = "This",
}: {
  error: unknown;
  retry?: (() => void) | undefined;
  busy?: boolean;
  what?: string;
}) {
  const isLost = useContext(ConnectionLost) && isStatus(error, 0);
  // A button that is there stays: it may have the focus.
  const [hasButton] = useState(!isLost);
  const isTriedAbove = isLost && !hasButton;
  const box = useRef<HTMLDivElement>(null);
  // When it succeeds, the button goes: the focus stays in the page or the dialog, unless somebody else takes it.
  useLayoutEffect(
    () => () => {
      const within = box.current?.contains(document.activeElement);
      const home = within && box.current?.closest<HTMLElement>("[role=dialog],main");
      if (home) setTimeout(() => document.activeElement === document.body && home.focus({ preventScroll: true }));
    },
    [],
  );
  return (
    <div ref={box} className={classes.state} role="alert">
      <CircleAlert aria-hidden className={classes.bad} />
      <h2>{what} could not be loaded</h2>
      <p>
        <Sentence text={isTriedAbove ? "This loads by itself once the connection is back." : messageOf(error)} />
      </p>
      {retry && !isTriedAbove && (
        <BusyButton
          variant="default"
          busy={busy}
          label="Try again"
          doing="Trying again…"
          onClick={() => busy || retry()}
        />
      )}
    </div>
  );
}

/** An empty state: why there is nothing, and what to do next. */
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

/** Renders the loading, failed and loaded states of a query. `rows` or `bones` describe the shape of the result. */
export function Answer<T>(props: {
  query: { data: T | undefined; error: unknown; isPending: boolean; isFetching: boolean; refetch: () => unknown };
  what: string;
  rows?: number;
  bones?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { query, what, rows, bones, children } = props;
  // Keeps old data even if a refetch failed: the shell reports that the server does not respond.
  if (query.data !== undefined) return children(query.data);
  if (!query.isPending) {
    const retry = () => void query.refetch();
    return <Failed error={query.error} what={what} retry={retry} busy={query.isFetching} />;
  }
  const label = `Loading ${what.toLowerCase()}`;
  return <Loading label={label} {...(rows ? { rows } : {})} {...(bones ? { bones } : {})} />;
}
