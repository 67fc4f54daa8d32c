import { Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";

interface Props<Made> {
  opened: boolean;
  close: () => void;
  title: (made: Made | undefined) => string;
  /** Whether it is shown only this once. */
  isOnce?: (made: Made) => boolean;
  form: (setMade: (made: Made) => void, leave: () => void) => ReactNode;
  view: (made: Made, leave: () => void) => ReactNode;
}

/** Creates a key or a token, then shows it. */
export function SecretDialog<Made>({ opened, close, title, isOnce = () => true, form, view }: Props<Made>) {
  const [made, setMade] = useState<Made>();
  const leave = () => {
    setMade(undefined);
    close();
  };
  // An accidental key or click must not close what is shown only once.
  const isGuarded = made !== undefined && isOnce(made);
  return (
    <Modal
      opened={opened}
      onClose={leave}
      title={title(made)}
      size="lg"
      closeOnEscape={!isGuarded}
      closeOnClickOutside={!isGuarded}
      withCloseButton={!isGuarded}
    >
      {made === undefined ? form((created) => setMade(() => created), leave) : view(made, leave)}
    </Modal>
  );
}
