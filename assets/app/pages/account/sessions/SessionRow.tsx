import { CircleHelp, Monitor, Smartphone, SquareTerminal } from "lucide-react";
import type { Session } from "../../../api/schema.d.ts";
import { RowAction } from "../../../ui/RowAction.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { visible } from "../../../ui/visible.ts";
import own from "../Account.module.css";
import { deviceOf } from "./device.ts";

const icons = { computer: Monitor, phone: Smartphone, program: SquareTerminal, unknown: CircleHelp };
const ways: Record<Session["method"], string> = {
  setup: "by claiming this instance",
  password: "with your password",
  invitation: "with an invitation",
  sso: "through single sign-on",
  github: "through GitHub",
};

/** One place where the person is signed in. */
export function SessionRow({ session, end }: { session: Session; end: () => void }) {
  const { words, kind } = deviceOf(session.user_agent);
  const Icon = icons[kind];
  return (
    <li className={own.row}>
      <Icon size="1rem" aria-hidden />
      <div className={own.what}>
        <span>
          <bdi
            title={
              session.user_agent === null ? "It did not identify itself" : visible(session.user_agent.slice(0, 500))
            }
          >
            {words}
          </bdi>
          {session.current && <span className={own.here}>this device</span>}
        </span>
        <span className={own.dots}>
          {session.address !== null && <Line text={session.address} mono />}
          <span>
            last used <Time at={session.last_seen_at} />
          </span>
          <span>
            signed in <Time at={session.created_at} /> {ways[session.method] ?? ""}
          </span>
          <span>
            expires <Time at={session.expires_at} />
          </span>
        </span>
      </div>
      {!session.current && (
        <RowAction label={`Sign out ${words}`} danger onClick={end}>
          Sign out…
        </RowAction>
      )}
    </li>
  );
}
