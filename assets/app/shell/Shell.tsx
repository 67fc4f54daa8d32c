import { ActionIcon } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { memo, type ReactNode, useEffect, useRef } from "react";
import { useSessionEnded } from "../api/session.ts";
import { fullName, sectionsWithKeys } from "../navigation/lookup.ts";
import { PlaceContext, useFoundPlace, usePlace } from "../navigation/place.ts";
import { useOpenSectionBy } from "../navigation/use-carried.ts";
import { Deferred } from "../ui/Deferred.tsx";
import { useFirstInput } from "../ui/first-input.ts";
import { useStyledPaint } from "../ui/first-paint.ts";
import { useComponent } from "../ui/use-component.ts";
import { Banner } from "./Banner.tsx";
import { BellButton } from "./BellButton.tsx";
import { BottomBar } from "./BottomBar.tsx";
import { type Key, useKeys } from "./keys.ts";
import { Nav } from "./Nav.tsx";
import { openPalette } from "./palette-store.ts";
import { ProjectSwitcher } from "./ProjectSwitcher.tsx";
import classes from "./Shell.module.css";
import { useSignOut } from "./sign-out.ts";
import { useInbox } from "./use-inbox.ts";

// Not needed to read the first page.
const loadBellMenu = () => import("./BellMenu.tsx");
const loadHelp = () => import("./Help.tsx");
const loadMenu = () => import("./MenuDrawer.tsx");
const loadPalette = () => import("./Palette.tsx");
const loadSignInAgain = () => import("./SignInAgain.tsx");

/** The frame around every page of a signed-in person; without `children` it shows the route's page. */
export function Shell({ children }: { children?: ReactNode }) {
  const place = useFoundPlace();
  return (
    <PlaceContext value={place}>
      <Frame>{children}</Frame>
    </PlaceContext>
  );
}

/** Its parts are rendered again only when opening another page changes them. */
const Frame = memo(function Frame({ children }: { children: ReactNode }) {
  const [menu, { open, close }] = useDisclosure(false);
  const [help, helpControls] = useDisclosure(false);
  const main = useFocusOnNavigation(close);
  useShellKeys(helpControls.open);
  useInbox();
  useStyledPaint();
  const hasInput = useFirstInput();
  const Help = useComponent(loadHelp, hasInput);
  const MenuDrawer = useComponent(loadMenu, hasInput);
  const Palette = useComponent(loadPalette, hasInput);
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <TopBar />
      <div className={classes.side}>
        <Nav help={helpControls.open} />
      </div>
      {MenuDrawer && <MenuDrawer opened={menu} close={close} help={helpControls.open} />}
      {Help && <Help opened={help} close={helpControls.close} />}
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Banner>{children ?? <Outlet />}</Banner>
      </main>
      <BottomBar opened={menu} open={open} />
      {Palette && <Palette help={helpControls.open} />}
      <SessionDialog />
    </div>
  );
});

/** Focuses a newly opened page, so that screen readers announce it and the keyboard starts at its top. */
function useFocusOnNavigation(close: () => void) {
  const main = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const known = useRef(pathname);
  useEffect(() => {
    const before = known.current;
    if (pathname === before) return;
    known.current = pathname;
    close();
    const { activeElement } = document;
    const inside = main.current?.contains(activeElement) && activeElement !== main.current;
    if (before !== undefined && (!inside || activeElement?.closest("[role=menu]")))
      main.current?.focus({ preventScroll: true });
  }, [pathname, close]);
  return main;
}

function useShellKeys(help: () => void): void {
  const open = useOpenSectionBy();
  const place = usePlace();
  const pages: Key[] = sectionsWithKeys(place).map((section) => ({
    keys: section.keys,
    does: fullName(section),
    run: () => open(section),
  }));
  useKeys("Everywhere", [
    { keys: "mod+k", does: "Go to anything", run: openPalette, everywhere: true },
    { keys: "?", does: "Keyboard shortcuts", run: help },
    ...pages,
  ]);
}

/** Lets the person sign in again after the session has ended, in a dialog over the page, which keeps what was typed. */
const SessionDialog = memo(function SessionDialog() {
  const isEnded = useSessionEnded();
  const leave = useSignOut();
  // Loaded in advance, because when it is needed, a newer server may no longer have this file.
  const hasInput = useFirstInput();
  const SignInAgain = useComponent(loadSignInAgain, hasInput || isEnded);
  return SignInAgain && <SignInAgain isOpen={isEnded} leave={() => void leave()} />;
});

/** Above every page on a small screen: the project switcher, the bell, and the search. */
const TopBar = memo(function TopBar() {
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
