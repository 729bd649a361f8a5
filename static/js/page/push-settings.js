// Notification settings: turns push messages on and off for this device, and marks it in the list of devices.

const section = document.getElementById("push-device");
const state = document.getElementById("push-state");
const on = /** @type {HTMLButtonElement | null} */ (document.getElementById("push-on"));
const off = /** @type {HTMLButtonElement | null} */ (document.getElementById("push-off"));
const {
  key = "", add, remove, checking, insecure, unsupported, denied, failed, on: isOnHere, off: isOffHere,
} = section?.dataset ?? {};
const csrf = () => document.querySelector('meta[name="csrf-token"]')?.content ?? "";

const WORKER_MS = 8_000; // a slow phone needs 3 s

/** @param {string | undefined} sentence */
function say(sentence) {
  if (state) state.textContent = sentence ?? "";
}

/**
 * @param {string | undefined} url
 * @param {unknown} body
 */
async function post(url, body) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": csrf() };
  const answer = await fetch(url ?? "", { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}

/** The site's public key, as bytes. */
function readKey() {
  const text = atob(key.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

/**
 * Marks the device with this subscription in the list on this page. Returns whether the list has it.
 * @param {PushSubscription} subscription
 */
async function markDevice(subscription) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint));
  const name = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const mark = /** @type {HTMLElement | null} */ (document.querySelector(`[data-device="${name}"] .this-device`));
  if (mark) mark.hidden = false;
  return Boolean(mark);
}

/**
 * Resolves to null after the time that a browser may take to start the service worker.
 * @returns {Promise<null>}
 */
const giveUp = () => new Promise((done) => setTimeout(done, WORKER_MS, null));

async function show() {
  if (!on || !off) return;
  if (!isSecureContext) return say(insecure);
  if (!("PushManager" in window) || !navigator.serviceWorker) return say(unsupported);
  say(checking);
  const registration = await Promise.race([navigator.serviceWorker.ready, giveUp()]);
  if (!registration) return say(failed);
  const subscription = await registration.pushManager.getSubscription();
  const isOn = subscription !== null && (await markDevice(subscription));
  on.hidden = isOn;
  off.hidden = !isOn;
  say(Notification.permission === "denied" ? denied : isOn ? isOnHere : isOffHere);
}

on?.addEventListener("click", async () => {
  on.disabled = true;
  try {
    if ((await Notification.requestPermission()) !== "granted") return say(denied);
    const registration = await navigator.serviceWorker.ready;
    await (await registration.pushManager.getSubscription())?.unsubscribe(); // perhaps of another key
    const wanted = { userVisibleOnly: true, applicationServerKey: readKey() };
    const subscription = await registration.pushManager.subscribe(wanted);
    await post(add, subscription.toJSON());
    location.reload();
  } catch {
    say(failed);
  } finally {
    on.disabled = false;
  }
});

off?.addEventListener("click", async () => {
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  if (!subscription) return location.reload();
  await post(remove, { endpoint: subscription.endpoint }).catch(() => {});
  await subscription.unsubscribe();
  location.reload();
});

void show();
