// Chance that is the same for the same seed.

/** Mulberry32: small, quick, and good enough for made-up people. */
export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** From 0 up to 1. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `from` to `to`, both possible. */
  whole(from, to) {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(share) {
    return this.next() < share;
  }

  pick(list) {
    return list[Math.floor(this.next() * list.length)];
  }

  /** One of the first more often than one of the last. */
  early(list) {
    return list[Math.floor(this.next() ** 2.2 * list.length)];
  }

  hex(length) {
    let text = "";
    while (text.length < length) text += Math.floor(this.next() * 2 ** 32).toString(16).padStart(8, "0");
    return text.slice(0, length);
  }
}

const hour = 3_600_000;
const day = 24 * hour;

/** How busy the shop is at a time, 0 to 1: little at night, less at weekends. */
function business(time) {
  const date = new Date(time);
  const hours = date.getUTCHours() + date.getUTCMinutes() / 60;
  const daily = 0.12 + 0.88 * Math.max(0, Math.sin(((hours - 5.5) / 18) * Math.PI)) ** 1.3;
  const weekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  return daily * (weekend ? 0.55 : 1);
}

/** A time between so many days ago, by the rhythm of the shop. */
export function moment(random, now, [from, until]) {
  for (;;) {
    const time = now - until * day - random.next() * (from - until) * day;
    if (random.chance(business(time))) return time;
  }
}
