import { useQuery } from "@tanstack/react-query";
import { Image } from "lucide-react";
import { useEffect, useState } from "react";
import classes from "./Picture.module.css";
import { pictureQuery } from "./pictures.ts";

/**
 * How long a row must be visible before its picture is requested, in milliseconds, so that scrolling past requests
 * none.
 */
const rest = 300;
/**
 * The most pictures that a list loads automatically: each uses one of a person's requests. Further ones are loaded on
 * hover.
 */
const most = 40;

interface Props {
  project: number;
  replay: string;
  /** Its position in the list. */
  place: number;
}

/** The first page of the replay: small, and larger on hover. */
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
