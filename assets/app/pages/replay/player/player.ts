import type { Replayer } from "@rrweb/replay";
import type { Recorded } from "../../../../client/replay/format.ts";
import { idleOf } from "../data/summary.ts";
import type { Recording } from "../data/recording.ts";
import { ended, Glimpse, type Picture } from "./glimpse.ts";

/** How fast, as against the person. */
export const speeds = [0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof speeds)[number];

/** The interval between updates of the time, in milliseconds. */
const tick = 100;
/** How far a moment is from what has arrived for it to be drawn by itself, in milliseconds. */
const far = 30_000;
/** What is left of a pause that is skipped, in milliseconds: one sees where it goes on. */
const before = 800;

/** Where the player is. */
export interface Playing {
  /** Milliseconds from the beginning. */
  at: number;
  isPlaying: boolean;
  /** Whether it waits at the end of what is loaded. */
  isWaiting: boolean;
  speed: Speed;
  skips: boolean;
  /** Whether the recording cannot be played. */
  isBroken: boolean;
  /** Of the recorded page, in pixels. */
  size: { width: number; height: number } | undefined;
  /** The address of the page, where what has arrived does not tell. */
  url: string | undefined;
}

export const stopped: Playing = {
  at: 0,
  isPlaying: false,
  isWaiting: false,
  speed: 1,
  skips: true,
  isBroken: false,
  size: undefined,
  url: undefined,
};

type Make = (events: Recorded[]) => Replayer;
/** Reads what draws a moment, in milliseconds from the beginning. */
export type ReadPicture = (at: number, signal: AbortSignal) => Promise<Picture | undefined>;

/** Drives rrweb's player over a recording that may still be growing. */
export class Player {
  readonly #recording: Recording;
  readonly #make: Make;
  readonly #read: ReadPicture | undefined;
  readonly #leave: () => void;
  readonly #listeners = new Set<() => void>();
  #replayer: Replayer | undefined;
  #glimpse: Glimpse | undefined;
  #state: Playing = stopped;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Where somebody wants to be as soon as that has arrived. */
  #wanted: number | undefined;
  #isGone = false;

  constructor(recording: Recording, make: Make, at: number, read?: ReadPicture) {
    this.#recording = recording;
    this.#make = make;
    this.#read = read;
    this.#wanted = at;
    recording.onEvents = (added) => this.#grow(added);
    this.#leave = recording.subscribe(() => this.#settle());
    this.#begin();
  }

  readonly state = (): Playing => this.#state;
  /** Where somebody wants to be as soon as that has arrived, in milliseconds from the beginning. */
  readonly wanted = (): number | undefined => this.#wanted;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  destroy(): void {
    this.#isGone = true;
    clearInterval(this.#timer);
    this.#recording.onEvents = undefined;
    this.#leave();
    this.#glimpse?.destroy();
    ended(this.#replayer);
    this.#replayer = undefined;
  }

  play(): void {
    const { at } = this.#state;
    const isOver = at >= this.#end() && !this.#isGrowing();
    this.#set({ isPlaying: true, isWaiting: !this.#replayer && this.#glimpse !== undefined });
    this.#go(isOver ? 0 : at);
  }

  pause(): void {
    this.#set({ isPlaying: false, isWaiting: false });
    this.#go(this.#state.at);
  }

  toggle(): void {
    if (this.#state.isPlaying) this.pause();
    else this.play();
  }

  seek(at: number): void {
    const wanted = Math.max(0, at);
    const isAwaited = !this.#replayer || (wanted > this.#end() && this.#isGrowing());
    this.#wanted = isAwaited ? wanted : undefined;
    if (this.#replayer) this.#go(Math.min(wanted, this.#end()));
    else this.#begin();
  }

  setSpeed(speed: Speed): void {
    this.#set({ speed });
    this.#replayer?.setConfig({ speed });
  }

  setSkips(skips: boolean): void {
    this.#set({ skips });
  }

  /** All that the server has may have arrived. */
  #settle(): void {
    if (this.#recording.state().phase === "loading") return;
    if (!this.#replayer) this.#begin();
    if (this.#isGrowing() || !this.#replayer) return;
    if (this.#wanted !== undefined) this.seek(this.#wanted);
    if (this.#state.isWaiting) this.#set({ isWaiting: false, isPlaying: false });
  }

  #end(): number {
    return this.#recording.state().summary.duration;
  }

  #isGrowing(): boolean {
    return this.#recording.isGrowing();
  }

  #begin(): void {
    const { isReady } = this.#recording.state();
    if (this.#replayer || this.#isGone || this.#state.isBroken || !isReady || this.#glimpses()) return;
    this.#glimpse?.destroy();
    this.#glimpse = undefined;
    this.#try(() =>
      this.#made([...this.#recording.events], (replayer) => {
        replayer.on("finish", () => this.#finish());
        replayer.setConfig({ speed: this.#state.speed });
        this.#replayer = replayer;
        this.#timer = setInterval(() => this.#look(), tick);
        this.#set({ isWaiting: false, url: undefined });
        this.seek(this.#wanted ?? 0);
      }),
    );
  }

  /** A player of rrweb's, once it is where it begins. */
  #made(events: Recorded[], begin: (replayer: Replayer) => void): Replayer {
    const replayer = this.#make(events);
    let size: Playing["size"];
    replayer.on("resize", (told) => {
      size = told as Playing["size"];
      this.#set({ size });
    });
    begin(replayer);
    const begun = size;
    // After the current task rrweb tells of the size that the page had at first, wherever it is by then.
    if (begun) setTimeout(() => !this.#isGone && this.#set({ size: begun }));
    return replayer;
  }

  /** Whether the moment that is wanted is drawn by itself, since the recording has not been read nearly so far. */
  #glimpses(): boolean {
    const { phase, summary } = this.#recording.state();
    const [at, read] = [this.#wanted, this.#read];
    const least = this.#glimpse ? 0 : far;
    if (at === undefined || !read || phase !== "loading" || at <= summary.duration + least) return false;
    this.#glimpse ??= new Glimpse({
      read,
      draw: (picture, moment) => this.#draw(picture, summary.start + moment),
      fail: () => this.#begin(),
    });
    if (this.#glimpse.at !== at) {
      this.#set({ at });
      this.#glimpse.show(at);
    }
    return !this.#glimpse.hasFailed;
  }

  #draw({ events, url }: Picture, time: number): Replayer {
    const drawn = this.#made(events, (replayer) => {
      try {
        replayer.pause(time - (events[0]?.timestamp ?? time));
      } catch (error) {
        ended(replayer);
        throw error;
      }
    });
    this.#set({ url });
    return drawn;
  }

  #grow(added: Recorded[]): void {
    if (!this.#replayer) {
      this.#begin();
      return;
    }
    for (const event of added) this.#replayer.addEvent(event as never);
    if (this.#wanted !== undefined && this.#wanted <= this.#end()) {
      const at = this.#wanted;
      // rrweb processes events after the current task.
      setTimeout(() => this.seek(at));
    } else if (this.#state.isWaiting) setTimeout(() => this.play());
  }

  #go(at: number): void {
    if (this.#replayer && this.#wanted !== undefined && at >= this.#wanted) this.#wanted = undefined;
    this.#set({ at });
    this.#try(() => {
      if (this.#state.isPlaying) this.#replayer?.play(at);
      else this.#replayer?.pause(at);
    });
  }

  /** rrweb throws on malformed recordings. */
  #try(act: () => void): void {
    try {
      act();
    } catch {
      this.#set({ isBroken: true, isPlaying: false });
    }
  }

  #finish(): void {
    if (!this.#state.isPlaying) return;
    const at = this.#end();
    if (this.#isGrowing()) this.#set({ at, isWaiting: true });
    else this.#set({ at, isPlaying: false });
  }

  #look(): void {
    const { isPlaying, isWaiting, skips } = this.#state;
    if (!isPlaying || isWaiting || !this.#replayer) return;
    const at = Math.min(Math.max(0, this.#replayer.getCurrentTime()), this.#end());
    const [, end] = idleOf(this.#recording.state().summary).find(([from, to]) => from + before < at && at < to) ?? [];
    // The end of what is loaded is not the end of a pause.
    const isSkipped = skips && end !== undefined && end - at > 2 * before && (end < this.#end() || !this.#isGrowing());
    if (isSkipped) this.#go(end - before);
    else if (Math.abs(at - this.#state.at) >= 1) this.#set({ at });
  }

  #set(change: Partial<Playing>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
