// The guide of a first game: says what to do now, depending on what the page shows.

import { words } from "./words.js";

const coach = document.getElementById("coach");
const line = coach?.querySelector("span");

function speak() {
  const said = words.guide?.filter(([selector]) => document.querySelector(selector)).at(-1)?.[1];
  if (line && said && line.textContent !== said) line.textContent = said;
}

if (coach) {
  coach.hidden = false;
  for (const event of ["menagerie:swapped", "menagerie:updated"]) document.addEventListener(event, speak);
  for (const event of ["click", "keyup"]) document.addEventListener(event, () => requestAnimationFrame(speak));
  coach.querySelector("button")?.addEventListener("click", () => coach.remove());
  speak();
}
