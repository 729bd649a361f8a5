// What a club plans is fetched anew again and again; its reader keeps his place, and what he has unfolded.

import { hold, noteFolds } from "./place.js";

const programme = () => document.getElementById("programme");
let back = null;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target === programme()) back = hold(programme());
});
document.addEventListener("htmx:afterSwap", () => {
  back?.(programme());
  back = null;
});
noteFolds(programme());
