import { counted, took } from "../../../ui/format.ts";
import { timecode } from "../player/timecode.ts";

/** When less was recorded, in milliseconds from the beginning. */
export interface Effort {
  at: number;
  /** When it ended; undefined while it lasts. */
  to: number | undefined;
  /** Changes of half a second together; pictures of the page instead of its changes. */
  how: "coalesced" | "pictures";
  /** Percent of the page's time that recording took before. */
  share: number;
}

/** The most reductions that are kept, and that are listed separately. */
const most = 1_000;
const told = 3;

/** Adds a change of the recorder's effort, which it repeats with each snapshot. */
export function addEffort(efforts: Effort[], { how, share }: Record<string, unknown>, at: number): void {
  const open = openOf(efforts);
  if (how === open?.how || (how !== "usual" && how !== "coalesced" && how !== "pictures")) return;
  endEffort(efforts, at);
  if (how === "usual" || efforts.length >= most) return;
  const percent = typeof share === "number" && share > 0 && share <= 100 ? Math.round(share) : 0;
  efforts.push({ at, to: undefined, how, share: percent });
}

/** The recording has ended, or is as usual again. */
export function endEffort(efforts: readonly Effort[], at: number): void {
  const open = openOf(efforts);
  if (open) open.to = Math.max(open.at, at);
}

const openOf = (efforts: readonly Effort[]): Effort | undefined => {
  const last = efforts.at(-1);
  return last?.to === undefined ? last : undefined;
};

/** Whether the page may have changed unrecorded at the end of what was read. */
export const isUnseen = (efforts: readonly Effort[]): boolean => openOf(efforts)?.how === "pictures";

const shown = {
  coalesced: "changes of the page are shown up to half a second late",
  pictures: "single pictures of the page stand for its changes",
};

/** A description of a reduction. */
export function effortWords({ at, to, how, share }: Effort): string {
  const time = to === undefined ? `From ${timecode(at)} on` : `From ${timecode(at)} to ${timecode(to)}`;
  const part = share > 0 ? `${share}%` : "too much";
  return `${time}, ${shown[how]}: recording them took ${part} of its time.`;
}

/** Descriptions of all reductions. */
export function effortNotes(efforts: readonly Effort[]): string[] {
  const notes = efforts.slice(0, told).map(effortWords);
  const others = efforts.slice(told);
  if (others.length === 0) return notes;
  const sum = others.reduce((all, { at, to = at }) => all + to - at, 0);
  return [...notes, `${counted(others.length, "more time")} less was recorded, ${took(sum)} in all.`];
}
