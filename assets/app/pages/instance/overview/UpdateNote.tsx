import { CircleArrowUp } from "lucide-react";
import type { Update } from "../../../api/schema.d.ts";
import settings from "../../../ui/settings/Settings.module.css";
import { Time } from "../../../ui/Time.tsx";

/** Announces a newer release, if there is one. */
export function UpdateNote({ update: { available } }: { update: Update }) {
  if (available === null) return null;
  return (
    <p className={settings.note} role="note">
      <CircleArrowUp aria-hidden />
      <span>
        Mayday {available.version} is available, first seen <Time at={available.first_seen_at} />.{" "}
        {available.url !== null && (
          <>
            <a href={available.url} target="_blank" rel="noreferrer">
              What is new
            </a>
            .{" "}
          </>
        )}
        <code>docs/update.md</code> says how to update.
      </span>
    </p>
  );
}
