import { Burger, Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { openSpotlight } from "@mantine/spotlight";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { paths } from "../paths.ts";
import { useStyledPaint } from "../ui/first-paint.ts";
import { useIdle } from "../ui/use-idle.ts";
import { Banner } from "./Banner.tsx";
import { useCurrentOrganization, useCurrentProject } from "./current.ts";
import { Help } from "./Help.tsx";
import { type Key, useKeys } from "./keys.ts";
import { Nav } from "./Nav.tsx";
import { SessionDialog } from "./SessionDialog.tsx";
import classes from "./Shell.module.css";

// Not needed to read the first page.
const Palette = lazy(() => import("./Palette.tsx"));

/** What stands around every page of a signed-in person; without `children`, the route's. */
export function Shell({ children }: { children?: ReactNode }) {
  const [menu, { toggle, close }] = useDisclosure(false);
  const [help, helpControls] = useDisclosure(false);
  const main = useFocusOnNavigation(close);
  useShellKeys(helpControls.open);
  useStyledPaint();
  const isIdle = useIdle();
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <header className={classes.top}>
        <Burger opened={menu} onClick={toggle} size="sm" aria-label="Navigation" />
        <span className={classes.brand}>Mayday</span>
      </header>
      <div className={classes.side}>
        <Nav help={helpControls.open} />
      </div>
      <Drawer opened={menu} onClose={close} size="17rem" title="Mayday" closeButtonProps={{ "aria-label": "Close" }}>
        <Nav help={helpControls.open} always />
      </Drawer>
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Banner />
        {children ?? <Outlet />}
      </main>
      <Help opened={help} close={helpControls.close} />
      {isIdle && (
        <Suspense fallback={null}>
          <Palette help={helpControls.open} />
        </Suspense>
      )}
      <SessionDialog />
    </div>
  );
}

/** A new page takes the focus, so that it is read out and the keyboard starts at its top. */
function useFocusOnNavigation(close: () => void) {
  const main = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const [known, setKnown] = useState(pathname);
  useEffect(() => {
    if (pathname === known) return;
    setKnown(pathname);
    close();
    const inside = main.current?.contains(document.activeElement) && document.activeElement !== main.current;
    if (known !== undefined && !inside) main.current?.focus({ preventScroll: true });
  }, [pathname, known, close]);
  return main;
}

function useShellKeys(help: () => void): void {
  const navigate = useNavigate();
  const projectId = useCurrentProject();
  const organization = useCurrentOrganization();
  const go = (href: string) => () => void navigate({ href });
  const keys: Key[] = [
    { keys: "mod+k", does: "Go to anything", run: openSpotlight, everywhere: true },
    { keys: "?", does: "These shortcuts", run: help },
  ];
  if (projectId !== undefined) {
    keys.push(
      { keys: "g i", does: "Issues", run: go(paths.issues(projectId)) },
      { keys: "g l", does: "Logs", run: go(paths.logs(projectId)) },
      { keys: "g r", does: "Releases", run: go(paths.releases(projectId)) },
      { keys: "g s", does: "Settings", run: go(paths.settings(projectId)) },
    );
  }
  if (organization)
    keys.push({
      keys: "g m",
      does: "Members of the organization",
      run: go(paths.organization(organization.id, "members")),
    });
  keys.push({ keys: "g a", does: "Your account", run: go(paths.account()) });
  useKeys("Everywhere", keys);
}
