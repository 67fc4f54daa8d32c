import { Count } from "./Count.tsx";

/** The number of affected users; a dash if events do not name users. `within` says of which events, where others count. */
export function UserCount({ of, within = "" }: { of: number; within?: string }) {
  if (of > 0) {
    return (
      <>
        <Count of={of} unit={`${of === 1 ? "user" : "users"} ${within}`.trimEnd()} />
        {within !== "" && <span className="unseen"> {within}</span>}
      </>
    );
  }
  return (
    <span className="muted" title="Unknown: no event names a user">
      <span aria-hidden>–</span>
      <span className="unseen">unknown</span>
    </span>
  );
}
