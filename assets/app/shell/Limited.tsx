import { useQueryClient } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { useEffect, useRef } from "react";
import { limitPerHour, useLimitedUntil } from "../api/limited.ts";
import { clock } from "../api/wait.ts";
import { useSeconds } from "../ui/clock.ts";
import { timeOfDay } from "../ui/format.ts";
import classes from "./Banner.module.css";
import { limitedWords } from "./limited-words.ts";

/** Says until when the server refuses more requests from this person, and reloads after that. */
export function Limited() {
  const until = useLimitedUntil();
  const cache = useQueryClient();
  const was = useRef(false);
  useEffect(() => {
    if (was.current && until === 0) void cache.invalidateQueries();
    was.current = until > 0;
  }, [until, cache]);
  return until > 0 ? <Notice until={until} /> : null;
}

function Notice({ until }: { until: number }) {
  const now = useSeconds();
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <div className={classes.banner} role="status">
      <Hourglass size="1rem" aria-hidden />
      <span className={classes.text}>
        {limitedWords(limitPerHour())} What you see may be out of date. Updates resume at{" "}
        <time dateTime={new Date(until).toISOString()} className="number">
          {timeOfDay(until)}
        </time>
        <span className="number" aria-hidden>
          {" "}
          (in {clock(left)})
        </span>
        .
      </span>
    </div>
  );
}
