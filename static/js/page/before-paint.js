// Runs before the first paint: sets the theme chosen on this device, marks that scripts run, and stores the time zone.
// It also adds the CSRF token to forms in shared fragments: a reader may send one before the other scripts have loaded.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the system's theme is used.
  }
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
    document.cookie =
      `zone=${zone}; path=/; max-age=31536000; SameSite=Lax${location.protocol === "https:" ? "; Secure" : ""}`;
  }
  document.addEventListener("submit", ({ target: form }) => {
    if (form.method !== "post" || form.querySelector('[name="csrfmiddlewaretoken"]')) return;
    const value = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken", value }));
  });
})();
