import type { UseQueryResult } from "@tanstack/react-query";
import type { AgentPreview } from "../../api/schema.d.ts";
import { bytes, counted } from "../../ui/format.ts";
import { Answer } from "../../ui/States.tsx";
import { oneLine, visible } from "../../ui/visible.ts";
import classes from "./Automations.module.css";
import { skipWords } from "./words.ts";

/** Where text from outside is. */
const untrusted = "untrusted/";

/** Exactly what an agent would get: the instructions and all files. */
export function Preview({ query }: { query: UseQueryResult<AgentPreview | null> }) {
  return (
    <section className={classes.preview} aria-label="What the agent gets">
      <h3>What the agent gets</h3>
      <Answer query={query} what="The preview" rows={6}>
        {(preview) => preview && <PreviewContent preview={preview} />}
      </Answer>
    </section>
  );
}

function PreviewContent({ preview }: { preview: AgentPreview }) {
  const { pack, repository, repositories, labels, skip } = preview;
  const where = repository?.name ?? (repositories.length > 0 ? "the agent chooses" : "none");
  return (
    <>
      {skip !== null && skip !== undefined && <p role="note">A call would be skipped now: {skipWords(skip)}.</p>}
      <dl className={classes.facts}>
        <dt>Title</dt>
        <dd>
          <bdi>{oneLine(preview.title)}</bdi>
        </dd>
        <dt>Repository</dt>
        <dd>{where}</dd>
        <dt>Branch</dt>
        <dd className="mono">
          {preview.branch}
          {preview.base_branch !== null && ` from ${preview.base_branch}`}
        </dd>
        <dt>Agent</dt>
        <dd>
          {preview.agent_type}
          {preview.model_id !== null && ` with ${preview.model_id}`}, at most{" "}
          {counted(preview.time_limit_minutes, "minute")}
          {labels.length > 0 && `, on a runner with ${labels.join(", ")}`}
        </dd>
      </dl>
      <div className={classes.files}>
        <File name="Instructions" content={pack.instructions} opened />
        {pack.files.map(({ path, content }) => (
          <File key={path} name={path} content={content} />
        ))}
      </div>
    </>
  );
}

function File({ name, content, opened = false }: { name: string; content: string; opened?: boolean }) {
  return (
    <details open={opened}>
      <summary>
        <span className="mono">{name}</span>
        <span className="muted">
          {name.startsWith(untrusted) && "from outside, marked as such; "}
          {bytes(new TextEncoder().encode(content).length)}
        </span>
      </summary>
      {/* Scrolls, so the keyboard must get into it. */}
      <pre className={classes.text} tabIndex={0} role="group" aria-label={name}>
        {visible(content)}
      </pre>
    </details>
  );
}
