import { ActionIcon } from "@mantine/core";
import { Search } from "lucide-react";
import { memo } from "react";
import { Deferred } from "../ui/Deferred.tsx";
import { BellButton } from "./BellButton.tsx";
import { openPalette } from "./palette-store.ts";
import { ProjectSwitcher } from "./ProjectSwitcher.tsx";
import classes from "./Shell.module.css";

const loadBellMenu = () => import("./BellMenu.tsx");

/** Above every page on a small screen: the project switcher, the bell, and the search. */
export const TopBar = memo(function TopBar() {
  return (
    <header className={classes.top}>
      <ProjectSwitcher folded={false} />
      <Deferred load={loadBellMenu} props={{ place: "bar" }}>
        {(press) => <BellButton place="bar" {...press} />}
      </Deferred>
      <ActionIcon size="lg" aria-label="Search" onClick={openPalette}>
        <Search size="1.125rem" aria-hidden />
      </ActionIcon>
    </header>
  );
});
