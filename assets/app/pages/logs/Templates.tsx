import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { TemplateGroup } from "../../api/schema.d.ts";
import { counted, exact, percent } from "../../ui/format.ts";
import { Level } from "../../ui/Level.tsx";
import { Answer } from "../../ui/States.tsx";
import { oneLine, visible } from "../../ui/visible.ts";
import type { LogSearch } from "./address.ts";
import { LogTime } from "./LogTime.tsx";
import { Message } from "./Message.tsx";
import { NoEntries } from "./NoEntries.tsx";
import { templatesQuery } from "./queries.ts";
import type { Filters } from "./range.ts";
import classes from "./Templates.module.css";
import { term, withTerm } from "./terms.ts";
import type { Show } from "./use-show.ts";

/** The most code units of a template in a row. */
const most = 300;

interface Props {
  project: number;
  search: LogSearch;
  filters: Filters;
  /** The number of matching entries. */
  total: number | undefined;
  show: Show;
  refresh: () => void;
}

/** Message templates, the most frequent first. */
export function Templates({ project, search, filters, total, show, refresh }: Props) {
  const query = useInfiniteQuery(templatesQuery(project, filters));
  const open = (id: string) => show({ query: withTerm(search.query, term("template", id), "only"), view: undefined });
  return (
    <Answer query={query} what="The templates" rows={10}>
      {({ pages }) => {
        const groups = pages.flatMap(({ templates }) => templates);
        const all = pages[0]?.total ?? 0;
        if (groups.length === 0)
          return <NoEntries project={project} search={search} hints={[]} show={show} refresh={refresh} />;
        const whole = total ?? groups.reduce((sum, { count }) => sum + count, 0);
        return (
          <>
            <p className={classes.count} role="status">
              {counted(all, "template")}
            </p>
            <ul className={classes.groups} aria-label="Templates">
              {groups.map((group) => (
                <Group key={group.id} group={group} whole={whole} open={open} />
              ))}
            </ul>
            {query.hasNextPage && (
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {query.isFetchNextPageError ? "More could not be loaded. Try again" : "Show more"}
              </Button>
            )}
          </>
        );
      }}
    </Answer>
  );
}

/** Its count with its share of all, its text, and its newest entry. */
function Group({
  group: { id, template, count, example },
  whole,
  open,
}: {
  group: TemplateGroup;
  whole: number;
  open: (id: string) => void;
}) {
  const share = percent(count, Math.max(whole, count));
  return (
    <li className={classes.group}>
      <div className={classes.share} title={`${share} of the entries`}>
        <span className="number">{exact(count)}</span>
        <span className={classes.percent}>{share}</span>
        <span className={classes.track} aria-hidden>
          <span className={classes.bar} style={{ width: `${(100 * count) / Math.max(whole, count, 1)}%` }} />
        </span>
      </div>
      <div className={classes.what}>
        <button
          type="button"
          className={classes.template}
          onClick={() => open(id)}
          title={visible(template.slice(0, 2_000))}
        >
          <bdi className="cut">{oneLine(template.slice(0, most))}</bdi>
        </button>
        <p className={classes.example}>
          <Level level={example.level} />
          <LogTime at={example.timestamp} />
          <Message message={example.message} highlights={[]} />
        </p>
      </div>
    </li>
  );
}
