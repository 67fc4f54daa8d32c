import { invalid } from "./errors";

interface Page<T> {
  items: T[];
  next: string | null;
}

export function pageCount(total: number, size: number): unknown[] {
  const pages = Math.ceil(total / size);
  return new Array(pages - 1).fill(null);
}

export function submitReview(stars: number, text: string): object {
  if (text.length < 20) throw invalid(`A review needs 20 characters, this one has ${text.length}`);
  return { stars, text };
}

export function cursorOf<T>(page: Page<T>): string {
  const [cursor] = page.next!.split(":");
  return cursor ?? "";
}
