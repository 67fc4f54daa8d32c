import { useQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import type { ComponentProps } from "react";
import { inboxQuery } from "../api/notification-queries.ts";
import { counted } from "../ui/format.ts";
import classes from "./Bell.module.css";

/** Larger counts are shown as "99+". */
const most = 99;

/** Where the bell is: a line of the navigation, its icon alone, or in the top bar of a small screen. */
export type BellPlace = "line" | "folded" | "bar";

/** The number of unread notifications; opens the menu of the newest. */
export function BellButton({ place, ...button }: { place: BellPlace } & ComponentProps<"button">) {
  const unread = useQuery(inboxQuery).data?.unread_count ?? 0;
  const tip = place === "folded" ? { "data-tip": "Inbox", "data-tip-side": "right" } : {};
  return (
    <button
      type="button"
      {...button}
      {...tip}
      className={place === "bar" ? classes.bar : classes.entry}
      data-bell={place}
    >
      <Inbox size={place === "bar" ? "1.125rem" : "1rem"} aria-hidden />
      <span className={place === "line" ? "cut" : "unseen"}>Inbox</span>
      {unread > 0 && (
        <span className={classes.count} title={counted(unread, "unread notification")}>
          {unread > most ? `${most}+` : unread}
          <span className="unseen"> unread</span>
        </span>
      )}
    </button>
  );
}
