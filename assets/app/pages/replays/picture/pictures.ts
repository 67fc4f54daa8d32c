import { queryOptions } from "@tanstack/react-query";
import { replayKeys } from "../../../api/replay-queries.ts";
import { beginningOf } from "./beginning.ts";
import { draw } from "./draw.ts";

/** The most images that are kept. */
const most = 200;

const drawn: string[] = [];
let turn: Promise<unknown> = Promise.resolve();

/** Runs one at a time: a list has many pictures, and none is urgent. */
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const mine = turn.then(act);
  turn = mine.catch(() => undefined);
  return mine;
}

/** The image of a replay's first page; `null` if there is none. It never changes. */
export const pictureQuery = (project: number, replay: string) =>
  queryOptions({
    queryKey: [...replayKeys.one(project, replay), "picture"],
    queryFn: ({ signal }) =>
      inTurn(async () => {
        signal.throwIfAborted();
        const beginning = await beginningOf(project, replay, signal);
        const image = beginning && (await draw(beginning));
        return image ? keep(image) : null;
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** Revokes the oldest images; elements that show them have decoded them already. */
function keep(image: string): string {
  drawn.push(image);
  if (drawn.length > most) URL.revokeObjectURL(drawn.shift() ?? "");
  return image;
}
