// The printer's button, and times as they are here, where scripts run.
import { showHours } from "../page/local-times.js";

const button = document.getElementById("print");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
showHours();
