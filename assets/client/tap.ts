import type { Breadcrumb, Mayday, MaydayEvent, Options, ReplayState } from "./types.ts";

/** The recorder of replays, which comes as a script of its own. */
export interface Tap {
  /** A breadcrumb, as it is kept. */
  crumb(crumb: Breadcrumb): void;
  /** Adds to an event before anybody else sees it. */
  event(event: MaydayEvent): void;
  /** An event is on its way. */
  sent(event: MaydayEvent): void;
  /** What is being recorded. */
  state(): ReplayState;
  /** The client is closed. */
  end(): void;
}

/** What the client hands over for that. */
export interface Source {
  options: Options;
  /** Of the server. */
  origin: string;
  /** The page's `fetch` as it was before the client. */
  post: typeof fetch | undefined;
  who: Pick<MaydayEvent, "user" | "account">;
  about(): Partial<MaydayEvent>;
  /** The id of what goes on now. */
  trace(): string;
}

/** The client with what is for the recorder alone. */
export interface Tapped extends Mayday {
  /** Lets somebody listen, or nobody again. False where the client does not run, or somebody listens already. */
  tap(make: ((source: Source) => Tap | undefined) | undefined): boolean;
}
