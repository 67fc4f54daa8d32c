import { Line } from "../../../ui/Text.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import own from "./SignIn.module.css";

interface Props {
  name: string;
  /** `null` or empty: the default applies, which `otherwise` names. */
  value: string | null;
  variable: string;
  otherwise?: string;
  /** What the value means. */
  about?: string | undefined;
  copied?: boolean;
}

/** A setting, its value, and the variable that sets it. */
export function Setting({ name, value, variable, otherwise = "not set", about, copied = false }: Props) {
  return (
    <div className={own.setting}>
      <dt>{name}</dt>
      <dd>
        <span className={own.value}>
          {value === null || value === "" ? <span className="muted">{otherwise}</span> : <Line text={value} mono />}
          {copied && value && <CopyButton text={value} label={`Copy ${name}`} />}
        </span>
        {about && <span className={own.about}>{about}</span>}
      </dd>
      <dd className={own.variable}>
        <code>{variable}</code>
      </dd>
    </div>
  );
}
