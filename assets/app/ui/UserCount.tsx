import { Count } from "./Count.tsx";

/** The number of affected users; a dash if events do not name users. */
export function UserCount({ of }: { of: number }) {
  if (of > 0) return <Count of={of} unit={of === 1 ? "user" : "users"} />;
  return (
    <span className="muted" title="Unknown: no event names a user">
      <span aria-hidden>–</span>
      <span className="unseen">unknown</span>
    </span>
  );
}
