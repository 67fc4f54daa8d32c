import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { messageOf } from "../../../api/error.ts";
import { Keys } from "../../../shell/Keys.tsx";
import type { Place } from "../queries.ts";
import classes from "./Activity.module.css";
import { activityQuery, addComment } from "./api.ts";

/** The server's limit on a comment, in characters. */
const longest = 10_000;

/** An unsent comment, kept while another tab is shown. */
export interface Draft {
  text: string;
  set: (change: (text: string) => string) => void;
}

export function Compose({ place, draft: { text, set } }: { place: Place; draft: Draft }) {
  const cache = useQueryClient();
  const add = useMutation({
    mutationFn: (sent: string) => addComment(place, sent),
    onSuccess: (_, sent) => {
      set((now) => (now.trim() === sent ? "" : now));
      return cache.invalidateQueries({ queryKey: activityQuery(place).queryKey });
    },
  });
  const ready = text.trim() !== "" && !add.isPending;
  const send = () => {
    if (ready) add.mutate(text.trim());
  };
  return (
    <form
      className={classes.compose}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        label="Comment"
        autosize
        minRows={2}
        maxRows={12}
        maxLength={longest}
        value={text}
        onChange={({ currentTarget: { value } }) => set(() => value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          send();
        }}
        error={add.error ? messageOf(add.error) : undefined}
      />
      <div className={classes.send}>
        <span className={classes.hint}>
          <Keys keys="mod+Enter" />
        </span>
        <Button type="submit" disabled={text.trim() === ""} loading={add.isPending}>
          Comment
        </Button>
      </div>
    </form>
  );
}
