import { Drawer } from "@mantine/core";
import { memo } from "react";
import { Nav } from "./Nav.tsx";

interface Props {
  opened: boolean;
  close: () => void;
  /** Opens the list of shortcuts. */
  help: () => void;
}

/** The navigation over the page, on a small screen. */
export default memo(function MenuDrawer({ opened, close, help }: Props) {
  return (
    <Drawer opened={opened} onClose={close} size="17rem" title="Mayday">
      <Nav help={help} always />
    </Drawer>
  );
});
