import { Menu, type MenuProps } from "@mantine/core";
import { cloneElement, type ReactElement, type ReactNode, useDeferredValue, useState } from "react";

interface Props extends Pick<MenuProps, "opened" | "onChange" | "position"> {
  /** The button that opens it. */
  target: ReactElement<{ onPointerDown?: () => void; onPointerCancel?: () => void; onClick?: () => void }>;
  children: ReactNode;
}

/**
 * A menu that is created after the first paint, because positioning takes half of a button's rendering time. A click
 * on the button before that is kept until the menu can open.
 */
export function LateMenu({ target, children, ...menu }: Props) {
  const isPainted = useDeferredValue(true, false);
  const [press, setPress] = useState<"none" | "down" | "done">("none");
  if (press !== "done" && (!isPainted || press === "down")) {
    const onClick = () => {
      setPress("done");
      menu.onChange?.(true);
    };
    return cloneElement(target, {
      onPointerDown: () => setPress("down"),
      onPointerCancel: () => setPress("none"),
      onClick,
    });
  }
  return (
    <Menu {...menu} defaultOpened={press === "done"}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
