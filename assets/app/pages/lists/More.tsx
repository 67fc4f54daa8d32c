import { Button } from "@mantine/core";
import { useCallback } from "react";
import classes from "./More.module.css";

/** A query that is asked part by part. */
interface Growing {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Asks for the next part, for whoever scrolls to the end; not once more for one that failed. */
export function useMore({ hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: Growing) {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
}

/** Asks for the next part when it is pressed. */
export function More({ query }: { query: Growing }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <div className={classes.foot}>
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchNextPageError ? "Could not load more. Try again" : "Show more"}
      </Button>
    </div>
  );
}
