// Adds the button to print the page, and shows times in the reader's time zone.
import { showHours } from "../page/local-times.js";

const button = document.getElementById("print");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
showHours();
