// Adds a button beside every password field that shows what was typed, so that it needs to be typed only once.

const { show = "", hide = "" } = document.documentElement.dataset;

/** Gives each password field on the page its button. */
export function offerToShow() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll('input[type="password"]');
  for (const field of fields) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "icon show-password";
    button.append(Object.assign(document.createElement("i"), { className: "ico eye" }));
    const say = () => {
      const isShown = field.type === "text";
      button.setAttribute("aria-pressed", String(isShown));
      button.title = isShown ? hide : show;
      button.setAttribute("aria-label", show);
    };
    button.addEventListener("click", () => {
      field.type = field.type === "password" ? "text" : "password";
      say();
      field.focus();
    });
    field.form?.addEventListener("submit", () => { field.type = "password"; });
    const row = document.createElement("span");
    row.className = "password-row";
    field.replaceWith(row);
    row.append(field, button);
    say();
  }
}
