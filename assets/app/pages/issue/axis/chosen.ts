/**
 * The time that somebody chose, for as long as the player is where that sent it: a replay may not reach as far, and
 * from its end one goes on to what happened after it.
 */
export class Chosen {
  #last: { at: number; to: number } | undefined;

  /** Somebody chose a time, which sends the player to a moment of the replay. */
  choose(at: number, to: number): void {
    this.#last = { at, to };
  }

  /** The time that was chosen, while the player is at its moment; it is forgotten once that moves. */
  at(to: number): number | undefined {
    if (this.#last?.to !== to) this.#last = undefined;
    return this.#last?.at;
  }
}
