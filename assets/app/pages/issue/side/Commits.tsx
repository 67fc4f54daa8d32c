import { useQuery } from "@tanstack/react-query";
import type { SuspectCommit, SuspectCommits } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { type Place, commitsQuery } from "../queries.ts";
import classes from "./Commits.module.css";

/** The commits of the suspect release. Renders nothing while they are loading or if they cannot be loaded. */
export function Commits({ place }: { place: Place }) {
  const { data } = useQuery(commitsQuery(place));
  if (!data) return null;
  if (data.missing !== null) return <Missing answer={data} />;
  const touches = data.commits.some(({ files }) => files.length > 0);
  const rest = data.total - data.commits.length;
  return (
    <section aria-labelledby="side-commits" className={classes.commits}>
      <h3 id="side-commits" className={classes.title}>
        {touches ? "Commits that changed this stack" : "Its newest commits"}
      </h3>
      <ul>
        {data.commits.map((commit) => (
          <Commit key={commit.id} commit={commit} />
        ))}
      </ul>
      {rest > 0 && (
        <p className={classes.rest}>
          {counted(rest, "other commit")} came with it{touches ? "" : "; none changed a file of this stack"}.
        </p>
      )}
    </section>
  );
}

function Commit({ commit: { id, title, author, login, at, url, files } }: { commit: SuspectCommit }) {
  const short = id.slice(0, 7);
  return (
    <li className={classes.commit}>
      {url === null ? (
        <Line text={title} />
      ) : (
        <a href={url} target="_blank" rel="noreferrer noopener nofollow" title={`${title}\n${id}`}>
          <Line text={title} />
        </a>
      )}
      <span className={classes.by}>
        <code>{short}</code> <bdi>{login ?? author}</bdi> {at !== null && <Time at={at} />}
      </span>
      {files.map((file) => (
        <span key={file} className={classes.by}>
          <Line text={file} />
        </span>
      ))}
    </li>
  );
}

/** What is missing to show commits; nothing if the project has no repository at a code host. */
function Missing({ answer: { missing, detail } }: { answer: SuspectCommits }) {
  if (missing === "no_commit") {
    return (
      <p className={classes.rest}>
        Its commits are unknown: this release or the one before does not say what it was built from.
      </p>
    );
  }
  if (missing === "not_found") return <p className={classes.rest}>No repository of the project has its commits.</p>;
  if (missing === "unavailable") return <p className={classes.rest}>Its commits cannot be shown. {detail}</p>;
  return null;
}
