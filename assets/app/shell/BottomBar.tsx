import { Link } from "@tanstack/react-router";
import { Menu } from "lucide-react";
import { memo } from "react";
import { sectionsIn } from "../navigation/lookup.ts";
import { usePlace } from "../navigation/place.ts";
import classes from "./BottomBar.module.css";

/** Sections that the bar has room for. */
const most = 4;

/** Below every page on a small screen: the project's first sections, and the whole navigation. */
export const BottomBar = memo(function BottomBar({ opened, open }: { opened: boolean; open: () => void }) {
  const place = usePlace();
  return (
    <nav aria-label="Project" className={classes.bar}>
      {sectionsIn("project", place)
        .slice(0, most)
        .map(({ id, label, icon: Icon, to }) => (
          <Link key={id} to={to} className={classes.item ?? ""} activeOptions={{ includeSearch: false }}>
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
