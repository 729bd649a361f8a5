// The service worker of the whole site. The server inserts `build` before this script: the cache's version and files.
// It caches styles, scripts and pictures, whose names contain their hashes, and the page that is shown without a
// network. It caches no other page, because pages belong to one reader.

const SEEN = "menagerie-seen"; // where static/js/page/installed-app.js stores the reader's tables
const PREFIX = "menagerie-";
const CACHE = `${PREFIX}${build.version}`;
const ACCOUNT = /^\/(account|me)\//;

const worker = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => {
  worker.skipWaiting(); // an open page asks the server for the files of its own version
  event.waitUntil(fillCache());
});

async function fillCache() {
  const cache = await caches.open(CACHE);
  const pages = Object.values(build.pages).map((page) => new Request(page, { credentials: "omit", cache: "reload" }));
  await cache.addAll([...build.files, ...pages]);
}

worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE && name !== SEEN);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.registration.navigationPreload?.enable(); // the request does not wait for this script to start
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") {
    // Signing in or out deletes the former reader's tables before the answer comes, because it may be lost.
    if (request.method !== "GET") {
      if (ACCOUNT.test(pathname)) event.waitUntil(caches.delete(SEEN));
      return;
    }
    event.respondWith(openPage(event));
  } else if (build.static && request.method === "GET" && pathname.startsWith(build.static)) {
    event.respondWith(findFile(request));
  }
});

/** @param {WorkerFetchEvent} event */
async function openPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const cache = await caches.open(CACHE);
    const page = await cache.match(build.pages[await findLanguage()] ?? "");
    if (!page) throw error;
    return page;
  }
}

/** The language of the last page that this browser showed. */
async function findLanguage() {
  const noted = await caches.match("/seen-language", { cacheName: SEEN });
  const language = (await noted?.text()) ?? navigator.language.split("-")[0];
  return language in build.pages ? language : "en";
}

/** @param {Request} request */
async function findFile(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && answer.status === 200) await cache.put(request, answer.clone());
  return answer;
}

// --- notifications -------------------------------------------------------------------------------------

/**
 * A push message, as games/notifications/delivery.py sends it.
 * @typedef {object} Notice
 * @property {string} tag what it replaces on the screen
 * @property {string} title
 * @property {string} body
 * @property {string} path of the page that a press opens
 * @property {boolean} is_gone whether it closes one that is no longer true
 * @property {boolean} is_update whether it only replaces what is still on the screen under its tag
 * @property {string} language of its texts
 * @property {{text: string, at: number}} [moment] a time to name, in seconds since 1970, and the text around it
 */

const TIME = "%(time)s";

worker.addEventListener("push", (event) => {
  /** @type {Notice} */
  const notice = event.data?.json();
  if (notice) event.waitUntil(notice.is_gone ? closeNotice(notice.tag) : showNotice(notice));
});

/** @param {string} tag */
async function closeNotice(tag) {
  for (const shown of await worker.registration.getNotifications({ tag })) shown.close();
}

/** @param {Notice} notice */
async function showNotice({ tag, title, path, ...notice }) {
  const page = await findPage(path);
  if (page?.visibilityState === "visible") return; // the page shows it already
  if (notice.is_update && !(await worker.registration.getNotifications({ tag })).length) return;
  await worker.registration.showNotification(title, {
    body: writeBody(notice), tag, icon: build.icon, badge: build.badge, data: { path },
  });
}

/**
 * The text of a notification, with a time by this device's clock. It names a time instead of a duration, because it may
 * be read hours later.
 *
 * @param {Pick<Notice, "body" | "language" | "moment">} notice
 */
function writeBody({ body, language, moment }) {
  if (!moment) return body;
  const variant = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
  const clock = new Intl.DateTimeFormat(variant, {
    weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
  });
  return [body, moment.text.replace(TIME, clock.format(moment.at * 1000))].filter(Boolean).join(" · ");
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openNotice(event.notification.data?.path ?? build.lobby));
});

/** @param {string} path */
async function openNotice(path) {
  const page = await findPage(path);
  if (page) await page.focus();
  else await worker.clients.openWindow(new URL(path, location.origin).href);
}

/**
 * The window that shows this page; a visible one first.
 * @param {string} path
 */
async function findPage(path) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.filter((page) => new URL(page.url).pathname === path);
  return open.find((page) => page.visibilityState === "visible") ?? open[0];
}
