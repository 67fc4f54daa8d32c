import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { isStatus } from "../../api/error.ts";
import type { ShownIssue } from "../../api/schema.d.ts";
import { Answer, Empty, Loading } from "../../ui/States.tsx";
import { useComponent } from "../../ui/use-component.ts";
import { Actions, type Menus } from "./actions/Actions.tsx";
import { useChange } from "./actions/use-change.ts";
import { EventBones, IssueBones } from "./Bones.tsx";
import { NoEvents } from "./events/NoEvents.tsx";
import { EventView } from "./EventView.tsx";
import { Header } from "./header/Header.tsx";
import { issueQuery, listed, type Place } from "./queries.ts";
import type { View } from "./stack/Stack.tsx";
import { useCopies } from "./use-copies.ts";
import { useReading } from "./use-reading.ts";

const loadAsk = () => import("./runs/LetAgentLook.tsx");

interface Props extends Place {
  /** Opens something else after the issue was deleted. */
  afterRemove: () => Promise<void>;
}

/** An issue and its newest event in a pane beside another list: header, actions and stack. */
export default function IssueReading({ project, issue, afterRemove }: Props) {
  const place = useMemo(() => ({ project, issue }), [project, issue]);
  const cache = useQueryClient();
  const query = useQuery({ ...issueQuery(place), placeholderData: () => listed(cache, place) });
  if (isStatus(query.error, 404) || isStatus(query.error, 403))
    return (
      <Empty title="Issue not found">
        <p>It was deleted, or you no longer have access to its project.</p>
      </Empty>
    );
  return (
    <Answer query={query} what="The issue" bones={<IssueBones />}>
      {(data) => <Read issue={data} place={place} afterRemove={afterRemove} key={issue} />}
    </Answer>
  );
}

interface ReadProps extends Pick<Props, "afterRemove"> {
  issue: ShownIssue;
  place: Place;
}

function Read({ issue, place, afterRemove }: ReadProps) {
  const [menu, setMenu] = useState<Menus>();
  const [view, setView] = useState<View>("original");
  const [asking, setAsking] = useState(false);
  const Ask = useComponent(loadAsk, asking);
  const change = useChange(place);
  const reading = useReading(place, undefined);
  const copies = useCopies(issue, reading.data?.event, place);
  const { query } = reading;
  return (
    <>
      <Header
        issue={issue}
        neighbours={null}
        actions={
          <Actions
            issue={issue}
            change={change}
            menu={menu}
            setMenu={setMenu}
            copyMarkdown={copies.markdown}
            copyLink={copies.link}
            letAgentLook={() => setAsking(true)}
            afterRemove={afterRemove}
          />
        }
      />
      {isStatus(query.error, 404) ? (
        <NoEvents />
      ) : (
        <Answer query={query} what="The event" bones={<EventBones />}>
          {() =>
            reading.data ? (
              <EventView
                alone
                walked={reading.data}
                issue={issue}
                place={place}
                change={change}
                isWalking={false}
                view={view}
                setView={setView}
              />
            ) : (
              <Loading bones={<EventBones />} />
            )
          }
        </Answer>
      )}
      {Ask && <Ask issue={issue} opened={asking} close={() => setAsking(false)} />}
    </>
  );
}
