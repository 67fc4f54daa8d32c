import { Button, Tabs } from "@mantine/core";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { ShownIssue, WalkedEvent } from "../../api/schema.d.ts";
import { isStatus } from "../../api/error.ts";
import { paths } from "../../paths.ts";
import { isUnsent } from "../../shell/MessageForm.tsx";
import { counted, short } from "../../ui/format.ts";
import { Answer, Empty, Loading } from "../../ui/States.tsx";
import { useComponent } from "../../ui/use-component.ts";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { Actions, type Menus } from "./actions/Actions.tsx";
import { useChange } from "./actions/use-change.ts";
import { ActivityTab } from "./activity/ActivityTab.tsx";
import { useComment } from "./activity/Compose.tsx";
import { EventBones } from "./Bones.tsx";
import classes from "./Content.module.css";
import { NoEvents } from "./events/NoEvents.tsx";
import { EventView } from "./EventView.tsx";
import { EventsTab } from "./events/EventsTab.tsx";
import { Header } from "./header/Header.tsx";
import { Walk } from "./header/Walk.tsx";
import type { Place } from "./queries.ts";
import type { View } from "./stack/Stack.tsx";
import { useCopies } from "./use-copies.ts";
import type { WayBack } from "./use-list-address.ts";
import { useIssueKeys } from "./use-issue-keys.ts";
import { StuckOver } from "./sections/Sections.tsx";
import { StuckLine } from "./sections/StuckLine.tsx";
import { NeighbourLinks } from "./neighbours/NeighbourLinks.tsx";
import { useNeighbours } from "./neighbours/use-neighbours.ts";
import { useNumbers } from "./use-numbers.ts";
import { useArrived, useReading } from "./use-reading.ts";
import { AgentLine } from "./runs/AgentLine.tsx";

const tabs = ["event", "timeline", "events", "activity", "agents"] as const;
type Tab = (typeof tabs)[number];

const loadTimeline = () => import("./timeline/TimelineTab.tsx");
const loadRuns = () => import("./runs/RunsTab.tsx");
const loadAsk = () => import("./runs/LetAgentLook.tsx");

interface Props {
  issue: ShownIssue;
  place: Place;
  /** The address's event. */
  wanted: string | undefined;
  /** The address's filter of the list of events. */
  facet: string | undefined;
  /** The list that the issue was opened from. */
  list: WayBack;
  /** Identifies a visit of the list, so that neighbours of another visit are not mixed in. */
  visit: string;
}

/** The issue: its header, and one of its tabs. */
export function Content({ issue, place, wanted, facet, list, visit }: Props) {
  const [menu, setMenu] = useState<Menus>();
  const [view, setView] = useState<View>("original");
  const [tab, setTab] = useTab();
  const comment = useComment(place);
  const [asking, setAsking] = useState(false);
  const Timeline = useComponent(loadTimeline, tab === "timeline");
  const Runs = useComponent(loadRuns, tab === "agents");
  const Ask = useComponent(loadAsk, asking);
  const change = useChange(place);
  const reading = useReading(place, wanted);
  const event = reading.data?.event;
  useNumbers(place, issue.event_count);
  const copies = useCopies(issue, event, place);
  const neighbours = useNeighbours(place, list.address.search, visit, event !== undefined);
  useIssueKeys({
    issue,
    place,
    list,
    neighbours,
    walk: reading.data?.walk,
    change,
    view,
    setView,
    menu,
    open: setMenu,
    copy: copies.markdown,
  });
  const below = (shown: WalkedEvent | undefined, panel: ReactNode) => (
    <StuckOver stuck={<StuckLine issue={issue} change={change} place={place} walked={shown} />}>{panel}</StuckOver>
  );
  const panels: Record<Tab, () => ReactNode> = {
    event: () => (
      <Reading reading={reading} place={place}>
        {(walked) => (
          <EventView
            walked={walked}
            issue={issue}
            place={place}
            change={change}
            isWalking={reading.isWalking}
            view={view}
            setView={setView}
          />
        )}
      </Reading>
    ),
    timeline: () => (
      <Reading reading={reading} place={place}>
        {(walked) => below(walked, Timeline ? <Timeline event={walked.event} /> : <Loading />)}
      </Reading>
    ),
    events: () => below(undefined, <EventsTab place={place} shown={event?.event_id} facet={facet} key={facet} />),
    activity: () => below(undefined, <ActivityTab place={place} comment={comment} />),
    agents: () => below(undefined, Runs ? <Runs place={place} start={() => setAsking(true)} /> : <Loading />),
  };
  return (
    <>
      <Header
        issue={issue}
        list={list}
        neighbours={<NeighbourLinks project={place.project} list={list.address.search} neighbours={neighbours} />}
        line={issue.agent_session && <AgentLine project={place.project} session={issue.agent_session} />}
        actions={
          <Actions
            issue={issue}
            change={change}
            menu={menu}
            setMenu={setMenu}
            copyMarkdown={copies.markdown}
            copyLink={copies.link}
            letAgentLook={() => setAsking(true)}
          />
        }
      />
      <Tabs
        value={tab}
        onChange={(next) => setTab((next ?? "event") as Tab)}
        keepMounted={false}
        classNames={{ list: classes.tabs ?? "" }}
      >
        <Bar issue={issue} place={place} reading={tab === "event" || tab === "timeline" ? reading : undefined} />
        {tabs.map((name) => (
          <Tabs.Panel key={name} value={name}>
            {name === tab && panels[name]()}
          </Tabs.Panel>
        ))}
      </Tabs>
      {Ask && <Ask issue={issue} opened={asking} close={() => setAsking(false)} />}
      <LeaveGuard when={() => isUnsent(comment)} title="Discard your comment?">
        You have not sent it yet. It will be lost if you leave this page.
      </LeaveGuard>
    </>
  );
}

interface BarProps extends Pick<Props, "issue" | "place"> {
  /** `undefined` on tabs that show no event. */
  reading: ReturnType<typeof useReading> | undefined;
}

/** The tabs, and the steps from event to event. */
function Bar({ issue, place, reading }: BarProps) {
  const walked = reading?.data;
  const arrived = useArrived(walked?.event.event_id, issue.event_count);
  return (
    <div className={classes.bar}>
      <Tabs.List>
        <Tabs.Tab value="event">Event</Tabs.Tab>
        <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
        <Tabs.Tab value="events">
          All events <span className={classes.count}>{short(issue.event_count)}</span>
        </Tabs.Tab>
        <Tabs.Tab value="activity">Activity</Tabs.Tab>
        <Tabs.Tab value="agents">Agents</Tabs.Tab>
      </Tabs.List>
      {reading && (
        <div className={classes.walk}>
          {walked && arrived > 0 && walked.walk.newer !== null && (
            <Arrived count={arrived} place={place} show={() => reading.hold(walked.walk.last)} />
          )}
          {walked && <Walk place={place} walked={walked} />}
        </div>
      )}
    </div>
  );
}

/** The tab is in the address, after `#`. */
function useTab(): [Tab, (tab: Tab) => void] {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const set = (tab: Tab) =>
    void navigate({
      to: ".",
      search: true,
      hash: tab === "event" ? "" : tab,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  return [tabs.find((name) => name === hash) ?? "event", set];
}

/** Offers newer events, which are shown only on request. */
function Arrived({ count, place, show }: { count: number; place: Place; show: () => void }) {
  return (
    <Button
      size="compact-xs"
      variant="light"
      onClick={({ currentTarget }) => {
        // Pressing it removes it.
        currentTarget.parentElement?.querySelector<HTMLElement>("nav > :last-child")?.focus();
        show();
      }}
      renderRoot={(props) => (
        <Link
          to={paths.issue(place.project, place.issue)}
          search={(before) => ({ ...before, event: undefined })}
          state
          replace
          resetScroll={false}
          {...props}
        />
      )}
    >
      {counted(count, "newer event")}: show the newest
    </Button>
  );
}

interface ReadingProps {
  reading: ReturnType<typeof useReading>;
  place: Place;
  children: (walked: WalkedEvent) => ReactNode;
}

/** The event that is shown, or why there is none. */
function Reading({ reading, place, children }: ReadingProps) {
  const { query } = reading;
  if (isStatus(query.error, 404) && reading.isNewest) return <NoEvents />;
  if (isStatus(query.error, 404)) {
    const newest = (
      <Link
        to={paths.issue(place.project, place.issue)}
        search={(before) => ({ ...before, event: undefined })}
        onClick={() => reading.hold(undefined)}
      >
        Show the newest event
      </Link>
    );
    return (
      <Empty title="Event not found" action={newest}>
        <p>It was deleted, or the address is wrong.</p>
      </Empty>
    );
  }
  return (
    <Answer query={query} what="The event" bones={<EventBones />}>
      {children}
    </Answer>
  );
}
