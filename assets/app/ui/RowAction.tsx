import { Button } from "@mantine/core";

interface Props {
  /** The action and its row, for screen readers: `Delete Workshop`. */
  label: string;
  children: string;
  /** Whether it destroys or revokes something. */
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

/** The column header of row actions; visually hidden. */
export const ActionsHead = () => (
  <th scope="col">
    <span className="unseen">Actions</span>
  </th>
);
