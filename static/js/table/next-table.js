// In games over days, a key opens the next table that waits for me.

const KEY = "F2"; // not a letter, because speech input and screen readers use those (WCAG 2.1.4)

document.addEventListener("keydown", (event) => {
  if (event.key !== KEY || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  document.getElementById("next-table")?.click();
});
