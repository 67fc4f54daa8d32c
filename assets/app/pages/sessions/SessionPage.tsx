import { Button, SegmentedControl } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useParams } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { agentSessionQuery } from "../../api/automation-queries.ts";
import { isStatus } from "../../api/error.ts";
import { useOrganization } from "../../api/role.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import { Forbidden } from "../../errors/Missing.tsx";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { useNow } from "../../ui/clock.ts";
import { local, utc } from "../../ui/format.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";
import { NoRunner } from "../runners/NoRunner.tsx";
import { Continue } from "./Continue.tsx";
import { Facts, Glance } from "./Facts.tsx";
import { HeldWork } from "./HeldWork.tsx";
import { Mode } from "./Mode.tsx";
import { Permission } from "./Permission.tsx";
import { Say } from "./Say.tsx";
import { SessionState } from "./SessionState.tsx";
import classes from "./Sessions.module.css";
import { Timeline } from "./Timeline.tsx";
import { Transcript } from "./Transcript.tsx";
import { entryIn } from "./transcript.ts";
import { type Followed, useSession } from "./use-session.ts";
import { type Asking, Wishes } from "./Wishes.tsx";
import { hasEnded, sessionName, sinceWords, waits, wishes } from "./words.ts";

/** One piece of work of an agent, as it happens. What is asked about one session is not asked about the next. */
export default function SessionPage() {
  const { organizationId, sessionId } = useParams({
    from: "/inside/organizations/$organizationId/sessions/$sessionId",
  });
  return <OfSession organizationId={organizationId} sessionId={sessionId} key={sessionId} />;
}

function OfSession({ organizationId, sessionId }: { organizationId: number; sessionId: string }) {
  const { found } = useOrganization(organizationId);
  const session = useQuery(agentSessionQuery(organizationId, sessionId));
  const followed = useSession(organizationId, sessionId);
  const [asking, setAsking] = useState<Asking>();
  if (!found) return <Forbidden what="this organization" />;
  const one = session.data;
  const isGone = followed.state === "gone" || isStatus(session.error, 404);
  const place = { organization: organizationId, asking, ask: setAsking };
  return (
    <Page
      section="agent-session"
      title={one ? oneLine(`${sessionName(one.number)}: ${one.title}`) : "Session"}
      wide
      actions={one && !isGone && <Wishes session={one} {...place} />}
    >
      {isGone ? (
        <Empty title="Session not found" action={<Link to={paths.agentSessions(organizationId)}>All sessions</Link>}>
          <p>It was deleted, or the address is wrong.</p>
        </Empty>
      ) : (
        <Answer query={session} what="The session" rows={12}>
          {(found) => (
            <Parts organization={organizationId} session={found} followed={followed} stop={() => setAsking("stop")} />
          )}
        </Answer>
      )}
    </Page>
  );
}

interface PartsProps {
  organization: number;
  session: AgentSession;
  followed: Followed;
  /** Asks whether to stop it. */
  stop: () => void;
}

/** One column, as `Sessions.module.css` has it. */
const narrow = "(max-width: 62em)";

/** Parts of the page, one of which a phone shows at a time. */
const parts = [
  { value: "outcome", label: "Outcome" },
  { value: "steps", label: "Steps" },
  { value: "transcript", label: "Transcript" },
];

function Parts({ organization, session, followed, stop }: PartsProps) {
  const ended = hasEnded(session);
  const [part, setPart] = useState(ended ? "outcome" : "transcript");
  const showTranscript = useCallback(() => setPart("transcript"), []);
  const [target, show] = useTarget(followed, showTranscript);
  // In one column, the outcome of what had ended already comes first. What ends meanwhile moves nothing.
  const [hadEnded] = useState(ended);
  const isNarrow = useMediaQuery(narrow, matchMedia(narrow).matches, { getInitialValueInEffect: false });
  const isOutcomeFirst = hadEnded && isNarrow;
  const facts = <Facts organization={organization} session={session} />;
  return (
    <div className={classes.parts}>
      <div className={classes.standing} role="status">
        <SessionState session={session} />
        {session.reason !== null && <bdi>{oneLine(session.reason)}</bdi>}
        <Since session={session} />
        {followed.state === "lost" && <span className="muted">Connection lost: trying again</span>}
      </div>
      <Glance organization={organization} session={session} modelCost={followed.timeline.totals.cost} />
      {waits(session) && <NoRunner organization={organization} session={session} />}
      <Mode organization={organization} session={session} />
      <div className={classes.choice}>
        <SegmentedControl fullWidth aria-label="Part of the session" data={parts} value={part} onChange={setPart} />
      </div>
      <div className={classes.columns} data-part={part}>
        <Waiting organization={organization} session={session} />
        {/* The facts change their place, not the rest: what is moved loses its focus and how far it was scrolled. */}
        {isOutcomeFirst && facts}
        <Main {...{ organization, session, followed, target, show, part }} />
        {!isOutcomeFirst && facts}
      </div>
      {!ended && (
        <div className={classes.hold}>
          <Permission organization={organization} session={session} blocks={followed.blocks} />
          {wishes(session).stop && (
            <div className={classes.stop}>
              <Button variant="default" fullWidth onClick={stop}>
                Stop…
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

interface MainProps extends Omit<PartsProps, "stop"> {
  target: { id: number } | undefined;
  /** Shows an entry in the transcript. */
  show: (id: number) => void;
  part: string;
}

/** What waits for a person: it comes first at every width. */
function Waiting({ organization, session }: Pick<PartsProps, "organization" | "session">) {
  return (
    <div className={`${classes.main} ${classes.waiting}`} data-of="outcome">
      <Continue organization={organization} session={session} />
      <HeldWork organization={organization} session={session} />
    </div>
  );
}

/** What was done: the steps, and the transcript. */
function Main({ organization, session, followed, target, show, part }: MainProps) {
  const ended = hasEnded(session);
  return (
    <div className={classes.main}>
      <div data-of="steps">
        <Timeline of={followed.timeline} open={show} />
        {followed.timeline.marks.length === 0 && followed.state !== "connecting" && (
          <p className="muted">{ended ? "Nothing happened." : "Nothing has happened yet."}</p>
        )}
      </div>
      <div className={classes.main} data-of="transcript">
        <Transcript session={session} followed={followed} target={target} isShown={part === "transcript"} />
        {!ended && <Say organization={organization} session={session} />}
      </div>
    </div>
  );
}

/** The entry to show in the transcript: the one that was asked for last, at first the one in the address. */
function useTarget({ blocks }: Followed, showTranscript: () => void) {
  const hash = useLocation({ select: (location) => location.hash });
  const [target, setTarget] = useState<{ id: number }>();
  const show = useCallback(
    (id: number) => {
      showTranscript();
      setTarget({ id });
    },
    [showTranscript],
  );
  const linked = entryIn(hash);
  const isThere = linked !== undefined && blocks.some(({ id }) => id === linked);
  // Once for each address: a stream that begins anew moves nothing.
  const followedTo = useRef<number>(undefined);
  useEffect(() => {
    if (!isThere || followedTo.current === linked) return;
    followedTo.current = linked;
    show(linked);
  }, [isThere, linked, show]);
  return [target, show] as const;
}

/** How long it has been so. */
function Since({ session }: { session: AgentSession }) {
  const at = Date.parse(session.ended_at ?? session.phase_since);
  return (
    <span className="muted number" title={`${local(at)} here\n${utc(at)}`}>
      {sinceWords(session, useNow())}
    </span>
  );
}
