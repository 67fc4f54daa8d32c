import type { ReactNode } from "react";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { type DrawValue, JsonTree } from "../../../ui/JsonTree.tsx";
import { Section } from "./Section.tsx";

interface Props {
  id: string;
  title: string;
  fields: Record<string, unknown>;
  /** Whether they are the sender's own, whose `null` is a value; else it says that there is none. */
  sent?: boolean;
  /** Whether nested values are closed at first. */
  closed?: boolean;
  /** Where values lead, by their names. */
  links?: Record<string, string | undefined>;
  /** How a value is drawn, by its path; `undefined`: as usual. */
  draw?: DrawValue;
  /** At the right of the title. */
  tools?: ReactNode;
}

/** The event's data about one topic; hidden if there is none. */
export function Fields({ id, title, fields, sent = false, closed = false, links = {}, draw, tools }: Props) {
  const told = sent ? fields : withoutMissing(fields);
  if (Object.keys(told).length === 0) return null;
  const copyable = () => JSON.stringify(told, undefined, 2);
  return (
    <Section
      id={id}
      title={title}
      tools={
        <>
          {tools}
          <CopyButton text={copyable} label={`Copy ${title} as JSON`} />
        </>
      }
    >
      <JsonTree name={id} value={told} links={links} draw={draw} {...(closed ? { open: 1 } : {})} />
    </Section>
  );
}

const withoutMissing = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
