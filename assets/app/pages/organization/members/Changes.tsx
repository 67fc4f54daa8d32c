import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { changeMember, removeMember } from "../../../api/organization-queries.ts";
import { organizationQuery } from "../../../api/queries.ts";
import type { Member, Organization } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Confirm } from "../../../ui/Confirm.tsx";
import { done } from "../../../ui/notify.ts";
import { oneLine } from "../../../ui/visible.ts";
import { PasswordLink } from "./PasswordLink.tsx";
import { nameOf } from "./people.ts";

export interface Asked {
  what: "disable" | "enable" | "remove" | "leave" | "link";
  member: Member;
}

/** What each does; the text goes on after a name, which is the organization's if one leaves it. */
const words = {
  disable: {
    title: "Disable member?",
    action: "Disable member",
    text: " is signed out at once and cannot sign in until somebody enables them again. Their work stays.",
    did: "disabled",
  },
  enable: {
    title: "Enable member?",
    action: "Enable member",
    text: " can sign in again, with the role they had.",
    did: "enabled",
  },
  remove: {
    title: "Remove member?",
    action: "Remove member",
    text: " is signed out at once and loses access to every project. Their work stays, under their name. You can invite them again.",
    did: "removed",
  },
  leave: {
    title: "Leave organization?",
    action: "Leave organization",
    text: ". You are signed out and lose access to all of its projects. To come back, you need a new invitation.",
    did: "",
  },
} as const;

/** Asks for confirmation before somebody's access changes. */
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
    <Confirm
      opened
      close={close}
      title={words[what].title}
      action={words[what].action}
      isHarmless={what === "enable"}
      run={run}
    >
      <p>
        <strong>
          <bdi>{oneLine(what === "leave" ? organization.name : nameOf(member))}</bdi>
        </strong>
        {words[what].text}
      </p>
    </Confirm>
  );
}
