// Before the first paint: the theme that was chosen on this device, and that scripts run here.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the system's theme holds.
  }
})();
