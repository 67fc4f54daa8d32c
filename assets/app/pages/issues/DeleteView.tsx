import type { View } from "../../api/schema.d.ts";
import { Confirm } from "../../ui/Confirm.tsx";
import { oneLine } from "../../ui/visible.ts";

interface Props {
  view: View;
  opened: boolean;
  close: () => void;
  /** Gives the focus to what is there once the dialog is gone. */
  closed: () => void;
  run: () => Promise<void>;
}

/** Asks before another person's view is deleted: everyone in the project has it. */
export function DeleteView({ view, opened, close, closed, run }: Props) {
  const name = oneLine(view.name);
  const owner = view.owner && oneLine(view.owner.name || view.owner.email);
  return (
    <Confirm
      opened={opened}
      close={close}
      closed={closed}
      title="Delete view?"
      action="Delete view"
      doing="Deleting…"
      run={run}
    >
      <p style={{ overflowWrap: "anywhere" }}>
        <bdi>{name}</bdi> is shared with everyone in this project
        {owner && (
          <>
            {" "}
            by <bdi>{owner}</bdi>
          </>
        )}
        , and will be gone for all of them. This cannot be undone.
      </p>
    </Confirm>
  );
}
