import { Group, Select, Textarea, TextInput } from "@mantine/core";
import { announce } from "../../../api/instance-queries.ts";
import type { AnnouncementKind } from "../../../api/schema.d.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { BusyButton } from "../../../ui/BusyButton.tsx";
import { useRecordForm } from "../../../ui/form.ts";
import { done } from "../../../ui/notify.ts";
import settings from "../../../ui/settings/Settings.module.css";
import { refusal } from "../../../ui/settings/refusal.ts";

const kinds: { value: AnnouncementKind; label: string }[] = [
  { value: "announcement", label: "Announcement" },
  { value: "maintenance", label: "Maintenance" },
];

/** The form for an announcement to everybody on this instance. */
export function Announce() {
  const form = useRecordForm({
    initialValues: { kind: "announcement" as AnnouncementKind, title: "", text: "", url: "" },
    validate: {
      title: (title) => (title.trim() === "" ? "Enter a title." : undefined),
      url: (url) => (url.trim() === "" || /^https?:\/\/./i.test(url.trim()) ? undefined : "Enter an http(s) address."),
    },
    send: async ({ kind, title, text, url }) => {
      await announce({ kind, title: title.trim(), text: text.trim(), url: url.trim() || null });
      form.reset();
      done("Announced to everybody");
    },
  });
  return (
    <section className={settings.part} aria-labelledby="overview-announce">
      <h3 id="overview-announce">Announce</h3>
      <p className={settings.lead}>
        Everybody with an account here is told, in the category System: in Mayday, and by e-mail unless they chose
        otherwise.
      </p>
      <form ref={form.ref} onSubmit={form.onSubmit} className={`${settings.form} ${settings.fields}`} noValidate>
        <Select {...form.field("kind")} size="sm" label="Kind" data={kinds} allowDeselect={false} />
        <TextInput {...form.field("title")} label="Title" maxLength={200} placeholder="Maintenance on Sunday" />
        <Textarea {...form.field("text")} label="Text (optional)" maxLength={2_000} autosize minRows={2} maxRows={8} />
        <TextInput
          {...form.field("url")}
          label="Read more at (optional)"
          placeholder="https://status.example.com/"
          spellCheck={false}
        />
        <Alarm error={form.failure && refusal(form.failure)} />
        <Group justify="flex-end">
          <BusyButton type="submit" busy={form.busy} label="Announce" doing="Announcing…" />
        </Group>
      </form>
    </section>
  );
}
