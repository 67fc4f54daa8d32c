import { Empty } from "../../../ui/States.tsx";

/** Retention may leave an issue without events. */
export function NoEvents() {
  return (
    <Empty title="No events are stored">
      <p>Retention removed the events of this issue. Its counts remain, and its next event will be shown here.</p>
    </Empty>
  );
}
