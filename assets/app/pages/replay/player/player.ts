import type { Replayer } from "@rrweb/replay";
import type { Recorded } from "../../../../client/replay/format.ts";
import { idleOf } from "../data/summary.ts";
import type { Recording } from "../data/recording.ts";

/** How fast, as against the person. */
export const speeds = [0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof speeds)[number];

/** The interval between updates of the time, in milliseconds. */
const tick = 100;
/** How much of a skipped pause is shown at its end, in milliseconds. */
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
}

export const stopped: Playing = {
  at: 0,
  isPlaying: false,
  isWaiting: false,
  speed: 1,
  skips: true,
  isBroken: false,
  size: undefined,
};

type Make = (events: Recorded[]) => Replayer;

/** Drives rrweb's player over a recording that may still be growing. */
export class Player {
  readonly #recording: Recording;
  readonly #make: Make;
  readonly #listeners = new Set<() => void>();
  #replayer: Replayer | undefined;
  #state: Playing = stopped;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Where somebody wants to be as soon as that has arrived. */
  #wanted: number | undefined;

  constructor(recording: Recording, make: Make, at: number) {
    this.#recording = recording;
    this.#make = make;
    this.#wanted = at;
    recording.onEvents = (added) => this.#grow(added);
    this.#begin();
  }

  readonly state = (): Playing => this.#state;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  destroy(): void {
    clearInterval(this.#timer);
    this.#recording.onEvents = undefined;
    this.#try(() => this.#replayer?.destroy());
    this.#replayer = undefined;
  }

  play(): void {
    const { at } = this.#state;
    const isOver = at >= this.#end() && !this.#isGrowing();
    this.#set({ isPlaying: true, isWaiting: false });
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
    if (wanted > this.#end() && this.#isGrowing()) this.#wanted = wanted;
    this.#go(Math.min(wanted, this.#end()));
  }

  setSpeed(speed: Speed): void {
    this.#set({ speed });
    this.#replayer?.setConfig({ speed });
  }

  setSkips(skips: boolean): void {
    this.#set({ skips });
  }

  /** Updates after changes other than new events. */
  settle(): void {
    if (this.#wanted !== undefined && !this.#isGrowing()) this.seek(this.#wanted);
    if (this.#state.isWaiting && !this.#isGrowing()) this.#set({ isWaiting: false, isPlaying: false });
  }

  #end(): number {
    return this.#recording.state().summary.duration;
  }

  #isGrowing(): boolean {
    return this.#recording.isGrowing();
  }

  #begin(): void {
    if (this.#replayer || this.#state.isBroken || !this.#recording.state().isReady) return;
    this.#try(() => {
      const replayer = this.#make([...this.#recording.events]);
      replayer.on("resize", (size) => this.#set({ size: size as Playing["size"] }));
      replayer.on("finish", () => this.#finish());
      replayer.setConfig({ speed: this.#state.speed });
      this.#replayer = replayer;
    });
    if (!this.#replayer) return;
    this.#timer = setInterval(() => this.#look(), tick);
    this.seek(this.#wanted ?? 0);
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
    if (this.#wanted !== undefined && at >= this.#wanted) this.#wanted = undefined;
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
