import type { Event } from "../../../api/schema.d.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { visible } from "../../../ui/visible.ts";
import { FacetLink } from "../FacetLink.tsx";
import { FacetWays } from "../FacetWays.tsx";
import classes from "./Details.module.css";
import { Section } from "./Section.tsx";

/** The event's tags; each leads to the issue's events with the same value. */
export function Tags({ event: { tags, project_id, issue_id } }: { event: Event }) {
  const all = Object.entries(tags);
  if (all.length === 0) return null;
  const place = { project: project_id, issue: issue_id };
  const tools = <CopyButton text={() => JSON.stringify(tags, undefined, 2)} label="Copy the tags as JSON" />;
  return (
    <Section id="tags" title="Tags" count={all.length} tools={tools}>
      <dl className={classes.tags}>
        {all.map(([key, value]) => (
          <div key={key}>
            <dt>{visible(key)}</dt>
            <dd>
              <FacetLink place={place} name={`tag.${key}`} value={value} className={classes.value}>
                <bdi>{visible(value)}</bdi>
              </FacetLink>
              <FacetWays place={place} name={`tag.${key}`} value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
