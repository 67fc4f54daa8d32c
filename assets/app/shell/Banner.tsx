import { Button } from "@mantine/core";
import { WifiOff } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { api, ok } from "../api/client.ts";
import { connected, useConnection } from "../api/connection.ts";
import { isStatus } from "../api/error.ts";
import classes from "./Banner.module.css";
import { Limited } from "./Limited.tsx";

/** Between attempts while the server is silent, in milliseconds. */
const wait = { first: 2_000, most: 30_000 };

/** Says that the server does not answer, or refuses more requests, and tries again in time. */
export function Banner() {
  const connection = useConnection();
  return connection.state === "down" ? <Down reason={connection.reason} /> : <Limited />;
}

function Down({ reason }: { reason: string }) {
  const cache = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  const ask = useCallback(async () => {
    try {
      await ok(api.GET("/health"));
    } catch (error) {
      // Degraded is an answer, too.
      if (!isStatus(error, 503)) {
        setAttempt((n) => n + 1);
        return;
      }
    }
    connected();
    void cache.invalidateQueries();
  }, [cache]);
  useEffect(() => {
    const timer = setTimeout(() => void ask(), Math.min(wait.first * 2 ** attempt, wait.most));
    window.addEventListener("online", ask);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", ask);
    };
  }, [attempt, ask]);
  return (
    <div className={classes.banner} role="status">
      <WifiOff size="1rem" aria-hidden />
      <span>{reason} What you see may be out of date. Mayday keeps trying.</span>
      <Button variant="default" size="compact-xs" onClick={() => void ask()}>
        Try now
      </Button>
    </div>
  );
}
