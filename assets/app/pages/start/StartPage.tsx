import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { metaQuery, organizationsQuery, projectQuery } from "../../api/queries.ts";
import { Page } from "../../ui/Page.tsx";
import { Loading } from "../../ui/States.tsx";
import { useArrival } from "./arrival.ts";
import { EventStep } from "./EventStep.tsx";
import { HasEvents } from "./HasEvents.tsx";
import { KeyStep } from "./KeyStep.tsx";
import { freshKeysQuery, activeKeysQuery } from "./keys.ts";
import { MapsStep } from "./MapsStep.tsx";
import { originOf } from "./origin.ts";
import { isMinified, sdkOf } from "./sdks.ts";
import { ShowChecklist } from "./ShowChecklist.tsx";
import { SnippetStep } from "./SnippetStep.tsx";
import { useOnce } from "./use-once.ts";
import classes from "./Start.module.css";

/** The steps from a new project to its first error. */
export default function StartPage() {
  const { projectId } = useParams({ from: "/inside/projects/$projectId/start" });
  return <Steps key={projectId} project={projectId} />;
}

function Steps({ project }: { project: number }) {
  const record = useQuery(projectQuery(project)).data;
  const sdk = useSearch({ strict: false, select: (search: Record<string, unknown>) => search.sdk });
  const organizations = useQuery(organizationsQuery);
  const meta = useQuery(metaQuery);
  const fresh = useQuery(freshKeysQuery(project)).data ?? {};
  const arrival = useArrival(project);
  const role = organizations.data?.find(({ id }) => id === record?.organization_id)?.role;
  // While the role is unknown, the server decides.
  const mayCreate = role !== "member";
  // Loaded here for the first step, so that nothing moves when they arrive.
  const keys = useQuery({
    ...activeKeysQuery(project),
    enabled: !organizations.isPending && mayCreate && fresh.ingest === undefined,
  });
  const sending = fresh.ingest ?? keys.data?.find(({ key }) => key !== null)?.key ?? undefined;
  const title = record ? `Connect ${record.name}` : "Connect your application";
  const ready = useOnce(!organizations.isPending && !meta.isPending && !keys.isLoading && arrival.state !== "asking");
  if (!ready) {
    return (
      <Page section="start" title={title}>
        <Loading rows={9} />
      </Page>
    );
  }
  const origin = originOf(meta.data?.capabilities.webApp.baseUrl, location.origin);
  return (
    <Page section="start" title={title} actions={<ShowChecklist project={project} />}>
      <HasEvents project={project} arrival={arrival} />
      <div className={classes.steps}>
        <KeyStep
          project={project}
          shown={sending}
          isNew={fresh.ingest !== undefined}
          problem={fresh.problem}
          mayCreate={mayCreate}
        />
        <SnippetStep project={project} platform={record?.platform} place={{ origin, key: sending }} />
        <EventStep project={project} arrival={arrival} apiKey={sending} mayCreate={mayCreate} />
        {isMinified(sdkOf(sdk, record?.platform)) && (
          <MapsStep project={project} place={{ origin, key: fresh.releases }} mayCreate={mayCreate} />
        )}
      </div>
    </Page>
  );
}
