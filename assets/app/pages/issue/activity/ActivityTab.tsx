import { ActionIcon, Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { meQuery } from "../../../api/queries.ts";
import { useRights } from "../../../api/role.ts";
import type { Activity } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { initials } from "../../../shell/initials.ts";
import { done, problem } from "../../../ui/notify.ts";
import { Answer } from "../../../ui/States.tsx";
import { Prose } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import type { Place } from "../queries.ts";
import classes from "./Activity.module.css";
import { activityQuery, deleteComment } from "./api.ts";
import { type Comment, Compose } from "./Compose.tsx";
import { activityWords, actorName, commentText, sessionOf } from "./words.ts";

/** The activity and comments, newest first. */
export function ActivityTab({ place, comment }: { place: Place; comment: Comment }) {
  const query = useInfiniteQuery(activityQuery(place));
  return (
    <section className={classes.activity} aria-labelledby="activity-title">
      <h2 id="activity-title" className="unseen">
        Activity
      </h2>
      <Compose comment={comment} />
      <Answer query={query} what="The activity">
        {({ pages }) => (
          <>
            <ol>
              {pages
                .flatMap((page) => page.activity)
                .map((entry, at) => (
                  <Entry key={entry.id ?? `at ${at}`} entry={entry} place={place} />
                ))}
            </ol>
            {query.hasNextPage && (
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Show earlier activity
              </Button>
            )}
          </>
        )}
      </Answer>
    </section>
  );
}

function Entry({ entry, place }: { entry: Activity; place: Place }) {
  const { data: me } = useQuery(meQuery);
  const name = actorName(entry);
  const isComment = entry.kind === "comment";
  const session = sessionOf(entry);
  const { mayAdminister, organization } = useRights(place.project);
  const mayDelete = mayAdminister || (me?.kind === "user" && me.id === entry.user?.id);
  return (
    <li className={classes.entry} data-comment={isComment || undefined}>
      <span className={classes.who} aria-hidden>
        {entry.user ? initials(name) : "·"}
      </span>
      <div className={classes.words}>
        <p>
          <strong>
            {session && organization ? (
              <Link to={paths.agentSession(organization.id, session.id)}>{session.name}</Link>
            ) : (
              <bdi>{name}</bdi>
            )}
          </strong>{" "}
          <Prose text={activityWords(entry)} />{" "}
          <span className="muted">
            · <Time at={entry.at} />
          </span>
        </p>
        {isComment && (
          <div className={classes.text}>
            <Prose text={commentText(entry)} />
          </div>
        )}
      </div>
      {isComment && mayDelete && entry.id !== null && <Delete id={entry.id} place={place} />}
    </li>
  );
}

function Delete({ id, place }: { id: number; place: Place }) {
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteComment(place, id),
    onSuccess: () => {
      done("The comment was deleted");
      return cache.invalidateQueries({ queryKey: activityQuery(place).queryKey });
    },
    onError: (error) => problem("The comment could not be deleted", error),
  });
  return (
    <ActionIcon aria-label="Delete the comment" loading={remove.isPending} onClick={() => remove.mutate()}>
      <Trash2 size="1em" aria-hidden />
    </ActionIcon>
  );
}
