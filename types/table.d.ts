// The events of a table's page. Its scripts communicate by them only, because each of the scripts may be missing.

/** A move in the form that the game's engine reads. */
type Move = { [key: string]: unknown };

/** The state of the connection: a socket, polling, neither, or which limit of open tables keeps it from a socket. */
type ConnectionState = "live" | "reconnecting" | "polling" | "crowded_network" | "crowded_person";

/** The seats of the people who are here, and the number of spectators. */
type Presence = { seats: number[]; watchers: number };

/** A chat message. `at`: milliseconds since 1970. */
type Remark = {
  number: number;
  author: string;
  seat: number | null;
  name: string;
  words: string;
  at: number;
  /** The author's role, e.g. organiser; empty for most. */
  role: string;
  has_account: boolean;
};

/** Chat messages. Those with a number below `since` or in `hidden` are removed from the page. */
type Talk = { since: number; remarks: Remark[]; hidden: number[] };

interface TableEvents {
  /** Sends this move. `onTaken` is called when the server has accepted it. */
  "menagerie:move": CustomEvent<{ move: Move; onTaken?: () => void }>;
  /** Contributes to the deal's seed. */
  "menagerie:contribute": CustomEvent<{ commitment: string; entropy: string; onTaken?: () => void }>;
  /** Sends a command, e.g. to pause the table. */
  "menagerie:command": CustomEvent<{ name: string; on?: boolean; value?: string }>;
  /** The server has answered a move or command. `isShown`: the page already shows the table after it. */
  "menagerie:answered": CustomEvent<{ key: string; status: number; isShown: boolean }>;
  /** The server has refused a move or command, with a sentence. */
  "menagerie:refused": CustomEvent<{ sentence: string; status: number }>;
  /** A region is about to be replaced by this HTML. */
  "menagerie:before": CustomEvent<{ id: string; element: HTMLElement; html: string }>;
  /** A region was replaced. On a tournament's page: its live part was replaced (no detail). */
  "menagerie:swapped": CustomEvent<{ id: string; element: HTMLElement | null }>;
  /** All regions of an update have been replaced. */
  "menagerie:updated": CustomEvent<{ ply: number; version: number; full: boolean }>;
  "menagerie:connection": CustomEvent<{ state: ConnectionState }>;
  "menagerie:presence": CustomEvent<Presence>;
  "menagerie:talk": CustomEvent<Talk>;
  /** Between two deals, the new jobs have been shown, and the exchange of cards is shown next. */
  "menagerie:dealt": CustomEvent;
  /** A sound was played. */
  "menagerie:sounded": CustomEvent<{ name: string }>;
  /** A tournament has a new version while the page is hidden. */
  "menagerie:heard": CustomEvent;
}
