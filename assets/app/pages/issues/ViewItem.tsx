import { Menu } from "@mantine/core";
import { Pencil, Save, Trash2, Users } from "lucide-react";
import type { View } from "../../api/schema.d.ts";
import { viewWords } from "../../issue-search/views.ts";
import { Line } from "../../ui/Text.tsx";
import classes from "./Bar.module.css";

interface Props {
  view: View;
  open: (view: View) => void;
  /** What the person may do to it. */
  remove?: () => void;
  edit?: () => void;
  /** Makes it keep what the list shows, if that is something else. */
  update?: (() => void) | undefined;
}

/** A saved view in the menu, and what can be done to it. */
export function ViewItem({ view, open, remove, edit, update }: Props) {
  const { name, shared, owner } = view;
  const by = shared && owner ? `, shared by ${owner.name}` : "";
  return (
    <div className={classes.saved}>
      <Menu.Item
        onClick={() => open(view)}
        title={`${viewWords(view)}${by}`}
        leftSection={shared ? <Users size="0.75rem" role="img" aria-label="Shared:" /> : undefined}
      >
        <Line text={name} />
      </Menu.Item>
      {update && (
        <Menu.Item
          className={classes.forget ?? ""}
          aria-label={`Update view ${name} to this search`}
          title="Update to this search"
          onClick={update}
        >
          <Save size="0.75rem" aria-hidden />
        </Menu.Item>
      )}
      {edit && (
        <Menu.Item className={classes.forget ?? ""} aria-label={`Edit view ${name}`} title="Edit" onClick={edit}>
          <Pencil size="0.75rem" aria-hidden />
        </Menu.Item>
      )}
      {remove && (
        <Menu.Item className={classes.forget ?? ""} aria-label={`Delete view ${name}`} title="Delete" onClick={remove}>
          <Trash2 size="0.75rem" aria-hidden />
        </Menu.Item>
      )}
    </div>
  );
}
