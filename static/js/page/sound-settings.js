// Sound and vibration settings on the account page: each change plays the sound, or vibrates, at once.

import { playSound } from "../table/sounds.js";
import { recallNumber, remember } from "./device-settings.js";

const find = (/** @type {string} */ id) => /** @type {HTMLInputElement | null} */ (document.getElementById(id));
const [volume, sound, vibration] = [find("device-volume"), find("device-sound"), find("device-vibration")];

if (volume) {
  volume.value = String(recallNumber("volume", Number(volume.value)));
  volume.addEventListener("change", () => {
    remember("volume", volume.value);
    playSound("turn", { isTest: true });
  });
}
sound?.addEventListener("change", () => sound.checked && playSound("turn"));

const label = vibration?.closest("p");
if (label) label.hidden = !("vibrate" in navigator);
vibration?.addEventListener("change", () => vibration.checked && navigator.vibrate(60));
