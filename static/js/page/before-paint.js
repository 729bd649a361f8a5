// Before the first paint: the theme that was chosen on this device, that scripts run here, and in which time zone. And before
// anybody can press a button: the token that forms of shared fragments lack, for the scripts that come later may take their time.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the system's theme holds.
  }
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
    document.cookie = `zone=${zone}; path=/; max-age=31536000; SameSite=Lax${location.protocol === "https:" ? "; Secure" : ""}`;
  }
  document.addEventListener("submit", ({ target: form }) => {
    if (form.method !== "post" || form.querySelector('[name="csrfmiddlewaretoken"]')) return;
    const value = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken", value }));
  });
})();
