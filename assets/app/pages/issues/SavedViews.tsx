import { Deferred } from "../../ui/Deferred.tsx";
import { ViewsButton, type ViewsProps } from "./ViewsButton.tsx";

const load = () => import("./ViewsMenu.tsx");

/** A menu of saved views, and a button to save the current search. */
export function SavedViews(props: ViewsProps) {
  return (
    <Deferred load={load} props={props}>
      {(press) => <ViewsButton {...press} />}
    </Deferred>
  );
}
