import { Button } from "@mantine/core";

interface Props {
  /** What it does to which row, for screen readers: `Delete Workshop`. */
  label: string;
  children: string;
  /** It destroys something, or takes something away. */
  danger?: boolean;
  busy?: boolean;
  onClick: () => void;
}

/** A small button at the end of a row. */
export function RowAction({ label, children, danger = false, busy, onClick }: Props) {
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      {...(danger && { color: "red" })}
      aria-label={label}
      aria-busy={busy}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

/** Above the buttons of the rows; seen by nobody. */
export const ActionsHead = () => (
  <th scope="col">
    <span className="unseen">Actions</span>
  </th>
);
