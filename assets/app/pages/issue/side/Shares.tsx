import { useState } from "react";
import type { Tag, TagValue } from "../../../api/schema.d.ts";
import { contextFacets } from "../../../issue-search/contexts.ts";
import { exact, percent, short } from "../../../ui/format.ts";
import { Line } from "../../../ui/Text.tsx";
import { FacetLink } from "../FacetLink.tsx";
import { FacetWays } from "../FacetWays.tsx";
import type { Place } from "../queries.ts";
import classes from "./Side.module.css";

/** Values of a tag that are shown at first. */
const first = 3;

/**
 * Values of a tag (the most frequent ones, or the newest releases) with their shares as thin bars; each leads to the
 * events that have it.
 */
export function Shares({ tag, place }: { tag: Tag; place: Place }) {
  const [isWhole, setWhole] = useState(false);
  const drawn = isWhole ? tag.values : tag.values.slice(0, first);
  const rest = tag.unique - drawn.length;
  return (
    <>
      <ul className={classes.shares}>
        {drawn.map((value) => (
          <Share key={value.value} tag={tag} value={value} place={place} />
        ))}
      </ul>
      {tag.values.length > drawn.length ? (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          Show {exact(tag.values.length - drawn.length)} more
        </button>
      ) : (
        rest > 0 && <p className={classes.rest}>and {exact(rest)} more</p>
      )}
      {tag.is_full && (
        <p className={classes.rest}>Only the {exact(tag.unique)} values that were seen first are counted.</p>
      )}
    </>
  );
}

/** A key under its heading: `os.name` of a context. */
export const shownKey = ({ facet, key }: Tag): string =>
  contextFacets.has(facet) ? facet.replace("contexts.", "") : key;

/** Tags with one value, a row each. */
export function Singles({ tags, place }: { tags: Tag[]; place: Place }) {
  if (tags.length === 0) return null;
  return (
    <dl className={classes.singles}>
      {tags.map((tag) => {
        const value = tag.values[0]?.value ?? "";
        return (
          <div key={tag.facet}>
            <dt>
              <Line text={shownKey(tag)} />
            </dt>
            <dd>
              <FacetLink place={place} name={tag.facet} value={value} className={classes.value}>
                <Line text={value} />
              </FacetLink>
              <FacetWays place={place} name={tag.facet} value={value} className={classes.ways} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Share({ tag, value, place }: { tag: Tag; value: TagValue; place: Place }) {
  return (
    <li className={classes.row}>
      <FacetLink place={place} name={tag.facet} value={value.value} className={classes.share}>
        <Line text={value.alias ?? value.value} />
        <span className={`${classes.often} number`} title={`${exact(value.count)} of ${exact(tag.total)} events`}>
          {short(value.count)} <span className={classes.percent}>{percent(value.count, tag.total)}</span>
        </span>
        <span className={classes.track} aria-hidden>
          <span className={classes.part} style={{ inlineSize: `${(100 * value.count) / Math.max(1, tag.total)}%` }} />
        </span>
      </FacetLink>
      <FacetWays place={place} name={tag.facet} value={value.value} className={classes.ways} />
    </li>
  );
}
