import { useQueryClient } from "@tanstack/react-query";
import { MessageForm, useMessage } from "../../../shell/MessageForm.tsx";
import type { Place } from "../queries.ts";
import { activityQuery, addComment } from "./api.ts";

/** The server's limit on a comment, in characters. */
const longest = 10_000;

/** A comment that is being written; kept by whoever calls this while another tab is shown. */
export function useComment(place: Place) {
  const cache = useQueryClient();
  return useMessage(async (text) => {
    await addComment(place, text);
    void cache.invalidateQueries({ queryKey: activityQuery(place).queryKey });
  });
}

export type Comment = ReturnType<typeof useComment>;

export function Compose({ comment }: { comment: Comment }) {
  return <MessageForm form={comment} label="Comment" action="Comment" maxLength={longest} />;
}
