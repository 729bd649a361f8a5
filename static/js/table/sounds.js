// Six short sounds, generated from a few tones. They are off until the reader turns them on; the volume is a setting.

import { recall, recallNumber } from "../page/device-settings.js";

/** @typedef {"turn" | "play" | "pass" | "win" | "bell" | "window"} Sound */

/**
 * A tone: start and length in s, frequency in Hz, loudness from 0 to 1.
 * @typedef {[at: number, frequency: number, length: number, loudness: number, type?: OscillatorType]} Tone
 */

/** @type {Record<Exclude<Sound, "play">, Tone[]>} */
const TONES = {
  turn: [[0, 523.25, 0.5, 0.5], [0.16, 698.46, 0.5, 0.5]], // a fourth
  pass: [[0, 196, 0.14, 0.45, "sine"], [0.06, 147, 0.16, 0.4, "sine"]],
  win: [[0, 523.25, 0.22, 0.35], [0.09, 659.25, 0.24, 0.35], [0.18, 783.99, 0.4, 0.4]],
  bell: [[0, 880, 1.1, 0.35, "sine"], [0, 2112, 0.7, 0.14, "sine"], [0, 3520, 0.4, 0.08, "sine"]],
  window: [[0, 1174.66, 0.12, 0.3, "sine"], [0.1, 1567.98, 0.16, 0.3, "sine"]],
};
const USUAL_VOLUME = 50; // percent
const CARD_S = 0.07;

/** @type {AudioContext | undefined} */
let audio;

/**
 * Plays a sound, if the reader has turned them on. Browsers play nothing before the reader has touched the page.
 * @param {Sound} name
 * @param {{ delay?: number, isTest?: boolean }} [how] delay: in s; isTest: plays it even if sounds are off
 */
export function playSound(name, { delay = 0, isTest = false } = {}) {
  const volume = recallNumber("volume", USUAL_VOLUME) / 100;
  if (!volume || (!isTest && !recall("sound"))) return;
  audio ??= new AudioContext();
  // Squared, because loudness is heard on a logarithmic scale.
  const loudness = new GainNode(audio, { gain: 0.45 * volume * volume });
  loudness.connect(audio.destination);
  const start = audio.currentTime + delay;
  if (name === "play") playNoise(audio, loudness, start);
  else for (const tone of TONES[name]) playTone(audio, loudness, start, tone);
  document.dispatchEvent(new CustomEvent("menagerie:sounded", { detail: { name } }));
}

/**
 * @param {AudioContext} context
 * @param {AudioNode} out
 * @param {number} start
 * @param {Tone} tone
 */
function playTone(context, out, start, [at, frequency, length, loudness, type = "triangle"]) {
  const tone = new OscillatorNode(context, { frequency, type });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start + at);
  gain.gain.linearRampToValueAtTime(loudness, start + at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.001, start + at + length);
  tone.connect(gain).connect(out);
  tone.start(start + at);
  tone.stop(start + at + length + 0.05);
}

/**
 * Plays the sound of a card on felt: a short burst of noise.
 * @param {AudioContext} context
 * @param {AudioNode} out
 * @param {number} start
 */
function playNoise(context, out, start) {
  const noise = new AudioBuffer({ length: Math.ceil(CARD_S * context.sampleRate), sampleRate: context.sampleRate });
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (2 * Math.random() - 1) * (1 - i / samples.length) ** 2;
  const band = new BiquadFilterNode(context, { type: "bandpass", frequency: 1900, Q: 0.8 });
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  source.connect(band).connect(out);
  source.start(start);
}

// --- what happens at the table -------------------------------------------------------------------------

/** @type {Sound[]} the most important one first: of several at the same time only that one is played */
const RANK = ["bell", "win", "window", "play", "pass"];
/** @type {Set<string>} */
let heard = new Set();
let wasOpen = false; // a window in which one may react
let wasPlaying = false;

const isOpen = () => document.querySelector("#window:not([hidden])") !== null;
const isPlaying = () => document.querySelector("#board[data-status='playing']") !== null;

document.addEventListener("menagerie:before", ({ detail: { id, html } }) => {
  if (id === "window") wasOpen = isOpen();
  if (id === "board") wasPlaying = isPlaying();
  if (id === "log" && html.includes("data-append"))
    for (const [, name] of html.matchAll(/ data-sound="(\w+)"/g)) heard.add(name);
});

document.addEventListener("menagerie:swapped", ({ detail: { id } }) => {
  if (id === "window" && isOpen() && !wasOpen) heard.add("window");
  if (id === "board" && wasPlaying && !isPlaying()) heard.add("win");
});

document.addEventListener("menagerie:updated", () => {
  const name = RANK.find((sound) => heard.has(sound));
  heard = new Set();
  if (name) playSound(name);
});
