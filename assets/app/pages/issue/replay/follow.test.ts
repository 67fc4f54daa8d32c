import { beforeEach, expect, test } from "vitest";
import { type Followed, Follower } from "./follow.ts";

/** What was told, where the player is and is wanted, and how much of the recording has arrived. */
let told: number[];
let now: { at: number; isPlaying: boolean };
let wanted: number | undefined;
let end: number;
let isLoading: boolean;
let follower: Follower;
const listeners = new Set<() => void>();

function be(change: Partial<typeof now>): void {
  now = { ...now, ...change };
  for (const listener of listeners) listener();
}

const player: Followed = {
  state: () => now,
  wanted: () => wanted,
  subscribe: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  seek: (at) => {
    wanted = at > end && isLoading ? at : undefined;
    be({ at: Math.min(at, end) });
  },
};

beforeEach(() => {
  told = [];
  now = { at: 0, isPlaying: false };
  wanted = undefined;
  end = 0;
  isLoading = true;
  listeners.clear();
  follower = new Follower(
    player,
    () => ({ end, isLoading }),
    (at) => told.push(at),
  );
});

test("it tells where the player is once that has come to where it was sent", () => {
  follower.follow();
  end = 2_000;
  follower.send(5_000);
  expect(told).toEqual([]);
  end = 9_000;
  player.seek(5_000);
  be({ at: 5_100, isPlaying: true });
  expect(told).toEqual([5_000, 5_100]);
});

test("at the end of a recording that does not go as far, it is where it was sent until it moves", () => {
  follower.follow();
  end = 2_000;
  follower.send(5_000);
  isLoading = false;
  player.seek(5_000);
  be({ isPlaying: false });
  player.seek(1_500);
  be({ at: 2_000 });
  expect(told).toEqual([5_000, 5_000, 1_500, 2_000]);
});

test("playing before the awaited moment is loaded follows the player", () => {
  follower.follow();
  end = 2_000;
  follower.send(5_000);
  be({ at: 100, isPlaying: true });
  expect(told).toEqual([100]);
});

test("seeking before the awaited moment is loaded follows the player and stays there", () => {
  follower.follow();
  end = 2_000;
  follower.send(5_000);
  player.seek(1_000);
  end = 4_000;
  player.seek(3_000);
  expect(told).toEqual([1_000, 3_000]);
});

test("nothing is reported after following has ended", () => {
  const leave = follower.follow();
  leave();
  be({ at: 3_000, isPlaying: true });
  expect(told).toEqual([]);
});
