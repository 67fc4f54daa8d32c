import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { changeMember, removeMember } from "../../../api/organization-queries.ts";
import { organizationQuery } from "../../../api/queries.ts";
import type { Member, Organization } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Confirm } from "../../../ui/Confirm.tsx";
import { done } from "../../../ui/notify.tsx";
import { oneLine } from "../../../ui/visible.ts";
import { PasswordLink } from "./PasswordLink.tsx";
import { nameOf } from "./people.ts";

export interface Asked {
  what: "disable" | "enable" | "remove" | "leave" | "link";
  member: Member;
}

const words = {
  disable: {
    title: "Disable the account here?",
    action: "Disable",
    text: "They are signed out at once and cannot sign in until somebody enables them again. What they did stays.",
    did: "was disabled",
  },
  enable: {
    title: "Enable the account again?",
    action: "Enable",
    text: "They can sign in again, with the role that they had.",
    did: "was enabled",
  },
  remove: {
    title: "Remove from the organization?",
    action: "Remove",
    text: "They are signed out at once and lose access to every project. What they did stays, under their name. They can be invited again.",
    did: "was removed",
  },
  leave: {
    title: "Leave the organization?",
    action: "Leave",
    text: "You are signed out, and lose access to every project of it. To come back you need a new invitation.",
    did: "",
  },
} as const;

/** Asks before somebody's access changes. */
export function Changes({
  organization,
  asked,
  close,
}: {
  organization: Organization;
  asked: Asked | undefined;
  close: () => void;
}) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { id } = organization;
  if (!asked) return null;
  const { what, member } = asked;
  if (what === "link") return <PasswordLink organization={id} member={member} close={close} />;
  const run = async () => {
    if (what === "disable" || what === "enable")
      await changeMember(id, member.id, { status: what === "disable" ? "disabled" : "active" });
    else await removeMember(id, member.id);
    if (what === "leave") {
      cache.clear();
      await navigate({ to: paths.home, replace: true });
      return;
    }
    await cache.invalidateQueries({ queryKey: organizationQuery(id).queryKey, exact: true });
    done(`${oneLine(nameOf(member))} ${words[what].did}`);
  };
  return (
    <Confirm opened close={close} title={words[what].title} action={words[what].action} run={run}>
      <p>
        <strong>
          <bdi>{oneLine(what === "leave" ? organization.name : nameOf(member))}</bdi>
        </strong>
        . {words[what].text}
      </p>
    </Confirm>
  );
}
