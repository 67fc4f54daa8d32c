import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import classes from "./Password.module.css";

/** A password field whose content can be shown, and that says when Caps Lock is on. */
export function Password({ label, ...rest }: Omit<PasswordInputProps, "visible" | "onVisibilityChange">) {
  const [visible, setVisible] = useState(false);
  const [caps, setCaps] = useState(false);
  const look = (event: KeyboardEvent) => {
    // Some password managers dispatch events that are not key events.
    if (typeof event.getModifierState === "function") setCaps(event.getModifierState("CapsLock"));
  };
  return (
    <>
      <PasswordInput
        {...rest}
        aria-invalid={Boolean(rest.error) || undefined}
        label={
          <>
            {label}
            {caps && (
              <span className={classes.caps} aria-hidden>
                Caps Lock is on
              </span>
            )}
          </>
        }
        labelProps={{ className: classes.label }}
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ "aria-label": visible ? "Hide password" : "Show password", tabIndex: 0 }}
        onKeyDown={look}
        onKeyUp={look}
        onBlur={() => setCaps(false)}
      />
      <span className="unseen" role="status">
        {caps ? "Caps Lock is on" : ""}
      </span>
    </>
  );
}
