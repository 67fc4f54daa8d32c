import type { Breadcrumb, Mayday, MaydayEvent, Options, ReplayState } from "./types.ts";

/** The recorder of replays, which is a separate script. */
export interface Tap {
  /** Receives a breadcrumb, as it is kept. */
  crumb(crumb: Breadcrumb): void;
  /** Adds to an event before anybody else sees it. */
  event(event: MaydayEvent): void;
  /** An event is about to be sent. */
  sent(event: MaydayEvent): void;
  /** The state of the recording. */
  state(): ReplayState;
  /** The client was closed. */
  end(): void;
}

/** What the client gives to the recorder. */
export interface Source {
  options: Options;
  /** The server's origin. */
  origin: string;
  /** The page's original `fetch`. */
  post: typeof fetch | undefined;
  who: Pick<MaydayEvent, "user" | "account">;
  about(): Partial<MaydayEvent>;
  /** The current trace id. */
  trace(): string;
}

/** The client with a method for the recorder. */
export interface Tapped extends Mayday {
  /** Connects a recorder, or none. Returns false if the client does not run, or has one already. */
  tap(make: ((source: Source) => Tap | undefined) | undefined): boolean;
}
