import { record } from "@rrweb/record";
import { address } from "../address.ts";
import { attempt } from "../safe.ts";
import type { Effort } from "./effort.ts";
import { EventType, type Mutation, type Recorded, Source } from "./format.ts";
import type { Meter } from "./meter.ts";
import { blocked, masked, scrubber } from "./scrub.ts";

/** Where every change costs too much, changes are emitted together after this many milliseconds. */
const TOGETHER = 500;
/** Not recorded: any custom event makes rrweb emit the changes that it holds back. */
const FLUSH = "flush";

export interface Watched {
  stop(): void;
  /** Sets how much is recorded; after snapshots alone, this takes one first. */
  set(effort: Effort): void;
  /** Emits the changes that are held back. */
  flush(): void;
  /** Takes a full snapshot. */
  picture(): void;
  /** Adds an event of ours. */
  tell(tag: string, payload: unknown): void;
}

/** Records the page with rrweb, masked; returns nothing if it cannot. */
export function watchPage(
  emit: (event: Recorded) => void,
  maskAllText: boolean,
  meter: Pick<Meter, "run" | "aside">,
): Watched | undefined {
  let effort: Effort = "usual";
  let timer: ReturnType<typeof setInterval> | undefined;
  const scrub = scrubber({
    maskAllText,
    address: (href) => address(href),
    nodeOf: (id) => record.mirror.getNode(id),
  });
  const masking = (event: Recorded): void => {
    if (event.data.tag !== FLUSH && !(effort === "pictures" && isRule(event))) {
      if (event.data.source === Source.Mutation) keepLast(event.data as unknown as Mutation);
      scrub(event);
      emit(event);
    }
    // After a custom event, rrweb no longer holds anything back.
    if (effort === "coalesced") record.freezePage();
  };
  const around = (act: () => unknown, [, observer]: unknown[]): unknown => {
    if (effort !== "pictures" || !isObserver(observer)) return meter.run(act);
    observer.disconnect();
    return undefined;
  };
  const tell = (tag: string, payload: unknown): void =>
    meter.run(() => void attempt(() => record.addCustomEvent(tag, payload)));
  const start = () =>
    meter.aside(() =>
      attempt(() => record({ ...options(maskAllText), emit: masking as never, errorHandler: asHandler(around) })),
    );
  const flush = (): void => {
    if (effort === "coalesced") tell(FLUSH, 0);
  };

  let stop = start();
  const restart = (): void => {
    stop?.();
    stop = start();
  };
  return (
    stop && {
      stop() {
        clearInterval(timer);
        stop?.();
      },
      set(next) {
        flush();
        clearInterval(timer);
        const before = effort;
        effort = next;
        if (before === "pictures") restart();
        if (next === "coalesced") {
          timer = setInterval(flush, TOGETHER);
          record.freezePage();
        } else tell(FLUSH, 0);
      },
      flush,
      picture() {
        // Otherwise rrweb would add listeners to each frame with every snapshot, and keep removed nodes.
        if (effort === "pictures") restart();
        else meter.aside(() => attempt(() => record.takeFullSnapshot(true)));
      },
      tell,
    }
  );
}

const options = (maskAllText: boolean) => ({
  blockSelector: blocked,
  maskTextSelector: maskAllText ? "*" : masked,
  maskInputOptions: { input: true, textarea: true, select: true } as never,
  maskTextFn: (text: string) => text.replace(/\S/g, "*"),
  // No blobs, no workers, nothing from other origins.
  recordCanvas: false,
  recordCrossOriginIframes: false,
  inlineImages: false,
  collectFonts: false,
  slimDOMOptions: { script: true, comment: true, headFavicon: true, headMetaSocial: true, headMetaRobots: true },
  sampling: { mousemove: 100, scroll: 150, media: 800, input: "last" as const },
});

/** Hides rrweb's errors from the page; `around` is called by the code from `metered.ts`. */
const asHandler = (around: (act: () => unknown, given: unknown[]) => unknown) => Object.assign(() => true, { around });

const isObserver = (given: unknown): given is MutationObserver =>
  typeof (given as MutationObserver | undefined)?.takeRecords === "function";

/** Whether an event changes a style sheet's rules. */
const isRule = ({ type, data }: Recorded): boolean =>
  type === EventType.Incremental && (data.source === Source.StyleSheetRule || data.source === Source.StyleDeclaration);

/** Of several texts of a node, keeps the last. */
function keepLast(mutation: Mutation): void {
  const { texts = [] } = mutation;
  if (texts.length > 1) mutation.texts = [...new Map(texts.map((text) => [text.id, text])).values()];
}
