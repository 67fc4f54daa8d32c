import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { ServerOff, WifiOff } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client.ts";
import { type Connection, useConnection } from "../api/connection.ts";
import { ConnectionLost } from "../ui/States.tsx";
import classes from "./Banner.module.css";
import { Limited } from "./Limited.tsx";

/** The pauses between attempts while the server does not answer, in milliseconds. */
const wait = { first: 2_000, most: 30_000 };

/** Says above a page that the server does not answer, or refuses further requests, and retries. */
export function Banner({ children }: { children: ReactNode }) {
  const connection = useConnection();
  const isDown = connection.state === "down";
  useFreshAfter(isDown);
  useEffect(() => {
    let later: ReturnType<typeof setTimeout> | undefined;
    // Checks the browser's report: a server on the same machine answers without a network. Twice, because a response
    // that was in flight when the network went down would hide the failure.
    const ask = () => {
      void isAnswering();
      clearTimeout(later);
      later = setTimeout(() => void isAnswering(), wait.first);
    };
    window.addEventListener("offline", ask);
    return () => {
      clearTimeout(later);
      window.removeEventListener("offline", ask);
    };
  }, []);
  return (
    <>
      {isDown ? <Down {...connection} /> : <Limited />}
      <ConnectionLost value={isDown}>{children}</ConnectionLost>
    </>
  );
}

/**
 * Refetches failed queries once any request is answered. Not all queries: if some requests keep failing and others do
 * not, each round would start the next one.
 */
function useFreshAfter(isDown: boolean): void {
  const cache = useQueryClient();
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !isDown) {
      void cache.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    }
    was.current = isDown;
  }, [isDown, cache]);
}

/** Any answer counts; the client reports it to everybody, including this banner. */
async function isAnswering(): Promise<boolean> {
  try {
    await api.GET("/health");
    return true;
  } catch {
    return false;
  }
}

function Down({ isOffline, reason }: Extract<Connection, { state: "down" }>) {
  const [attempt, setAttempt] = useState(0);
  const cache = useQueryClient();
  const ask = useCallback(async () => {
    // What is shown may have changed meanwhile.
    if (await isAnswering()) void cache.invalidateQueries();
    else setAttempt((n) => n + 1);
  }, [cache]);
  useEffect(() => {
    const timer = setTimeout(() => void ask(), Math.min(wait.first * 2 ** attempt, wait.most));
    window.addEventListener("online", ask);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", ask);
    };
  }, [attempt, ask]);
  const Icon = isOffline ? WifiOff : ServerOff;
  return (
    <div className={classes.banner} role="status">
      <Icon size="1rem" aria-hidden />
      <span className={classes.text}>
        {reason}{" "}
        {isOffline
          ? "You can still read what is loaded; it updates once you are back online."
          : "What you see may be out of date. Mayday keeps trying to reconnect."}
      </span>
      <Button variant="default" size="compact-xs" onClick={() => void ask()}>
        Try now
      </Button>
    </div>
  );
}
