import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { isStatus } from "../../api/error.ts";
import { useFollowEvents } from "../../api/follow.ts";
import { releaseKeys } from "../../api/mapped-releases.ts";
import { deleteRelease, releaseQuery, unresolvedQuery } from "../../api/release-queries.ts";
import type { LateProgress, ReleaseHealth } from "../../api/schema.d.ts";
import { useRights } from "../../api/role.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { ConfirmTyped } from "../../ui/ConfirmTyped.tsx";
import { counted } from "../../ui/format.ts";
import { done } from "../../ui/notify.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { Time } from "../../ui/Time.tsx";
import { oneLine } from "../../ui/visible.ts";
import { FactBones } from "./Bones.tsx";
import { CiSnippet } from "./CiSnippet.tsx";
import { Deploys } from "./Deploys.tsx";
import { Facts } from "./Facts.tsx";
import classes from "./Release.module.css";
import { isNeedless, wantsUpload } from "./needless.ts";
import { ReleaseTrend } from "./ReleaseTrend.tsx";
import { SourceMaps } from "./SourceMaps.tsx";
import { Unresolved } from "./Unresolved.tsx";
import { useLimits } from "./use-limits.ts";

export default function ReleasePage() {
  const { projectId, version } = useParams({ from: "/inside/projects/$projectId/releases/$version" });
  const { environment } = useLimits();
  const release = useQuery(releaseQuery(projectId, version, environment));
  const hasEvents = release.data !== undefined && mayHaveEvents(release.data, environment);
  const { mayAdminister } = useRights(projectId);
  useFollowEvents(projectId, releaseKeys.one(projectId, version));
  // A 404 after the release was shown: somebody else deleted it.
  if (isStatus(release.error, 404)) return <NoSuchRelease project={projectId} version={version} />;
  const actions = (
    <>
      {mayAdminister && release.data && release.data.id !== null && (
        <Delete project={projectId} release={release.data} />
      )}
    </>
  );
  return (
    <Page section="release" title={oneLine(version)} wide actions={actions}>
      <Answer query={release} what="The release" bones={<FactBones />}>
        {(found) => (
          <>
            <Facts project={projectId} release={found} />
            {hasEvents && <ReleaseTrend project={projectId} version={version} environment={environment} />}
            {found.late && <Late late={found.late} />}
            <Unresolved project={projectId} release={found} hasEvents={hasEvents} />
            {found.id !== null && <Deploys project={projectId} release={found} />}
            <Maps project={projectId} release={found} hasEvents={hasEvents} key={version} />
          </>
        )}
      </Answer>
    </Page>
  );
}

interface MapsProps {
  project: number;
  release: ReleaseHealth;
  hasEvents: boolean;
}

/** How to upload source maps, and those that there are, as somebody leaves them when events arrive. */
function Maps({ project, release, hasEvents }: MapsProps) {
  const unresolved = useQuery({ ...unresolvedQuery(project, release.version), enabled: hasEvents });
  const [before, setBefore] = useState<boolean>();
  const needed = wantsUpload(release.source_map_count, hasEvents, unresolved, before);
  if (needed !== before) setBefore(needed);
  const needless = isNeedless(unresolved.data);
  return (
    <>
      <Upload project={project} release={release} needed={needed} />
      {release.id !== null && needed !== undefined && (
        <SourceMaps project={project} release={release} needless={needless} key={release.id} />
      )}
    </>
  );
}

/** Whether a release may have events anywhere: one without any in an environment may have some in others. */
const mayHaveEvents = ({ event_count }: ReleaseHealth, environment: string | undefined): boolean =>
  event_count > 0 || environment !== undefined;

/** The progress of resolving events that arrived before their source maps. */
function Late({ late }: { late: LateProgress }) {
  if (late.finished_at === null) {
    return (
      <p className={classes.lead} role="status">
        Source maps arrived after errors did: {late.issues_done.toLocaleString("en")} of{" "}
        {counted(late.issue_count, "issue")} are resolved again.
      </p>
    );
  }
  return (
    <p className={classes.lead}>
      Source maps arrived after errors did: {counted(late.issue_count, "issue")} of the last 30 days{" "}
      {late.issue_count === 1 ? "was" : "were"} resolved again <Time at={late.finished_at} />;{" "}
      {counted(late.issues_changed, "issue")} changed.
    </p>
  );
}

interface UploadProps {
  project: number;
  release: ReleaseHealth;
  /** `undefined` as long as it is not known. */
  needed: boolean | undefined;
}

/** The commands for CI; open if they are needed when that is first known, from then on as somebody leaves them. */
function Upload({ project, release, needed }: UploadProps) {
  const [isOpen, setOpen] = useState<boolean>();
  if (isOpen === undefined && needed !== undefined) setOpen(needed);
  return (
    <section className={classes.section} aria-labelledby="ci">
      <details className={classes.fold} open={isOpen ?? false} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h2 id="ci">Upload from CI</h2>
        </summary>
        <CiSnippet project={project} version={release.version} prefix={release.url_prefix ?? undefined} />
      </details>
    </section>
  );
}

function NoSuchRelease({ project, version }: { project: number; version: string }) {
  return (
    <Page title="No such release" bare>
      <Empty
        title="Release not found"
        action={
          <Button component={Link} to={paths.releases(project)} variant="default">
            All releases
          </Button>
        }
      >
        <p>
          Nothing has been uploaded for <bdi className="mono">{oneLine(version)}</bdi>, or it was deleted.{" "}
          <Link to={paths.issues(project, `release:"${version}"`)}>Its issues</Link> are still there, if it has any. To
          create it, run this in CI:
        </p>
        <CiSnippet project={project} version={version} />
      </Empty>
    </Page>
  );
}

/** For owners and admins; a note above tells members who can delete. */
function Delete({ project, release }: { project: number; release: ReleaseHealth }) {
  const [asked, setAsked] = useState(false);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const run = async () => {
    await deleteRelease(project, release.version);
    await navigate({ to: paths.releases(project) });
    cache.removeQueries({ queryKey: releaseKeys.one(project, release.version) });
    void cache.invalidateQueries({ queryKey: releaseKeys.all(project) });
    done(`Release ${oneLine(release.version)} deleted`);
  };
  const count = release.source_map_count;
  const gone = `${counted(count, "source map")}; only another upload brings ${count === 1 ? "it" : "them"} back`;
  return (
    <>
      <Button variant="outline" color="red" onClick={() => setAsked(true)}>
        Delete…
      </Button>
      <ConfirmTyped
        opened={asked}
        close={() => setAsked(false)}
        title="Delete release?"
        word={release.version}
        action="Delete release"
        run={run}
      >
        <p>
          This deletes the release{count > 0 && ` and its ${gone}`}. Events and issues stay, and frames that were
          resolved stay resolved, but new errors of this version arrive with minified stacks.
        </p>
      </ConfirmTyped>
    </>
  );
}
