import { Drawer } from "@mantine/core";
import { Nav } from "./Nav.tsx";

interface Props {
  opened: boolean;
  close: () => void;
  /** Opens the list of shortcuts. */
  help: () => void;
}

/** The navigation over the page, on a small screen. */
export default function MenuDrawer({ opened, close, help }: Props) {
  return (
    <Drawer opened={opened} onClose={close} size="17rem" title="Mayday" closeButtonProps={{ "aria-label": "Close" }}>
      <Nav help={help} always />
    </Drawer>
  );
}
