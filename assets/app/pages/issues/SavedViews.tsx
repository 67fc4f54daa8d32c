import { Deferred } from "../../ui/Deferred.tsx";
import { ViewsButton, type ViewsProps } from "./ViewsButton.tsx";

const load = () => import("./ViewsMenu.tsx");

/** Queries to come back to, and a way to keep the one of now. */
export function SavedViews(props: ViewsProps) {
  return (
    <Deferred load={load} props={props}>
      {(press) => <ViewsButton {...press} />}
    </Deferred>
  );
}
