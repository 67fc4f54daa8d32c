/** What of a player it takes to go along with it. */
export interface Followed {
  state: () => { at: number; isPlaying: boolean };
  /** Where somebody wants it to be as soon as that has arrived. */
  wanted: () => number | undefined;
  subscribe: (listener: () => void) => () => void;
  seek: (at: number) => void;
}

/** What of a recording has arrived: up to where, in milliseconds, and whether more of it is on its way. */
export interface Arrived {
  end: number;
  isLoading: boolean;
}

/** Sends a player to moments of a replay, in milliseconds, and tells where it is once it has come there. */
export class Follower {
  readonly #player: Followed;
  readonly #arrived: () => Arrived;
  readonly #moved: (at: number) => void;
  /** Where it was sent, for as long as it stays there. */
  #sent: number | undefined;

  constructor(player: Followed, arrived: () => Arrived, moved: (at: number) => void) {
    this.#player = player;
    this.#arrived = arrived;
    this.#moved = moved;
  }

  /** Tells from now on, until what is returned is called. */
  follow(): () => void {
    return this.#player.subscribe(() => this.#look());
  }

  send(to: number): void {
    this.#sent = to;
    this.#player.seek(to);
  }

  #look(): void {
    const { at, isPlaying } = this.#player.state();
    const wanted = this.#player.wanted();
    const { end, isLoading } = this.#arrived();
    // Until the moment has arrived, a player stands at the end of what has.
    if (wanted !== undefined && at !== wanted && isLoading && !isPlaying) return;
    // Of a moment that the recording does not have, it is as near as it gets.
    const nearest = isLoading || this.#sent === undefined ? this.#sent : Math.min(this.#sent, end);
    if (at !== nearest) this.#sent = undefined;
    this.#moved(this.#sent ?? at);
  }
}
