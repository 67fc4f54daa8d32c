import { Password } from "./Password.tsx";
import { lengthOf, passwordBounds } from "./rules.ts";
import classes from "./NewPassword.module.css";

interface Props {
  name: string;
  label: string;
  value: string;
  error?: string | undefined;
  autoFocus?: boolean;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

/** A password to be: how long it has to be, and how far it is. */
export function NewPassword({ value, ...rest }: Props) {
  const length = lengthOf(value);
  const missing = passwordBounds.min - length;
  return (
    <div>
      <Password
        {...rest}
        value={value}
        description={`${passwordBounds.min} to ${passwordBounds.max} characters; a few words are easy to remember.`}
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
      <div className={classes.meter} data-shown={length > 0 || undefined} aria-hidden>
        <progress value={Math.min(length, passwordBounds.min)} max={passwordBounds.min} />
        <span className="number">{missing > 0 ? `${missing} more` : "long enough"}</span>
      </div>
    </div>
  );
}
