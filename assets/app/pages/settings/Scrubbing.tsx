import { Switch, TagsInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { limitsQuery } from "../../api/project-queries.ts";
import { useRights } from "../../api/role.ts";
import type { Project } from "../../api/schema.d.ts";
import { SaveBar } from "./General.tsx";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { OnlyAdmins } from "../../ui/settings/OnlyAdmins.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { differs, distinct, nameProblem, type Parts, parts, whole } from "./scrub.ts";
import { useSave } from "./use-save.ts";

const namesField = "settings.scrubbing.keys";

/** What is removed from events before they are stored. */
export function Scrubbing({ project }: { project: Project }) {
  const { mayAdminister } = useRights(project.id);
  const limits = useQuery(limitsQuery(project.id)).data?.project;
  const bounds = { names: limits?.scrubbed_names ?? 100, chars: limits?.scrubbed_name_chars ?? 64 };
  const stored = whole(project.settings.scrubbing);
  const [draft, setDraft] = useState<Partial<Parts>>({});
  const { save, busy, problem, forget } = useSave(project.id, [namesField], () => setDraft({}));
  const chosen: Parts = { ...stored, ...draft };
  const changed = differs(chosen, stored);
  const wrong = nameProblem(chosen.keys, bounds);
  const edit = (change: Partial<Parts>) => {
    if (!mayAdminister || busy) return;
    forget();
    setDraft({ ...draft, ...change });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changed && !wrong && !busy) save({ settings: { scrubbing: chosen } });
  };
  return (
    <>
      <h2>Scrubbing</h2>
      <p className={classes.lead}>
        Secrets are taken out of an event when it arrives, before anything is stored: in their place stands{" "}
        <code>[Filtered]</code>, and the event tells how many there were. A change holds for events that arrive after
        it. It never reaches back: what was removed cannot be shown again, and what was stored stays as it is.
      </p>
      <OnlyAdmins project={project.id} what="Changing this" />
      <form className={classes.form} onSubmit={submit}>
        <fieldset className={classes.switches} disabled={!mayAdminister}>
          <legend>Removed</legend>
          {parts.map(({ name, label, about }) => (
            <Switch
              key={name}
              label={label}
              description={about}
              checked={chosen[name]}
              onChange={(event) => edit({ [name]: event.currentTarget.checked })}
            />
          ))}
          <Switch
            label="IP addresses"
            description="Of users, and wherever a name tells of one: client_ip, X-Forwarded-For, CF-Connecting-IP and the like"
            checked={!chosen.keep_ip_addresses}
            onChange={(event) => edit({ keep_ip_addresses: !event.currentTarget.checked })}
          />
        </fieldset>
        <TagsInput
          className={classes.tags ?? ""}
          label="More names whose values are removed"
          description={`At most ${bounds.names}, each of up to ${bounds.chars} characters. The whole name is compared, without case, - and _: X-Session is x_session. Enter adds one.`}
          placeholder={mayAdminister ? "iban" : ""}
          value={chosen.keys}
          onChange={(keys) => edit({ keys: distinct(keys) })}
          splitChars={[",", "\n"]}
          acceptValueOnBlur
          readOnly={!mayAdminister}
          error={wrong ?? problem(namesField)}
        />
        <SaveBar
          shown={mayAdminister}
          changed={changed && !wrong}
          busy={busy}
          problem={problem("")}
          discard={() => setDraft({})}
        />
      </form>
      <LeaveGuard when={changed && mayAdminister} title="Leave without saving?">
        The changed choice of what is removed would be lost.
      </LeaveGuard>
    </>
  );
}
