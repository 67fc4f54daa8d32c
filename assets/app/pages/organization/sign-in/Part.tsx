import { CircleCheck, CircleDashed } from "lucide-react";
import { type ReactNode, useId } from "react";
import classes from "../../../ui/settings/Settings.module.css";
import own from "./SignIn.module.css";

interface Props {
  title: string;
  on: boolean;
  /** Replaces `on` and `not set up`. */
  state?: string;
  actions?: ReactNode;
  children?: ReactNode;
}

/** One sign-in method, or one group of rules, and whether it is set up. */
export function Part({ title, on, state, actions, children }: Props) {
  const id = useId();
  const Icon = on ? CircleCheck : CircleDashed;
  return (
    <section className={classes.part} aria-labelledby={id}>
      <div className={own.head}>
        <h2 id={id}>{title}</h2>
        <span className={own.state} data-on={on || undefined}>
          <Icon aria-hidden /> {state ?? (on ? "on" : "not set up")}
        </span>
        {actions && <div className={own.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
