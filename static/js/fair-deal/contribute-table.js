// Contributes to the deal without being asked, as soon as the page has the table's commitment, and stores what it read
// and sent.

import { noteReceipt, readReceipt } from "./receipts.js";

/** @typedef {{ commitment: HTMLInputElement, entropy: HTMLInputElement }} ContributionFields */
/** @typedef {HTMLFormElement & { elements: ContributionFields }} ContributionForm */

const board = () => document.getElementById("board");
const table = board()?.dataset.table ?? "";
let isSent = false;

const makeRandomDigits = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * @param {string} commitment
 * @param {string} entropy
 */
function contribute(commitment, entropy) {
  const onTaken = () => noteReceipt(table, { entropy }, { replaces: true });
  document.dispatchEvent(new CustomEvent("menagerie:contribute", { detail: { commitment, entropy, onTaken } }));
}

/**
 * The reader's seat before the game, and whether the seats of the game are drawn by lot.
 * @param {number} chair
 */
function noteChair(chair) {
  noteReceipt(
    table, { chair, isDrawn: "drawn" in (document.getElementById("fair")?.dataset ?? {}) }, { replaces: true });
}

function look() {
  const commitment = document.getElementById("fair")?.dataset.commitment;
  if (!commitment) return;
  const { status, seat } = board()?.dataset ?? {};
  if (status === "waiting") noteReceipt(table, { commitment }); // later it proves nothing
  if (status === "waiting" && seat) noteChair(Number(seat));
  if (status === "playing" && seat) noteReceipt(table, { seat: Number(seat) });
  const known = readReceipt(table)?.commitment ?? commitment;
  const changed = document.getElementById("changed");
  if (changed) changed.hidden = known === commitment;
  if (document.getElementById("share")?.dataset.given !== "" || isSent || known !== commitment) return;
  isSent = true; // what is under way is sent again until it has arrived
  contribute(commitment, makeRandomDigits());
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "share") return;
  event.preventDefault();
  const { commitment, entropy } = /** @type {ContributionForm} */ (event.target).elements;
  contribute(commitment.value, entropy.value.trim());
});

document.addEventListener("menagerie:swapped", ({ detail }) => {
  if (["board", "fair", "share"].includes(detail.id)) look();
});
// Runs at once instead of waiting for the other scripts, because the deal may be waiting for this. connection.js comes
// before this script in the page, so it is listening already.
if (table) look();
