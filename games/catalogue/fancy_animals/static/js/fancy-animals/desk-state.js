// What all parts of the tailor's desk share: the draft, what is picked up, and what the server says of this turn.

import { explain as sayWhyNot, GUARD_MS, whyWait } from "../table/moves.js";
import { fill, find, words } from "../table/words.js";

export { fill, find, GUARD_MS, whyWait, words };
export const say = (text) => (find("say").textContent = text);
export const build = (kind, properties) => Object.assign(document.createElement(kind), properties);
export const tool = (name) => document.querySelector(`[data-do="${name}"]`);
export const buildBare = () => build("p", { className: "soft", textContent: words.bare });

/** draft: null while the game does not wait for me; picked: names of tiles; focus: the name that Tab leads to. */
export const desk = { draft: null, picked: [], focus: null, isSending: false };

export const isMine = () => find("action")?.classList.contains("mine") ?? false;
export const mayDraft = () => "draft" in (find("action")?.dataset ?? {}); // in a pause, too
export const asked = () => JSON.parse(find("action")?.dataset.rules || "{}");

/** What the turn has besides the draft. */
export function shop() {
  const { active = [], draw = false } = asked();
  return { clothing: words.clothing, active, canDraw: draw };
}

export function explain(sentence, isAdvice = false) {
  sayWhyNot(sentence);
  find("why")?.classList.toggle("advice", isAdvice);
}
