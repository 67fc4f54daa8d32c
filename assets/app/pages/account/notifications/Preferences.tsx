import { Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { changePreference, chooseWeeklyReport, preferencesQuery } from "../../../api/notification-pages.ts";
import type { Preference, WeeklyReport } from "../../../api/schema.d.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { categories } from "../../../ui/CategoryIcon.tsx";
import { Answer } from "../../../ui/States.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { Time } from "../../../ui/Time.tsx";
import { useBusy } from "../../../ui/use-busy.ts";
import { NoMail } from "./NoMail.tsx";
import own from "./Preferences.module.css";

const ways = [
  { name: "in_app_enabled", label: "In Mayday" },
  { name: "email_enabled", label: "By e-mail" },
] as const;

/** A switch for each category and channel; changes are saved at once. */
export function Preferences() {
  const preferences = useQuery(preferencesQuery);
  return (
    <>
      <h2>Notifications</h2>
      <p className={classes.lead}>
        Choose what you are told about and where. Changes are saved at once and apply to new notifications.
      </p>
      <Answer query={preferences} what="Your preferences" bones={<TableBones />}>
        {({ preferences: list, mail_configured, weekly_report }) => (
          <>
            {!mail_configured && <NoMail />}
            <ul className={own.rows}>
              {list.map((preference) => (
                <Row key={preference.id} preference={preference} />
              ))}
              <Report report={weekly_report} />
            </ul>
            {mail_configured && list.some(({ category, email_enabled }) => category === "system" && !email_enabled) && (
              <p className={classes.lead}>
                Changes of your password and address are mailed to you whatever you choose here.
              </p>
            )}
          </>
        )}
      </Answer>
    </>
  );
}

/** The switch for weekly reports, which are sent only by e-mail. */
function Report({ report: { enabled, next_at } }: { report: WeeklyReport }) {
  const cache = useQueryClient();
  const [busy, run] = useBusy();
  const change = (wanted: boolean) =>
    run("The choice was not saved", async () => {
      await chooseWeeklyReport(wanted);
      await cache.invalidateQueries({ queryKey: preferencesQuery.queryKey });
    });
  return (
    <li className={own.preference} aria-label="Weekly report">
      <div className={own.about}>
        <span>Weekly report</span>
        <span>
          Events and new issues of your projects
          {next_at !== null && (
            <>
              ; the next one comes <Time at={next_at} />
            </>
          )}
        </span>
      </div>
      <span aria-hidden />
      <Switch
        label="By e-mail"
        aria-label="Weekly report: By e-mail"
        checked={enabled}
        aria-busy={busy}
        onChange={({ currentTarget }) => void change(currentTarget.checked)}
      />
    </li>
  );
}

function Row({ preference }: { preference: Preference }) {
  const { label, about } = categories[preference.category];
  const cache = useQueryClient();
  const [busy, run] = useBusy();
  const change = (name: (typeof ways)[number]["name"], wanted: boolean) =>
    run("The preference was not saved", async () => {
      await changePreference({ category: preference.category, [name]: wanted });
      await cache.invalidateQueries({ queryKey: preferencesQuery.queryKey });
    });
  return (
    <li className={own.preference} aria-label={label}>
      <div className={own.about}>
        <span>{label}</span>
        <span>{about}</span>
      </div>
      {ways.map((way) => (
        <Switch
          key={way.name}
          label={way.label}
          aria-label={`${label}: ${way.label}`}
          checked={preference[way.name]}
          aria-busy={busy}
          onChange={({ currentTarget }) => void change(way.name, currentTarget.checked)}
        />
      ))}
    </li>
  );
}
