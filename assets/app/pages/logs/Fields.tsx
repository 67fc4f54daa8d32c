import { ActionIcon, Drawer, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronRight, X } from "lucide-react";
import { Fragment, useEffect, useRef, useState } from "react";
import { Count } from "../../ui/Count.tsx";
import { exact } from "../../ui/format.ts";
import { Answer } from "../../ui/States.tsx";
import { visible } from "../../ui/visible.ts";
import type { LogSearch } from "./address.ts";
import { Ways } from "./Facts.tsx";
import { fieldGroups, isListed, labelOf } from "./field-order.ts";
import classes from "./Fields.module.css";
import { leftOut } from "./left-out.ts";
import { fieldsQuery } from "./queries.ts";
import type { Filters } from "./range.ts";
import { type Way, canAsk, term, withTerm } from "./terms.ts";
import type { Show } from "./use-show.ts";

/** The value in the address while no field is selected. */
const none = "all";
/** With more names than this, there is a search field. */
const searchFrom = 12;

interface Props {
  project: number;
  search: LogSearch;
  filters: Filters;
  show: Show;
}

/**
 * The fields of the matching entries with how many have each, and the values of the chosen one; on the left, or in a
 * drawer.
 */
export function Fields(props: Props) {
  const isNarrow = useMediaQuery("(max-width: 62em)", undefined, { getInitialValueInEffect: false });
  const close = () => props.show({ fields: undefined });
  if (isNarrow) {
    return (
      <Drawer opened onClose={close} size="20rem" title="Fields" transitionProps={{ duration: 0 }}>
        <Names {...props} />
      </Drawer>
    );
  }
  return (
    <aside className={classes.panel} aria-labelledby="log-fields">
      <div className={classes.head}>
        <h2 id="log-fields">Fields</h2>
        <ActionIcon aria-label="Close fields" onClick={close}>
          <X size="1rem" aria-hidden />
        </ActionIcon>
      </div>
      <Names {...props} />
    </aside>
  );
}

function Names(props: Props) {
  const [sought, setSought] = useState("");
  const query = useQuery({ ...fieldsQuery(props.project, props.filters), placeholderData: keepPreviousData });
  const isSought = (name: string) =>
    isListed(name, props.search.fields) && name.toLowerCase().includes(sought.trim().toLowerCase());
  return (
    <Answer query={query} what="The fields" rows={6}>
      {(list) => (
        <>
          {list.fields.length > searchFrom && (
            <TextInput
              size="xs"
              aria-label="Find a field"
              placeholder="Find a field"
              value={sought}
              onChange={(event) => setSought(event.currentTarget.value)}
            />
          )}
          {list.fields.length === 0 && <p className="muted">No matching entries.</p>}
          {fieldGroups(list.fields.filter(isSought)).map(({ title, names }) => (
            <Fragment key={title}>
              <h3 className={classes.group}>{title}</h3>
              <ul>
                {names.map((name) => (
                  <Field key={name} name={name} count={list.counts[name] ?? 0} {...props} />
                ))}
              </ul>
            </Fragment>
          ))}
          <LeftOut text={leftOut(list, list.fields.length, "fields")} />
        </>
      )}
    </Answer>
  );
}

function Field({ name, count, ...props }: Props & { name: string; count: number }) {
  const isChosen = name === props.search.fields;
  return (
    <li>
      <div className={classes.field}>
        <button
          type="button"
          className={classes.name}
          aria-expanded={isChosen}
          onClick={() => props.show({ fields: isChosen ? none : name })}
        >
          <ChevronRight aria-hidden className={classes.chevron} />
          <bdi className="cut" title={visible(name)}>
            {visible(labelOf(name))}
          </bdi>
        </button>
        <span className={classes.many}>
          <Count of={count} unit="entries with this field" />
        </span>
      </div>
      {isChosen && <Values field={name} {...props} />}
    </li>
  );
}

function Values({ project, field, search, filters, show }: Props & { field: string }) {
  const query = useQuery({ ...fieldsQuery(project, filters, field), placeholderData: keepPreviousData });
  const filter = (part: string, way: Way) => show({ query: withTerm(search.query, part, way) });
  const place = useRef<HTMLDivElement>(null);
  const isThere = query.data !== undefined;
  // A field from the address may be far down, and one that was open above has closed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when its values arrive as well
  useEffect(() => {
    showWithin(place.current?.closest("li")?.querySelector<HTMLElement>(`.${classes.field}`));
  }, [isThere]);
  return (
    <div ref={place}>
      <Answer query={query} what="The values" rows={3}>
        {(list) => (
          <div className={classes.values}>
            <ul aria-label={`Values of ${visible(field)}`}>
              {list.values.map(({ value, count }) => (
                <li key={value} className={classes.value}>
                  <bdi className="cut" title={visible(value)}>
                    {visible(value)}
                  </bdi>
                  <span className="number">{exact(count)}</span>
                  {canAsk(field) && <Ways part={term(field, value)} what={`${field} ${value}`} filter={filter} />}
                </li>
              ))}
            </ul>
            <LeftOut text={leftOut(list, list.values.length, "values")} />
          </div>
        )}
      </Answer>
    </div>
  );
}

const LeftOut = ({ text }: { text: string | undefined }) => text !== undefined && <p className="muted">{text}</p>;

/** Scrolls the panel, but not the page, until the name of a field is in sight. */
function showWithin(item: HTMLElement | null | undefined): void {
  const panel = item?.closest("aside");
  if (!item || !panel) {
    item?.scrollIntoView({ block: "nearest" });
    return;
  }
  const [inner, outer] = [item.getBoundingClientRect(), panel.getBoundingClientRect()];
  const above = inner.top - outer.top;
  if (above < 0 || inner.bottom > outer.bottom) panel.scrollTop += Math.min(above, inner.bottom - outer.bottom);
}
