// The printer's button, and times as they are here, where scripts run.
const button = document.getElementById("print");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
const format = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
for (const clock of document.querySelectorAll("time[data-clock]")) clock.textContent = format.format(new Date(clock.dateTime));
