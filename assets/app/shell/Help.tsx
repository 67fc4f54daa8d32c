import { Kbd, Modal } from "@mantine/core";
import { Fragment } from "react";
import { useKeyGroups } from "./keys.ts";
import classes from "./Help.module.css";

const names: Record<string, string> = { Escape: "Esc", ArrowUp: "↑", ArrowDown: "↓", Enter: "Enter", " ": "Space" };
/** What the modifier key is called on this system. */
export const mod = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "") ? "⌘" : "Ctrl";

/** Every shortcut that works on the current page. */
export function Help({ opened, close }: { opened: boolean; close: () => void }) {
  const groups = useKeyGroups();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Keyboard shortcuts"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className={classes.groups}>
        {groups.map((group) => (
          <section key={group.name}>
            <h3>{group.name}</h3>
            <dl>
              {group.keys.map((key) => (
                <div key={key.keys} className={classes.row}>
                  <dt>{key.does}</dt>
                  <dd>
                    <Keys keys={key.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

/** `g i` as two keys, `mod+k` as one chord. */
export function Keys({ keys }: { keys: string }) {
  return keys.split(" ").map((key, at) => (
    <Fragment key={`${key}${at}`}>
      {at > 0 && " then "}
      <Kbd size="xs">
        {key
          .split("+")
          .map((part) => (part === "mod" ? mod : (names[part] ?? (part.length === 1 ? part.toUpperCase() : part))))
          .join(" + ")}
      </Kbd>
    </Fragment>
  ));
}
