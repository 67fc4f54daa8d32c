import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import type { Issue, Tag } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { exact } from "../../../ui/format.ts";
import { Answer } from "../../../ui/States.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Section } from "../details/Section.tsx";
import { type Place, tagsQuery } from "../queries.ts";
import { Shares, Singles } from "./Shares.tsx";
import classes from "./Side.module.css";
import { Trend } from "./TrendChart.tsx";

/** Tags that stand under headings of their own, in this order. */
const own: [key: string, title: string][] = [
  ["user", "Users"],
  ["account", "Accounts"],
  ["environment", "Environments"],
];

/** Whom it hits, since when, and what its events have in common. */
export const Side = memo(function Side({ issue, place }: { issue: Issue; place: Place }) {
  const tags = useQuery(tagsQuery(place));
  return (
    <aside className={classes.side} aria-label="Trend, people and tags">
      <Trend place={place} />
      <Releases issue={issue} release={tags.data?.tags.find(({ key }) => key === "release")} />
      <Answer query={tags} what="The tags" rows={6}>
        {({ tags: all }) => <Groups tags={all} issue={issue} />}
      </Answer>
    </aside>
  );
});

function Groups({ tags, issue }: { tags: Tag[]; issue: Issue }) {
  const others = tags.filter(({ key }) => key !== "release" && !own.some(([name]) => name === key));
  return (
    <>
      {own.map(([key, title]) => {
        const tag = tags.find((each) => each.key === key);
        if (!tag || tag.values.length === 0) return null;
        return (
          <Section key={key} id={`side-${key}`} title={title} count={tag.unique}>
            <Shares tag={tag} project={issue.project_id} />
          </Section>
        );
      })}
      {others.length > 0 && (
        <Section id="side-tags" title="Tags">
          <div className={classes.tags}>
            {others
              .filter((tag) => tag.unique > 1)
              .map((tag) => (
                <div key={tag.key}>
                  <h3 className={classes.key}>
                    <Line text={tag.key} />
                    <span className="number">{tag.unique > 1 ? exact(tag.unique) : ""}</span>
                  </h3>
                  <Shares tag={tag} project={issue.project_id} />
                </div>
              ))}
            <Singles tags={others.filter((tag) => tag.unique === 1)} project={issue.project_id} />
          </div>
        </Section>
      )}
    </>
  );
}

function Releases({ issue, release }: { issue: Issue; release: Tag | undefined }) {
  const { first_release: first, last_release: last } = issue;
  if (first === null && last === null) return null;
  const rows: [string, string][] =
    first === last || last === null || first === null
      ? [["Only in", first ?? last ?? ""]]
      : [
          ["First in", first],
          ["Last in", last],
        ];
  return (
    <Section id="side-releases" title="Releases" count={release?.unique}>
      <dl className={classes.releases}>
        {rows.map(([words, version]) => (
          <div key={words}>
            <dt>{release && release.unique > 1 && rows.length === 1 ? "First and last in" : words}</dt>
            <dd>
              <Link to={paths.release(issue.project_id, version)}>
                <Line text={version} />
              </Link>
            </dd>
          </div>
        ))}
      </dl>
      {release && release.unique > 1 && <Shares tag={release} project={issue.project_id} />}
    </Section>
  );
}
