// What all parts of the tailor's desk share: the draft, what is picked up, and what the server says of this turn.

export const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
export const find = (id) => document.getElementById(id);
export const fill = (template, values) => template.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
export const say = (text) => (find("say").textContent = text);
export const build = (kind, properties) => Object.assign(document.createElement(kind), properties);
export const tool = (name) => document.querySelector(`[data-do="${name}"]`);

/** draft: null while it is not my turn; picked: names of tiles; focus: the name that Tab leads to. */
export const desk = { draft: null, picked: [], focus: null, isSending: false };

export const isMine = () => find("action")?.classList.contains("mine") ?? false;
export const asked = () => JSON.parse(find("action")?.dataset.rules || "{}");

/** What the turn has besides the draft. */
export function shop() {
  const { active = [], draw = false } = asked();
  return { clothing: words.clothing, active, canDraw: draw };
}

export function explain(sentence, isAdvice = false) {
  const why = find("why");
  if (!why) return;
  why.textContent = sentence;
  why.classList.toggle("advice", isAdvice);
}
