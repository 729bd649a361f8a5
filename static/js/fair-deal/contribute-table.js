// Contributes to the deal without being asked, as soon as the page has the table's commitment, and notes what it has
// read and sent.

import { noteReceipt, readReceipt } from "./receipts.js";

/** @typedef {{ commitment: HTMLInputElement, entropy: HTMLInputElement }} ContributionFields */
/** @typedef {HTMLFormElement & { elements: ContributionFields }} ContributionForm */

const board = () => document.getElementById("board");
const table = board()?.dataset.table ?? "";
let isSent = false;

const drawDigits = () =>
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
 * Where this person sits before the game, and whether a lot decides the seats of the game.
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
  contribute(commitment, drawDigits());
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
// At once, and not when all other scripts are here: the deal may wait for nothing else. The connection stands before this
// script in the page, so it listens already.
if (table) look();
