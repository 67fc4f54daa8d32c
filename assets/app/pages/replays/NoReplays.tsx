import { Link } from "@tanstack/react-router";
import { useOrigin } from "../../first-steps/use-origin.ts";
import { placeholder } from "../../first-steps/snippets.ts";
import { paths } from "../../paths.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import { Empty } from "../../ui/States.tsx";

/** How replays are switched on. */
export function NoReplays({ project }: { project: number }) {
  const origin = useOrigin();
  const tag = (value: string) =>
    `<script data-replay="${value}" data-key="${placeholder}" src="${origin}/client.js" crossorigin async></script>`;
  return (
    <Empty title="No replays yet">
      <p>
        A replay shows what somebody did and saw on a page. Add <code>data-replay</code> to the script tag. With{" "}
        <code>error</code>, a recording is sent only when an error happens: the five minutes before and after it.
      </p>
      <Snippet text={tag("error")} label="Script tag that records around errors" />
      <p>
        With <code>always</code>, every visit is sent. What people enter is masked before it leaves the page. To hide
        more, add <code>data-mayday-mask</code> or <code>data-mayday-block</code> to an element.{" "}
        <Link to={paths.start(project)}>Set up the client</Link>
      </p>
    </Empty>
  );
}
