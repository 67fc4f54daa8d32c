import { ActionIcon } from "@mantine/core";
import { Search } from "lucide-react";
import { openPalette } from "./palette-store.ts";
import { ProjectSwitcher } from "./ProjectSwitcher.tsx";
import classes from "./Shell.module.css";

/** Above every page on a small screen: whose pages these are, and the search. */
export function TopBar() {
  return (
    <header className={classes.top}>
      <ProjectSwitcher folded={false} />
      <ActionIcon size="lg" aria-label="Search" onClick={openPalette}>
        <Search size="1.125rem" aria-hidden />
      </ActionIcon>
    </header>
  );
}
