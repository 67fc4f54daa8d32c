import type { PasswordInputProps } from "@mantine/core";
import { Password } from "./Password.tsx";
import { lengthOf, passwordBounds } from "./rules.ts";
import classes from "./NewPassword.module.css";

/** A field for a new password, with the required length and the progress towards it. */
export function NewPassword({ value = "", ...rest }: PasswordInputProps & { value?: string }) {
  const length = lengthOf(value);
  const missing = passwordBounds.min - length;
  return (
    <div>
      <Password
        {...rest}
        value={value}
        description={`${passwordBounds.min} to ${passwordBounds.max} characters. Several words are easy to remember.`}
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
      <div className={classes.meter} data-shown={length > 0 || undefined} aria-hidden>
        <progress value={Math.min(length, passwordBounds.min)} max={passwordBounds.min} />
        <span className="number">{missing > 0 ? `${missing} more` : "Long enough"}</span>
      </div>
    </div>
  );
}
