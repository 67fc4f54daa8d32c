import { beforeEach, expect, test } from "vitest";
import { type Followed, Follower } from "./follow.ts";

/** What was told, where the player is, and how much of the recording has arrived. */
let told: number[];
let now: { at: number; isPlaying: boolean };
let arrived: number;
let isLoading: boolean;
let follower: Follower;
const listeners = new Set<() => void>();

function be(change: Partial<typeof now>): void {
  now = { ...now, ...change };
  for (const listener of listeners) listener();
}

const player: Followed = {
  state: () => now,
  subscribe: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  seek: (at) => be({ at: Math.min(at, arrived) }),
};

beforeEach(() => {
  told = [];
  now = { at: 0, isPlaying: false };
  arrived = 0;
  isLoading = true;
  listeners.clear();
  follower = new Follower(
    player,
    () => isLoading,
    (at) => told.push(at),
  );
});

test("it tells where the player is once that has come to where it was sent", () => {
  follower.follow();
  arrived = 2_000;
  follower.send(5_000);
  expect(told).toEqual([]);
  arrived = 9_000;
  player.seek(5_000);
  be({ at: 5_100, isPlaying: true });
  expect(told).toEqual([5_000, 5_100]);
});

test("a moment that the recording does not have ends at its end", () => {
  follower.follow();
  arrived = 2_000;
  follower.send(5_000);
  isLoading = false;
  player.seek(5_000);
  expect(told).toEqual([2_000]);
});

test("where somebody lets it play before that, it goes along", () => {
  follower.follow();
  arrived = 2_000;
  follower.send(5_000);
  be({ at: 100, isPlaying: true });
  expect(told).toEqual([100]);
});

test("it tells nothing any more once it was ended", () => {
  const end = follower.follow();
  end();
  be({ at: 3_000, isPlaying: true });
  expect(told).toEqual([]);
});
