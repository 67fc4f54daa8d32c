import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { memo, useState } from "react";
import type { ShownIssue, Tag, Tags } from "../../../api/schema.d.ts";
import { contextFacets } from "../../../issue-search/contexts.ts";
import { ReleaseLink } from "../../../navigation/ReleaseLink.tsx";
import { exact } from "../../../ui/format.ts";
import { Answer } from "../../../ui/States.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Section } from "../details/Section.tsx";
import { type Place, tagsQuery } from "../queries.ts";
import { type Asked, TicketDialogs } from "../tickets/TicketDialogs.tsx";
import { Tickets } from "../tickets/Tickets.tsx";
import { Shares, Singles, shownKey } from "./Shares.tsx";
import classes from "./Side.module.css";
import { Suspect } from "./Suspect.tsx";
import { Trend } from "./Trend.tsx";

/** Facets with separate headings, in this order. */
const own: [facet: string, title: string][] = [
  ["user", "Users"],
  ["account", "Accounts"],
  ["environment", "Environments"],
];

/** The affected users, the times, and what the issue's events have in common. */
export const Side = memo(function Side({ issue, place }: { issue: ShownIssue; place: Place }) {
  const isPhone = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  const isFolded = isPhone && !isOpen;
  // Beside what is folded, so that a dialog stays with what was typed when the window becomes narrow.
  const [asked, setAsked] = useState<Asked>();
  const tags = useQuery({ ...tagsQuery(place), enabled: !isFolded });
  return (
    <aside className={classes.side} aria-label="Trend, releases, users and tags">
      {isPhone && (
        <Button variant="default" fullWidth aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide" : "Show"} trend, releases, users and tags
        </Button>
      )}
      {!isFolded && <Numbers issue={issue} place={place} tags={tags} ask={setAsked} />}
      {asked && (
        <TicketDialogs project={issue.project_id} issue={issue.id} asked={asked} close={() => setAsked(undefined)} />
      )}
    </aside>
  );
});

interface NumbersProps {
  issue: ShownIssue;
  place: Place;
  tags: UseQueryResult<Tags>;
  ask: (what: Asked) => void;
}

function Numbers({ issue, place, tags, ask }: NumbersProps) {
  return (
    <>
      <Trend place={place} issue={issue} />
      <Tickets project={issue.project_id} issue={issue.id} ask={ask} />
      <Releases issue={issue} place={place} release={tags.data?.tags.find(({ facet }) => facet === "release")} />
      <Answer query={tags} what="The tags" rows={6}>
        {({ tags: all }) => <Groups tags={all} place={place} />}
      </Answer>
    </>
  );
}

function Groups({ tags, place }: { tags: Tag[]; place: Place }) {
  const others = tags.filter(({ facet }) => facet !== "release" && !own.some(([name]) => name === facet));
  const isContext = ({ facet }: Tag) => contextFacets.has(facet);
  return (
    <>
      {own.map(([facet, title]) => {
        const tag = tags.find((each) => each.facet === facet);
        if (!tag || tag.values.length === 0) return null;
        return (
          <Section key={facet} id={`side-${facet}`} title={title} count={tag.unique}>
            <Shares tag={tag} place={place} />
          </Section>
        );
      })}
      <Group id="side-tags" title="Tags" tags={others.filter((tag) => !isContext(tag))} place={place} />
      <Group id="side-contexts" title="Contexts of all events" tags={others.filter(isContext)} place={place} />
    </>
  );
}

/** Tags, first those with several values. */
function Group({ id, title, tags, place }: { id: string; title: string; tags: Tag[]; place: Place }) {
  if (tags.length === 0) return null;
  return (
    <Section id={id} title={title}>
      <div className={classes.tags}>
        {tags
          .filter((tag) => tag.unique > 1)
          .map((tag) => (
            <div key={tag.facet}>
              <h3 className={classes.key}>
                <Line text={shownKey(tag)} />
                <span className="number">
                  {exact(tag.unique)}
                  {tag.is_full && "+"}
                </span>
              </h3>
              <Shares tag={tag} place={place} />
            </div>
          ))}
        <Singles tags={tags.filter((tag) => tag.unique === 1)} place={place} />
      </div>
    </Section>
  );
}

function Releases({ issue, place, release }: { issue: ShownIssue; place: Place; release: Tag | undefined }) {
  const { first_release: first, last_release: last, suspect_release: suspect } = issue;
  if (first === null && last === null) return null;
  const rows: [string, string][] =
    first === last || last === null || first === null
      ? [["Only seen in", first ?? last ?? ""]]
      : [
          ["First seen in", first],
          ["Last seen in", last],
        ];
  return (
    <Section id="side-releases" title="Releases" count={release?.unique}>
      <dl className={classes.releases}>
        {rows.map(([words, version]) => (
          <div key={words}>
            <dt>{release && release.unique > 1 && rows.length === 1 ? "First and last seen in" : words}</dt>
            <dd>
              <ReleaseLink project={issue.project_id} version={version}>
                <Line text={version} />
              </ReleaseLink>
            </dd>
          </div>
        ))}
      </dl>
      {suspect && <Suspect place={place} suspect={suspect} />}
      {release && release.unique > 1 && <Shares tag={release} place={place} />}
    </Section>
  );
}
