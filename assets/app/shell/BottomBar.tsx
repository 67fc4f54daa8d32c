import { Link } from "@tanstack/react-router";
import { Menu } from "lucide-react";
import { memo } from "react";
import { isWithin, openSection } from "../navigation/lookup.ts";
import { useOpenSection, usePlace } from "../navigation/place.ts";
import { useCarried } from "../navigation/use-carried.ts";
import classes from "./BottomBar.module.css";

/** The sections people use most on a phone. */
const shown = ["issues", "logs", "notifications"] as const;

/** Below every page on a small screen: the most used sections, and a button for the whole navigation. */
export const BottomBar = memo(function BottomBar({ opened, open }: { opened: boolean; open: () => void }) {
  const place = usePlace();
  const current = useOpenSection();
  const along = { issues: useCarried("issues"), logs: useCarried("logs"), notifications: {} };
  return (
    <nav aria-label="Project" className={classes.bar}>
      {shown
        .flatMap((id) => {
          const section = openSection(id, place);
          return section ? { ...section, search: along[id] } : [];
        })
        .map(({ id, label, icon: Icon, to, search }) => (
          <Link
            key={id}
            to={to}
            search={search}
            className={classes.item ?? ""}
            aria-current={isWithin(id, current) ? "page" : undefined}
            activeOptions={{ includeSearch: false }}
          >
            <Icon size="1.25rem" aria-hidden />
            {label}
          </Link>
        ))}
      <button type="button" className={classes.item} aria-haspopup="dialog" aria-expanded={opened} onClick={open}>
        <Menu size="1.25rem" aria-hidden />
        More
      </button>
    </nav>
  );
});
