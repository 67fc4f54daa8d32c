import { type MouseEvent, type RefObject, useEffect, useRef, useState } from "react";
import { type Entry, currentAt, headingId, lineAt } from "./registry.ts";
import classes from "./SectionLinks.module.css";

/** Pixels below the links within which a heading counts as reached. */
const slack = 24;

/** Links to the sections of an event; the one being read is marked. */
export function SectionLinks({ entries }: { entries: Entry[] }) {
  const bar = useRef<HTMLElement>(null);
  const [current, choose] = useCurrent(entries, bar);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is marked
  useEffect(() => {
    const [list, link] = [bar.current, bar.current?.querySelector<HTMLElement>("[aria-current]")];
    // The page itself stays where it is.
    if (list && link) list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
  }, [current]);
  const go = (event: MouseEvent, id: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const heading = document.getElementById(headingId(id));
    heading?.closest("section")?.scrollIntoView({ block: "start" });
    heading?.focus({ preventScroll: true });
    choose(id);
  };
  return (
    <nav ref={bar} className={classes.bar} aria-label="Sections of this event">
      {entries.map(({ id, name }) => (
        <a
          key={id}
          href={`#${headingId(id)}`}
          className={classes.link}
          aria-current={id === current ? "location" : undefined}
          onClick={(event) => go(event, id)}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

/**
 * The section at the top of the window. One that was chosen stays the current one until the person scrolls: the last
 * ones never reach the top.
 */
function useCurrent(entries: Entry[], bar: RefObject<HTMLElement | null>) {
  const [current, setCurrent] = useState<string>();
  const chosen = useRef<string>(undefined);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const below = document.documentElement.scrollHeight - innerHeight - scrollY;
      const view = { height: innerHeight, above: scrollY, below };
      const line = lineAt((bar.current?.getBoundingClientRect().bottom ?? 0) + slack, view);
      const places = entries.flatMap(({ id }) => {
        const heading = document.getElementById(headingId(id));
        return heading ? [{ id, top: heading.getBoundingClientRect().top }] : [];
      });
      setCurrent(chosen.current ?? currentAt(places, line));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    const release = () => {
      chosen.current = undefined;
    };
    look();
    const byHand = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
    window.addEventListener("scroll", soon, { passive: true });
    for (const kind of byHand) window.addEventListener(kind, release, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", soon);
      for (const kind of byHand) window.removeEventListener(kind, release);
    };
  }, [entries, bar]);
  const choose = (id: string) => {
    chosen.current = id;
    setCurrent(id);
  };
  return [current, choose] as const;
}
