import { Button, Select, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useState } from "react";
import { isStatus, messageOf } from "../../../api/error.ts";
import { invite, organizationKeys } from "../../../api/organization-queries.ts";
import type { Invitation } from "../../../api/schema.d.ts";
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

/** Invites some people at once; each has a result of its own. */
export function Invite({ organization }: { organization: number }) {
  const cache = useQueryClient();
  const [text, setText] = useState("");
  const [role, setRole] = useState<"admin" | "member">("member");
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const form = useForm<"emails">({
    fields: ["emails"],
    check: () => {
      const problem = addressProblem(addressesIn(text));
      return problem === undefined ? {} : { emails: problem };
    },
    send: async () => {
      setOutcomes([]);
      const results: Outcome[] = [];
      // One after the other, so that the list and the mails have an order.
      for (const email of addressesIn(text).good) {
        results.push(await one(organization, email, role));
        setOutcomes([...results]);
        if (isStatus(results.at(-1)?.error, 0, 401, 403, 429)) break;
      }
      const did = new Set(results.filter(({ made }) => made).map(({ email }) => email));
      setText(
        addressesIn(text)
          .good.filter((email) => !did.has(email))
          .join("\n"),
      );
      await cache.invalidateQueries({ queryKey: organizationKeys.invitations(organization) });
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate>
      <div className={own.invite}>
        <Textarea
          aria-label="E-mail addresses to invite"
          placeholder="ada@example.com, bob@example.com …"
          autosize
          minRows={1}
          maxRows={8}
          size="xs"
          value={text}
          error={form.problems.emails}
          onChange={(event) => {
            setText(event.currentTarget.value);
            form.changed("emails");
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        <Select
          aria-label="Their role"
          data={[
            { value: "member", label: "as members" },
            { value: "admin", label: "as admins" },
          ]}
          value={role}
          allowDeselect={false}
          onChange={(value) => setRole(value === "admin" ? "admin" : "member")}
        />
        <Button type="submit" loading={form.busy}>
          Invite
        </Button>
      </div>
      <ul className={own.outcomes} aria-live="polite">
        {outcomes.map((outcome) => (
          <Row key={outcome.email} outcome={outcome} />
        ))}
      </ul>
    </form>
  );
}

async function one(organization: number, email: string, role: "admin" | "member"): Promise<Outcome> {
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
      {made?.invite_url ? (
        <CopyButton text={made.invite_url} label={`Copy the link for ${oneLine(email)}`} />
      ) : (
        <span />
      )}
    </li>
  );
}
