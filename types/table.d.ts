// The events of a table's page: by them its scripts, each of which may be missing, know of each other.

/** A move as the engine of its game reads it. */
type Move = { [key: string]: unknown };

/** How the page hears of the table: live over a socket, by asking again and again, or why not at all. */
type ConnectionState = "live" | "reconnecting" | "polling" | "crowded_network" | "crowded_person";

/** Who is here: the seats of people, and how many watch. */
type Presence = { seats: number[]; watchers: number };

/** A remark of the talk; `at`: milliseconds since 1970. */
type Remark = {
  number: number;
  author: string;
  seat: number | null;
  name: string;
  words: string;
  at: number;
  /** What the author does here, empty for most. */
  role: string;
  has_account: boolean;
};

/** What is said: remarks below `since`, and those with the numbers in `hidden`, are gone. */
type Talk = { since: number; remarks: Remark[]; hidden: number[] };

interface TableEvents {
  /** Send this move; `onTaken` is called once the server has accepted it. */
  "menagerie:move": CustomEvent<{ move: Move; onTaken?: () => void }>;
  /** Add to the deal's chance. */
  "menagerie:contribute": CustomEvent<{ commitment: string; entropy: string; onTaken?: () => void }>;
  /** A command of the table: pause, undo, a hand raised. */
  "menagerie:command": CustomEvent<{ name: string; on?: boolean; value?: string }>;
  /** The server has answered a move or command; `isShown`: the page shows the table after it already. */
  "menagerie:answered": CustomEvent<{ key: string; status: number; isShown: boolean }>;
  /** It was not accepted, and why. */
  "menagerie:refused": CustomEvent<{ sentence: string; status: number }>;
  /** A region is about to be replaced by this HTML. */
  "menagerie:before": CustomEvent<{ id: string; element: HTMLElement; html: string }>;
  /** A region was replaced; on a page that follows a tournament: the whole part that follows it (no detail). */
  "menagerie:swapped": CustomEvent<{ id: string; element: HTMLElement | null }>;
  /** All regions of one update are here. */
  "menagerie:updated": CustomEvent<{ ply: number; version: number; full: boolean }>;
  "menagerie:connection": CustomEvent<{ state: ConnectionState }>;
  "menagerie:presence": CustomEvent<Presence>;
  "menagerie:talk": CustomEvent<Talk>;
  /** A new deal is laid out, and its jobs have been shown: now the exchange is. */
  "menagerie:dealt": CustomEvent;
  /** A sound was played. */
  "menagerie:sounded": CustomEvent<{ name: string }>;
  /** A tournament has another version while nobody looks at the page. */
  "menagerie:heard": CustomEvent;
}
