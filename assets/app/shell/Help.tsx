import { Modal } from "@mantine/core";
import { memo } from "react";
import classes from "./Help.module.css";
import { Keys } from "./Keys.tsx";
import { useKeyGroups } from "./keys.ts";

/** Every shortcut that works on the current page. */
export default memo(function Help({ opened, close }: { opened: boolean; close: () => void }) {
  const groups = useKeyGroups();
  return (
    <Modal opened={opened} onClose={close} title="Keyboard shortcuts" size="lg">
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
});
