import type { ReplayDetails } from "../../api/schema.d.ts";
import { counted, took } from "../../ui/format.ts";
import { clockNote } from "./data/clock.ts";
import { effortNotes } from "./data/efforts.ts";
import { gapNotes } from "./data/gaps.ts";
import { sheetNote } from "./data/sheets.ts";
import type { Summary } from "./data/summary.ts";
import { versionNote } from "./data/version.ts";
import { timecode } from "./player/timecode.ts";
import classes from "./Watch.module.css";

interface Props {
  replay: ReplayDetails;
  summary: Summary;
  isFailed: boolean;
}

/** What is missing from a recording and why, and what else it is not to be taken for. */
export function Notes({ replay, summary, isFailed }: Props) {
  const { gaps, lost, refused, missingSheets, pictures, efforts, ended } = summary;
  const left = lost - refused;
  const end = ended && ends[ended.why];
  const notes = [
    isFailed && "The rest of the recording could not be loaded.",
    versionNote(replay.rrweb_version),
    clockNote(replay, summary.start),
    ...gapNotes(gaps),
    refused > 0 && `The server did not take ${counted(refused, "recorded event")}.`,
    left > 0 && `${counted(left, "recorded event")} never arrived: the page was closed, or the network was down.`,
    sheetNote(missingSheets),
    pictures &&
      `${rarities[pictures.how]}: one at ${timecode(pictures.at)} took ${took(pictures.took)} of the page’s time.`,
    ...effortNotes(efforts),
    ended && end && `Recording ended at ${timecode(ended.at)}: ${end}.`,
  ];
  return notes.filter(Boolean).map((note) => (
    <p key={String(note)} className={classes.note}>
      {note}
    </p>
  ));
}

const rarities = {
  rarer: "Pictures of the whole page were taken less often",
  none: "No more pictures of the whole page were taken while it was as large",
};

/** Reasons from the recorder; a recording also ends when the person or the page stops it, or after an hour. */
const ends: Record<string, string> = {
  "too large": "the page was too large to be sent",
  "too slow": "recording the whole page took too much of its time",
  "too busy": "the page was so busy that recording it took too much of its time",
};
