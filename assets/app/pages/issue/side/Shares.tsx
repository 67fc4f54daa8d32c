import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Tag, TagValue } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { exact, percent } from "../../../ui/format.ts";
import { Line } from "../../../ui/Text.tsx";
import { tagQuery } from "./filters.ts";
import classes from "./Side.module.css";

/** Values of a tag that are shown before somebody asks for more. */
const first = 4;

/** The most frequent values of a tag, with their shares as thin bars; each leads to its issues. */
export function Shares({ tag, project }: { tag: Tag; project: number }) {
  const [isWhole, setWhole] = useState(false);
  const drawn = isWhole ? tag.values : tag.values.slice(0, first);
  const rest = tag.unique - drawn.length;
  return (
    <>
      <ul className={classes.shares}>
        {drawn.map((value) => (
          <Share key={value.value} tag={tag} value={value} project={project} />
        ))}
      </ul>
      {tag.values.length > drawn.length ? (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          {exact(rest)} more
        </button>
      ) : (
        rest > 0 && <p className={classes.rest}>and {exact(rest)} more</p>
      )}
    </>
  );
}

/** Tags with one value, a row each. */
export function Singles({ tags, project }: { tags: Tag[]; project: number }) {
  if (tags.length === 0) return null;
  return (
    <dl className={classes.singles}>
      {tags.map((tag) => (
        <div key={tag.key}>
          <dt>
            <Line text={tag.key} />
          </dt>
          <dd>
            <Value name={tag.key} text={tag.values[0]?.value ?? ""} project={project} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ name, text, project }: { name: string; text: string; project: number }) {
  const query = tagQuery(name, text);
  if (query === undefined) return <Line text={text} />;
  return (
    <Link to={paths.issues(project)} search={{ query }} className={classes.value}>
      <Line text={text} />
    </Link>
  );
}

function Share({ tag, value, project }: { tag: Tag; value: TagValue; project: number }) {
  const query = tagQuery(tag.key, value.value);
  const content = (
    <>
      <Line text={value.alias ?? value.value} />
      <span className="number" title={`${exact(value.count)} of ${exact(tag.total)} events`}>
        {percent(value.count, tag.total)}
      </span>
      <span className={classes.track} aria-hidden>
        <span className={classes.part} style={{ inlineSize: `${(100 * value.count) / Math.max(1, tag.total)}%` }} />
      </span>
    </>
  );
  return (
    <li>
      {query === undefined ? (
        <span className={classes.share}>{content}</span>
      ) : (
        <Link to={paths.issues(project)} search={{ query }} className={classes.share}>
          {content}
        </Link>
      )}
    </li>
  );
}
