import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { Rocket } from "lucide-react";
import { useState } from "react";
import { metaQuery, organizationsQuery, projectQuery } from "../../api/queries.ts";
import { freshKeysQuery, activeKeysQuery } from "../../first-steps/keys.ts";
import { originOf } from "../../first-steps/origin.ts";
import { sdkOf } from "../../first-steps/sdks.ts";
import { useChecklist } from "../../first-steps/use-checklist.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { counted } from "../../ui/format.ts";
import { Loading } from "../../ui/States.tsx";
import { type Arrival, isLater, useArrival } from "./arrival.ts";
import { EventStep } from "./EventStep.tsx";
import { KeyStep } from "./KeyStep.tsx";
import { MapsStep } from "./MapsStep.tsx";
import { SnippetStep } from "./SnippetStep.tsx";
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
        <MapsStep
          project={project}
          sdk={sdkOf(sdk, record?.platform)}
          place={{ origin, key: fresh.releases }}
          mayCreate={mayCreate}
        />
      </div>
    </Page>
  );
}

/** For a project that has events already. */
function HasEvents({ project, arrival }: { project: number; arrival: Arrival }) {
  if (!isLater(arrival)) return null;
  return (
    <p className={classes.note}>
      This project already receives events: it has{" "}
      <Link to={paths.issues(project)}>{counted(arrival.total, "issue")}</Link>. Use these steps to connect another
      application or a build.
    </p>
  );
}

/** For whoever has hidden the checklist of the navigation, and wants it back. */
function ShowChecklist({ project }: { project: number }) {
  const { state, show } = useChecklist(project);
  if (state !== "hidden") return null;
  return (
    <Button variant="default" leftSection={<Rocket size="0.875rem" aria-hidden />} onClick={show}>
      Show the checklist
    </Button>
  );
}

/** Whether it was true once. */
function useOnce(now: boolean): boolean {
  const [was, setWas] = useState(now);
  if (now && !was) setWas(true);
  return was || now;
}
