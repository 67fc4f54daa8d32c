import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { comparisonQuery, newestReleasesQuery } from "../../api/release-queries.ts";
import type { Comparison } from "../../api/schema.d.ts";
import type { Limits } from "../../navigation/limits.ts";
import { Page } from "../../navigation/Page.tsx";
import { ReleaseLink } from "../../navigation/ReleaseLink.tsx";
import { useCarried } from "../../navigation/use-carried.ts";
import { paths } from "../../paths.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";
import { ComparedFigures } from "./ComparedFigures.tsx";
import { ComparedIssueList } from "./ComparedIssueList.tsx";
import classes from "./Compare.module.css";
import { LimitedTo } from "./LimitedTo.tsx";
import { comparisonWords, noneWords, there } from "./limited-words.ts";
import { useLimits } from "./use-limits.ts";

/** Compares a release with another. */
export default function ComparePage() {
  const from = "/inside/projects/$projectId/releases/$version/compare";
  const { projectId, version } = useParams({ from });
  const { with: other } = useSearch({ from });
  const limits = useLimits();
  const comparison = useQuery(comparisonQuery(projectId, version, other, limits.environment));
  return (
    <Page section="comparison" title={`Compare ${oneLine(version)}`} wide>
      <Answer query={comparison} what="The comparison" rows={8}>
        {(found) => (
          <>
            <Choice project={projectId} version={version} other={other ?? found.base?.version} />
            {found.base === null ? (
              <Alone where={there(limits.environment)} />
            ) : (
              <Compared project={projectId} comparison={found} limits={limits} />
            )}
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

function Alone({ where }: { where: string }) {
  return (
    <Empty title="No release before it">
      <p>No earlier release of this project has events{where}. Choose another one above to compare with.</p>
    </Empty>
  );
}

function Compared({ project, comparison, limits }: { project: number; comparison: Comparison; limits: Limits }) {
  const { environment } = limits;
  const { release, base, new_issues, regressions, gone } = comparison;
  if (base === null) return null;
  const names = { release: release.version, base: base.version };
  const none = noneWords({ release: oneLine(names.release), base: oneLine(names.base) }, environment);
  return (
    <>
      <LimitedTo words={comparisonWords(limits)} />
      <ComparedFigures project={project} release={release} base={base} isLimited={environment !== undefined} />
      <ComparedIssueList
        project={project}
        id="new"
        title="New issues"
        none={none.new}
        list={new_issues}
        names={names}
        all={`first_release:"${names.release}"`}
      />
      <ComparedIssueList
        project={project}
        id="regressed"
        title="Regressed issues"
        none={none.regressed}
        list={regressions}
        names={names}
      />
      <ComparedIssueList
        project={project}
        id="gone"
        title={`Not seen in ${oneLine(names.release)}${there(environment)}`}
        none={none.gone}
        list={gone}
        names={names}
      />
    </>
  );
}
