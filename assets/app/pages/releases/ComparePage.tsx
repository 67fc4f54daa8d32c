import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { comparisonQuery, newestReleasesQuery } from "../../api/release-queries.ts";
import type { Comparison } from "../../api/schema.d.ts";
import { Page } from "../../navigation/Page.tsx";
import { ReleaseLink } from "../../navigation/ReleaseLink.tsx";
import { useCarried } from "../../navigation/use-carried.ts";
import { paths } from "../../paths.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";
import { ComparedFigures } from "./ComparedFigures.tsx";
import { ComparedIssueList } from "./ComparedIssueList.tsx";
import classes from "./Compare.module.css";
import { OfAll } from "./OfAll.tsx";

/** Compares a release with another. */
export default function ComparePage() {
  const from = "/inside/projects/$projectId/releases/$version/compare";
  const { projectId, version } = useParams({ from });
  const { with: other } = useSearch({ from });
  const comparison = useQuery(comparisonQuery(projectId, version, other));
  return (
    <Page section="comparison" title={`Compare ${oneLine(version)}`} wide>
      <Answer query={comparison} what="The comparison" rows={8}>
        {(found) => (
          <>
            <Choice project={projectId} version={version} other={other ?? found.base?.version} />
            {found.base === null ? <Alone /> : <Compared project={projectId} comparison={found} />}
          </>
        )}
      </Answer>
    </Page>
  );
}

function Choice({ project, version, other }: { project: number; version: string; other: string | undefined }) {
  const navigate = useNavigate();
  const along = useCarried("releases");
  const { data: versions = [] } = useQuery(newestReleasesQuery(project));
  const all = [...new Set([...(other === undefined ? [] : [other]), ...versions])].filter((one) => one !== version);
  return (
    <div className={classes.choice}>
      <ReleaseLink project={project} version={version} className="mono">
        {oneLine(version)}
      </ReleaseLink>
      <Select
        label="with"
        classNames={{ root: classes.select ?? "", label: classes.with ?? "" }}
        data={all}
        value={other ?? null}
        placeholder="Choose a release"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No such release"
        onChange={(next) =>
          next !== null &&
          void navigate({ to: paths.compare(project, version), search: { ...along, with: next }, replace: true })
        }
      />
    </div>
  );
}

function Alone() {
  return (
    <Empty title="No release before it">
      <p>No earlier release of this project has events. Choose another one above to compare with.</p>
    </Empty>
  );
}

function Compared({ project, comparison }: { project: number; comparison: Comparison }) {
  const { release, base, new_issues, regressions, gone } = comparison;
  if (base === null) return null;
  const names = { release: release.version, base: base.version };
  return (
    <>
      <OfAll />
      <ComparedFigures project={project} release={release} base={base} />
      <ComparedIssueList
        project={project}
        id="new"
        title="New issues"
        none={`No issue was first seen in ${oneLine(names.release)}.`}
        list={new_issues}
        names={names}
        all={`first_release:"${names.release}"`}
      />
      <ComparedIssueList
        project={project}
        id="regressed"
        title="Regressed issues"
        none="No issue regressed."
        list={regressions}
        names={names}
      />
      <ComparedIssueList
        project={project}
        id="gone"
        title={`Not seen in ${oneLine(names.release)}`}
        none={`All issues of ${oneLine(names.base)} have events in it.`}
        list={gone}
        names={names}
      />
    </>
  );
}
