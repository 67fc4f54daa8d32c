import type { Event } from "../../../api/schema.d.ts";
import { contextFacet } from "../../../issue-search/contexts.ts";
import { visible } from "../../../ui/visible.ts";
import { FacetLink } from "../FacetLink.tsx";
import { FacetWays } from "../FacetWays.tsx";
import classes from "./Details.module.css";
import { Fields } from "./Fields.tsx";

/** What the client told about its surroundings; what is counted leads to the events with the same value, as tags do. */
export function Contexts({ event: { contexts, project_id, issue_id } }: { event: Event }) {
  const place = { project: project_id, issue: issue_id };
  const draw = (path: readonly string[], value: unknown) => {
    const name = contextFacet(path, value);
    if (name === undefined) return undefined;
    const text = String(value);
    return (
      <span className={classes.counted}>
        <FacetLink place={place} name={name} value={text} className={classes.value}>
          <bdi>{visible(text)}</bdi>
        </FacetLink>
        <FacetWays place={place} name={name} value={text} />
      </span>
    );
  };
  return <Fields id="contexts" title="Contexts" fields={contexts} draw={draw} sent closed />;
}
