// Before the first paint: the theme chosen on this device, that scripts run here, and the time zone. And before a button
// can be pressed: the CSRF token that forms of shared fragments lack, since the later scripts may load slowly.
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
    document.cookie =
      `zone=${zone}; path=/; max-age=31536000; SameSite=Lax${location.protocol === "https:" ? "; Secure" : ""}`;
  }
  document.addEventListener("submit", ({ target: form }) => {
    if (form.method !== "post" || form.querySelector('[name="csrfmiddlewaretoken"]')) return;
    const value = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken", value }));
  });
})();
