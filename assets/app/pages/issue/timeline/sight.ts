/** From where to where something is on the screen, in pixels from the top. */
export interface Extent {
  top: number;
  bottom: number;
}

/** Keeps the current row of a list in sight, unless a person has scrolled the list to somewhere else. */
export class Sight {
  /** How far the list is scrolled. */
  #scrolled = 0;
  #isHeld = false;

  /** By how much to scroll for a row to be in sight; 0 where it is, or where the person reads something else. */
  away(row: Extent, box: Extent): number {
    if (this.#isHeld || isIn(row, box)) return 0;
    // In the middle, so that those that follow are in sight for a while.
    return (row.top + row.bottom - box.top - box.bottom) / 2;
  }

  /** The page has scrolled the list to there. */
  brought(scrolled: number): void {
    this.#scrolled = scrolled;
  }

  /** The list has been scrolled to there, by the page or by a person; `row` is the current one. */
  scrolled(scrolled: number, row: Extent | undefined, box: Extent): void {
    if (Math.abs(scrolled - this.#scrolled) < 1) return;
    this.#scrolled = scrolled;
    this.#isHeld = row === undefined || !isIn(row, box);
  }

  /** The person chose a row. */
  release(): void {
    this.#isHeld = false;
  }
}

const isIn = (row: Extent, box: Extent): boolean => row.top >= box.top && row.bottom <= box.bottom;
