import { Select, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useState } from "react";
import { isStatus, messageOf } from "../../../api/error.ts";
import { invitationsKey } from "../../../api/invitations.ts";
import { type GivenRole, invite } from "../../../api/organization-queries.ts";
import type { Invitation } from "../../../api/schema.d.ts";
import { BusyButton } from "../../../ui/BusyButton.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { useForm } from "../../../ui/form.ts";
import { oneLine } from "../../../ui/visible.ts";
import { addressesIn, addressProblem } from "./addresses.ts";
import { deliveryWords } from "./delivery.ts";
import own from "./Members.module.css";

interface Outcome {
  email: string;
  made?: Invitation;
  error?: unknown;
}

/** Invites several people at once, with a result for each. */
export function Invite({ organization }: { organization: number }) {
  const cache = useQueryClient();
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const form = useForm({
    initialValues: { emails: "", role: "member" as GivenRole },
    validate: { emails: (emails) => addressProblem(addressesIn(emails)) },
    send: async ({ emails, role }) => {
      setOutcomes([]);
      const results: Outcome[] = [];
      // One after the other, so that the list and the mails have an order.
      for (const email of addressesIn(emails).good) {
        results.push(await one(organization, email, role));
        setOutcomes([...results]);
        if (isStatus(results.at(-1)?.error, 0, 401, 403, 429)) break;
      }
      const invited = new Set(results.filter(({ made }) => made).map(({ email }) => email));
      const rest = addressesIn(emails).good.filter((email) => !invited.has(email));
      form.setFieldValue("emails", rest.join("\n"));
      await cache.invalidateQueries({ queryKey: invitationsKey(organization) });
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate>
      <div className={own.invite}>
        <Textarea
          {...form.field("emails")}
          aria-label="E-mail addresses to invite"
          placeholder="ada@example.com, bob@example.com"
          autosize
          minRows={1}
          maxRows={8}
          size="xs"
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        <Select
          {...form.field("role")}
          aria-label="Invite as"
          data={[
            { value: "member", label: "as members" },
            { value: "admin", label: "as admins" },
          ]}
          allowDeselect={false}
        />
        <BusyButton type="submit" busy={form.busy} label="Invite" doing="Inviting…" />
      </div>
      <ul className={own.outcomes} aria-live="polite">
        {outcomes.map((outcome) => (
          <Row key={outcome.email} outcome={outcome} />
        ))}
      </ul>
    </form>
  );
}

async function one(organization: number, email: string, role: GivenRole): Promise<Outcome> {
  try {
    return { email, made: await invite(organization, email, role) };
  } catch (error) {
    return { email, error };
  }
}

/** Without mail the link is all there is. */
const madeWords = (made: Invitation): string =>
  made.delivery_status === "skipped" ? "invited; copy the link" : deliveryWords(made).text;

function Row({ outcome: { email, made, error } }: { outcome: Outcome }) {
  const Icon = made ? CircleCheck : CircleAlert;
  return (
    <li className={own.outcome} data-tone={made ? "good" : "bad"}>
      <Icon size="1rem" aria-hidden />
      <span>
        <bdi>{oneLine(email)}</bdi>: {made ? madeWords(made) : messageOf(error)}
      </span>
      {made?.invite_url ? <CopyButton text={made.invite_url} label={`Copy link for ${oneLine(email)}`} /> : <span />}
    </li>
  );
}
