// The parts of rrweb's event format that we read ourselves. The Web app reads the same.

/** The version of rrweb that records here and plays in the Web app; both packages have the same. */
export const RRWEB = "2.1.6";

export const EventType = {
  DomContentLoaded: 0,
  Load: 1,
  FullSnapshot: 2,
  Incremental: 3,
  Meta: 4,
  Custom: 5,
  Plugin: 6,
} as const;

/** The sources of incremental events. */
export const Source = {
  Mutation: 0,
  MouseMove: 1,
  MouseInteraction: 2,
  Scroll: 3,
  ViewportResize: 4,
  Input: 5,
  TouchMove: 6,
  StyleSheetRule: 8,
  Drag: 12,
  StyleDeclaration: 13,
  Selection: 14,
  AdoptedStyleSheet: 15,
} as const;

export const Interaction = { Click: 2, ContextMenu: 3, DoubleClick: 4, Focus: 5, TouchStart: 7 } as const;
export const NodeType = { Document: 0, DocumentType: 1, Element: 2, Text: 3, Cdata: 4, Comment: 5 } as const;

export type Attribute = string | number | boolean | null | Record<string, unknown>;

export interface Node {
  type: number;
  id: number;
  tagName?: string;
  attributes?: Record<string, Attribute>;
  childNodes?: Node[];
  textContent?: string;
  isStyle?: boolean;
  isSVG?: boolean;
  isCustom?: boolean;
}

export interface Mutation {
  source: 0;
  texts?: { id: number; value: string | null }[];
  attributes?: { id: number; attributes: Record<string, Attribute> }[];
  removes?: unknown[];
  adds?: { parentId: number; nextId?: number | null; node: Node }[];
  /** Whether it goes on with the picture of the page that is before it, which is larger than a request. */
  continues?: true;
}

export interface Recorded {
  type: number;
  /** Milliseconds since the epoch. */
  timestamp: number;
  data: Record<string, unknown>;
}

/** Tags of the client's own events among rrweb's. */
export const tags = {
  console: "mayday.console",
  network: "mayday.network",
  navigation: "mayday.navigation",
  error: "mayday.error",
  /** Any other breadcrumb: `{category, message, level}`. */
  crumb: "mayday.crumb",
  /** The trace id from now on, shared by log entries and errors: `{trace_id}`. */
  trace: "mayday.trace",
  /** Events that could not be sent, and how many of them the server refused: `{events, refused}`. */
  lost: "mayday.lost",
  /** A snapshot cost too much, so there will be fewer: `{how: rarer | none | over, took}` in ms. */
  pictures: "mayday.pictures",
  /**
   * Recording took this percentage of the page's time, so less is recorded from here on, or as usual again: `{how:
   * usual | coalesced | pictures, share}`.
   */
  effort: "mayday.effort",
  /** The recording was ended: `{why}`. */
  end: "mayday.end",
  /** The server's own, where chunks are missing: `{from_chunk, to_chunk, why}`; parts of one: `{from_part, to_part}`. */
  gap: "mayday.gap",
} as const;
