import { CopyButton } from "../../../ui/CopyButton.tsx";
import { JsonTree } from "../../../ui/JsonTree.tsx";
import { Section } from "./Section.tsx";

interface Props {
  id: string;
  title: string;
  fields: Record<string, unknown>;
}

/** What an event says of one thing; hidden when it says nothing. */
export function Fields({ id, title, fields }: Props) {
  const told = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
  if (Object.keys(told).length === 0) return null;
  const copyable = () => JSON.stringify(told, undefined, 2);
  return (
    <Section id={id} title={title} tools={<CopyButton text={copyable} label={`Copy: ${title}`} />}>
      <JsonTree value={told} />
    </Section>
  );
}
