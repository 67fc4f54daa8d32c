import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { useRights } from "../../api/role.ts";
import type { Project } from "../../api/schema.d.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Time } from "../../ui/Time.tsx";
import { DeleteProject } from "./DeleteProject.tsx";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { OnlyAdmins } from "../../ui/settings/OnlyAdmins.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { useSave } from "./use-save.ts";

const fields = ["name", "platform"] as const;

/** What a project is called, and its end. */
export function General({ project }: { project: Project }) {
  const { mayAdminister } = useRights(project.id);
  const [draft, setDraft] = useState<{ name?: string; platform?: string }>({});
  const { save, busy, problem, forget } = useSave(project.id, fields, () => setDraft({}));
  const name = draft.name ?? project.name;
  const platform = draft.platform ?? project.platform ?? "";
  const changed = name.trim() !== project.name || platform.trim() !== (project.platform ?? "");
  const missing = name.trim() === "" ? "A project needs a name" : undefined;
  const edit = (change: typeof draft) => {
    forget();
    setDraft({ ...draft, ...change });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!changed || missing || busy) return;
    save({ name: name.trim(), platform: platform.trim() === "" ? null : platform.trim() });
  };
  return (
    <>
      <h2>General</h2>
      <OnlyAdmins project={project.id} what="Changing this" />
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          label="Name"
          value={name}
          maxLength={128}
          readOnly={!mayAdminister}
          error={missing ?? problem("name")}
          onChange={(event) => edit({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Platform"
          description="What its code runs on, such as javascript; a note for people"
          value={platform}
          maxLength={64}
          readOnly={!mayAdminister}
          error={problem("platform")}
          onChange={(event) => edit({ platform: event.currentTarget.value })}
        />
        <SaveBar
          shown={mayAdminister}
          changed={changed && !missing}
          busy={busy}
          problem={problem("")}
          discard={() => edit({ name: project.name, platform: project.platform ?? "" })}
        />
      </form>
      <dl className={classes.facts}>
        <Fixed name="Id" value={String(project.id)} />
        <Fixed name="Slug" value={project.slug} />
        <dt>Created</dt>
        <dd>
          <Time at={project.created_at} exact />
        </dd>
      </dl>
      <LeaveGuard when={changed && mayAdminister} title="Leave without saving?">
        The changed name or platform would be lost.
      </LeaveGuard>
      {mayAdminister && <DeleteProject project={project} settle={() => setDraft({})} />}
    </>
  );
}

interface SaveProps {
  shown: boolean;
  changed: boolean;
  busy: boolean;
  problem: string | undefined;
  discard: () => void;
}

export function SaveBar({ shown, changed, busy, problem, discard }: SaveProps) {
  if (!shown) return null;
  return (
    <div>
      <div className={classes.save}>
        <Button type="submit" disabled={!changed} loading={busy}>
          Save
        </Button>
        {changed && !busy && (
          <Button variant="subtle" color="gray" onClick={discard}>
            Discard
          </Button>
        )}
      </div>
      {problem && (
        <p role="alert" className={classes.bad}>
          {problem}
        </p>
      )}
    </div>
  );
}

function Fixed({ name, value }: { name: string; value: string }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi className="mono cut" title={value} ref={shown}>
          {value}
        </bdi>
        <CopyButton text={value} label={`Copy the ${name.toLowerCase()}`} shown={shown} />
      </dd>
    </>
  );
}
