import { Button, SegmentedControl } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { ArrowDownUp } from "lucide-react";
import { useMemo } from "react";
import type { Event } from "../../../api/schema.d.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { visible } from "../../../ui/visible.ts";
import { Section } from "../details/Section.tsx";
import { Exception } from "./Exception.tsx";
import { type Form, chain, hasMinified, linkWords, openAtFirst } from "./frames.ts";
import { ReadingContext } from "./reading.ts";
import { mechanismWords, rawStack } from "./raw.ts";
import classes from "./Stack.module.css";
import { UnresolvedBanner } from "./UnresolvedBanner.tsx";

export type View = Form | "raw";

interface Props {
  event: Event;
  view: View;
  setView: (view: View) => void;
}

/** The exceptions with their frames and source: the root cause first. */
export function Stack({ event, view, setView }: Props) {
  const [thrownLast, setThrownLast] = useThrownLast();
  const exceptions = useMemo(() => chain(event.exception), [event.exception]);
  const reading = useMemo(
    () => ({ project: event.project_id, release: event.release }),
    [event.project_id, event.release],
  );
  const minified = hasMinified(exceptions);
  const form: Form = view === "minified" && minified ? "minified" : "original";
  const raw = rawStack(exceptions);
  const views = [
    { value: "original", label: minified ? "Original" : "Frames" },
    ...(minified ? [{ value: "minified", label: "Minified" }] : []),
    ...(raw === "" ? [] : [{ value: "raw", label: "Raw" }]),
  ];
  const shown = view === "raw" && raw !== "" ? "raw" : form;
  if (exceptions.length === 0) return null;
  // The first exception that has something to read: the root cause, unless it was sent without a stack.
  const opened = exceptions.findIndex(({ frames }) => openAtFirst(frames).size > 0);
  const order = shown !== "raw" && exceptions.some(({ frames }) => frames.length > 1);
  const tools = (
    <Tools
      views={views}
      shown={shown}
      setView={setView}
      order={order}
      thrownLast={thrownLast}
      setThrownLast={setThrownLast}
    />
  );
  return (
    <Section id="stack" title="Stack" note={mechanismWords(event.exception?.mechanism)} tools={tools} flush>
      <ReadingContext value={reading}>
        {form === "original" && shown !== "raw" && <UnresolvedBanner exceptions={exceptions} />}
        {shown === "raw" ? (
          <RawText text={raw} />
        ) : (
          exceptions.map((exception, at) => (
            <Exception
              key={`${event.id} ${at}`}
              exception={exception}
              link={linkWords(at, exceptions)}
              opened={at === opened}
              form={form}
              thrownLast={thrownLast}
            />
          ))
        )}
      </ReadingContext>
    </Section>
  );
}

/** Whether the frame that threw comes last, as in Python; remembered on this device. */
const useThrownLast = () =>
  useLocalStorage<boolean>({ key: "mayday.thrown-last", defaultValue: false, getInitialValueInEffect: false });

interface ToolsProps extends Pick<Props, "setView"> {
  views: { value: string; label: string }[];
  shown: View;
  /** There is an order to choose. */
  order: boolean;
  thrownLast: boolean;
  setThrownLast: (last: boolean) => void;
}

function Tools({ views, shown, setView, order, thrownLast, setThrownLast }: ToolsProps) {
  return (
    <>
      {order && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<ArrowDownUp size="1em" aria-hidden />}
          onClick={() => setThrownLast(!thrownLast)}
        >
          {thrownLast ? "Most recent call last" : "Most recent call first"}
        </Button>
      )}
      {views.length > 1 && (
        <SegmentedControl
          size="xs"
          data={views}
          value={shown}
          onChange={(next) => setView(next as View)}
          aria-label="How to show the stack"
        />
      )}
    </>
  );
}

function RawText({ text }: { text: string }) {
  return (
    <div className={classes.raw}>
      <pre tabIndex={0} role="group" aria-label="Stack as sent" dir="ltr">
        {visible(text)}
      </pre>
      <CopyButton text={text} label="Copy the stack" />
    </div>
  );
}
