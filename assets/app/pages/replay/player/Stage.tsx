import { useLayoutEffect, useRef, useState } from "react";
import { paths } from "../../../paths.ts";
import watch from "../Watch.module.css";
import type { Playing } from "./player.ts";
import classes from "./Stage.module.css";

interface Props {
  /** Called with the body of the frame's document once it is there. */
  setRoot: (root: HTMLElement) => void;
  playing: Playing;
  /** A text instead of the page. */
  words: string | undefined;
}

interface Box {
  width: number;
  height: number;
}

/** The recorded page, as large as fits, in a separate document in which nothing runs or is fetched. */
export function Stage({ setRoot, playing: { size }, words }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState<Box>();
  useLayoutEffect(() => {
    const element = stage.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setBox({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={stage} className={watch.stage}>
      <iframe
        title="The recorded page"
        className={classes.frame}
        sandbox="allow-same-origin"
        src={paths.replayFrame}
        tabIndex={-1}
        style={placed(box, size)}
        onLoad={({ currentTarget }) => {
          const body = currentTarget.contentDocument?.body;
          if (body) setRoot(body);
        }}
      />
      {words && (
        <p className={classes.words} role="status">
          {words}
        </p>
      )}
    </div>
  );
}

function placed(box: Box | undefined, size: Box | undefined) {
  if (!box || !size || size.width <= 0 || size.height <= 0) return { visibility: "hidden" } as const;
  const scale = Math.min(box.width / size.width, box.height / size.height);
  const [left, top] = [(box.width - size.width * scale) / 2, (box.height - size.height * scale) / 2];
  return { width: size.width, height: size.height, transform: `translate(${left}px, ${top}px) scale(${scale})` };
}
