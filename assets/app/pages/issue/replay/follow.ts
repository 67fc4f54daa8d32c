/** What of a player it takes to go along with it. */
export interface Followed {
  state: () => { at: number; isPlaying: boolean };
  subscribe: (listener: () => void) => () => void;
  seek: (at: number) => void;
}

/** Sends a player to moments of a replay, in milliseconds, and tells where it is once it has come there. */
export class Follower {
  readonly #player: Followed;
  readonly #isLoading: () => boolean;
  readonly #moved: (at: number) => void;
  /** Where it was sent and has not been yet. */
  #target: number | undefined;

  constructor(player: Followed, isLoading: () => boolean, moved: (at: number) => void) {
    this.#player = player;
    this.#isLoading = isLoading;
    this.#moved = moved;
  }

  /** Tells from now on, until what is returned is called. */
  follow(): () => void {
    return this.#player.subscribe(() => this.#look());
  }

  send(to: number): void {
    this.#target = to;
    this.#player.seek(to);
  }

  #look(): void {
    const { at, isPlaying } = this.#player.state();
    // Until the moment has arrived, a player stands at the end of what has.
    if (this.#target !== undefined && at !== this.#target && this.#isLoading() && !isPlaying) return;
    this.#target = undefined;
    this.#moved(at);
  }
}
