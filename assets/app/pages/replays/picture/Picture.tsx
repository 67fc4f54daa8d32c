import { useQuery } from "@tanstack/react-query";
import { Image } from "lucide-react";
import { useEffect, useState } from "react";
import classes from "./Picture.module.css";
import { pictureQuery } from "./pictures.ts";

/** Milliseconds that a row is in sight before its picture is asked for: nobody looks at what is scrolled past. */
const rest = 300;
/** Pictures that a list draws by itself: each is a request of a person's. Beyond them, one is drawn when pointed at. */
const most = 40;

interface Props {
  project: number;
  replay: string;
  /** Its place in the list. */
  place: number;
}

/** What the person saw first: small, and larger when pointed at. */
export function Picture({ project, replay, place }: Props) {
  const [isWanted, want] = useState(false);
  useEffect(() => {
    if (place >= most) return;
    const timer = setTimeout(() => want(true), rest);
    return () => clearTimeout(timer);
  }, [place]);
  const { data: image } = useQuery({ ...pictureQuery(project, replay), enabled: isWanted });
  const [isBroken, setBroken] = useState(false);
  return (
    <span
      className={classes.picture}
      data-up={place > 4 || undefined}
      data-drawn={image ? true : undefined}
      onPointerEnter={() => want(true)}
    >
      {image && !isBroken ? (
        <>
          <img className={classes.small} src={image} alt="" decoding="async" onError={() => setBroken(true)} />
          <img className={classes.large} src={image} alt="" loading="lazy" decoding="async" />
        </>
      ) : (
        <Image aria-hidden className={classes.none} />
      )}
    </span>
  );
}
