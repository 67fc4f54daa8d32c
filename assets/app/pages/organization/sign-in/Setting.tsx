import { Line } from "../../../ui/Text.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import own from "./SignIn.module.css";

interface Props {
  name: string;
  /** Nothing: the default holds, which `otherwise` names. */
  value: string | null;
  variable: string;
  otherwise?: string;
  /** What the value means. */
  about?: string | undefined;
  copied?: boolean;
}

/** A setting, its value, and the variable that it comes from. */
export function Setting({ name, value, variable, otherwise = "not set", about, copied = false }: Props) {
  return (
    <div className={own.setting}>
      <dt>{name}</dt>
      <dd>
        <span className={own.value}>
          {value === null || value === "" ? <span className="muted">{otherwise}</span> : <Line text={value} mono />}
          {copied && value && <CopyButton text={value} label={`Copy: ${name.toLowerCase()}`} />}
        </span>
        {about && <span className={own.about}>{about}</span>}
      </dd>
      <dd className={own.variable}>
        <code>{variable}</code>
      </dd>
    </div>
  );
}
