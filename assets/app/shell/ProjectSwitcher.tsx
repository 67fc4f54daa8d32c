import { Deferred } from "../ui/Deferred.tsx";
import { SwitcherButton } from "./SwitcherButton.tsx";

const load = () => import("./SwitcherMenu.tsx");

/** The current project, and a menu of the others. */
export function ProjectSwitcher({ folded }: { folded: boolean }) {
  return (
    <Deferred load={load} props={{ folded }}>
      {(press) => <SwitcherButton folded={folded} {...press} />}
    </Deferred>
  );
}
