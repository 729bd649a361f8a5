// The site as an installed app: registers the service worker, and stores the reader's tables for use without a network.
// What is stored belongs to one reader. It is deleted as soon as a page is shown to another one.

const SEEN = "menagerie-seen"; // as in static/js/worker/service-worker.js
const TABLES = "/seen-tables";
const LANGUAGE = "/seen-language";
const READER = "reader"; // in localStorage: who this browser's last page was for
const root = document.documentElement;

/**
 * @typedef {object} SeenTable
 * @property {string} name
 * @property {string} options
 * @property {string} state
 * @property {string[]} [until] deadlines, in words; entries stored by older versions have none
 * @property {string} url
 */

/**
 * @typedef {object} Seen
 * @property {string} who
 * @property {number} at milliseconds since 1970
 * @property {SeenTable[]} tables
 */

/** Registers the worker once the page has loaded, so that no page waits for it. */
export function installWorker() {
  const { serviceWorker } = navigator;
  if (!serviceWorker || !isSecureContext) return;
  const reader = root.dataset.who ?? "";
  const isOther = noteReader(reader);
  const begin = async () => {
    if (isOther) await forgetReader();
    await serviceWorker.register("/service-worker.js", { updateViaCache: "none" }).catch(() => {});
    await Promise.all([noteTables(reader), closeNotices()]);
  };
  if (document.readyState === "complete") void begin();
  else addEventListener("load", () => void begin());
  document.addEventListener("visibilitychange", () => void (document.hidden ? noteTables(reader) : closeNotices()));
}

/**
 * Whether this browser's last page was for somebody else.
 * @param {string} reader
 */
function noteReader(reader) {
  try {
    if (localStorage.getItem(READER) === reader) return false;
    localStorage.setItem(READER, reader);
  } catch {
    // Without storage no tables are stored, either.
  }
  return true;
}

/** @returns {string | null} */
export function findReader() {
  try {
    return localStorage.getItem(READER);
  } catch {
    return null;
  }
}

/** Removes everything of the reader before: stored tables, notifications on the screen, and the push subscription. */
async function forgetReader() {
  await caches.delete(SEEN);
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  const subscription = await registration?.pushManager?.getSubscription().catch(() => null); // some browsers have none
  await subscription?.unsubscribe().catch(() => false);
}

/** Closes notifications about the page that is open, because the reader sees it now. */
async function closeNotices() {
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? [])
    if (shown.data?.path === location.pathname) shown.close();
}

/** @param {string} reader */
async function noteTables(reader) {
  if (findReader() !== reader) return; // another page has shown that somebody else reads here now
  const cache = await caches.open(SEEN);
  await cache.put(LANGUAGE, new Response(root.lang));
  const list = document.getElementById("mine");
  if (!list || !reader) return;
  /** @type {Seen} */
  const seen = { who: reader, at: Date.now(), tables: [...list.querySelectorAll("li.row-table")].map(readRow) };
  await cache.put(TABLES, new Response(JSON.stringify(seen)));
}

/**
 * @param {Element} row
 * @returns {SeenTable}
 */
function readRow(row) {
  /** @param {string} selector */
  const read = (selector) => row.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  const url = row.querySelector("a")?.getAttribute("href") ?? "/";
  const until =
    [...row.querySelectorAll(".until")].map((element) => element.textContent?.replace(/\s+/g, " ").trim() ?? "");
  return { name: read(".what b"), options: read(".what .soft"), state: read(".state"), until, url };
}

/**
 * The reader's tables as the lobby last showed them; null if none are stored.
 * @returns {Promise<Seen | null>}
 */
export async function recallTables() {
  const noted = await caches.match(TABLES, { cacheName: SEEN });
  const seen = noted ? await noted.json() : null;
  return seen && seen.who === findReader() ? seen : null;
}
