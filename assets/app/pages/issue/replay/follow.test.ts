import { beforeEach, expect, test } from "vitest";
import { Follower } from "./follow.ts";

let told: number[];
let isLoading: boolean;
let follower: Follower;

/** A player that has so much of its recording. */
const player = {
  now: { at: 0, isPlaying: false },
  arrived: 0,
  listeners: new Set<() => void>(),
  state: () => player.now,
  subscribe: (listener: () => void) => {
    player.listeners.add(listener);
    return () => player.listeners.delete(listener);
  },
  seek: (at: number) => player.be({ at: Math.min(at, player.arrived) }),
  be: (change: Partial<typeof player.now>) => {
    player.now = { ...player.now, ...change };
    for (const listener of player.listeners) listener();
  },
};

beforeEach(() => {
  told = [];
  isLoading = true;
  player.now = { at: 0, isPlaying: false };
  player.arrived = 0;
  player.listeners.clear();
  follower = new Follower(
    player,
    () => isLoading,
    (at) => told.push(at),
  );
});

test("it tells where the player is once that has come to where it was sent", () => {
  follower.follow();
  player.arrived = 2_000;
  follower.send(5_000);
  expect(told).toEqual([]);
  player.arrived = 9_000;
  player.seek(5_000);
  player.be({ at: 5_100, isPlaying: true });
  expect(told).toEqual([5_000, 5_100]);
});

test("a moment that the recording does not have ends at its end", () => {
  follower.follow();
  player.arrived = 2_000;
  follower.send(5_000);
  isLoading = false;
  player.seek(5_000);
  expect(told).toEqual([2_000]);
});

test("where somebody lets it play before that, it goes along", () => {
  follower.follow();
  player.arrived = 2_000;
  follower.send(5_000);
  player.be({ at: 100, isPlaying: true });
  expect(told).toEqual([100]);
});

test("it tells nothing any more once it was ended", () => {
  const end = follower.follow();
  end();
  player.be({ at: 3_000, isPlaying: true });
  expect(told).toEqual([]);
});
