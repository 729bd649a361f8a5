// Narrows types of the DOM library to what is true on the pages of this site: all elements that scripts look for are
// HTML elements, and so are the targets of events.

interface ParentNode {
  querySelector(selectors: `meta[${string}]`): HTMLMetaElement | null;
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector<E extends HTMLElement = HTMLElement>(selectors: string): E | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends HTMLElement = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  closest<E extends HTMLElement = HTMLElement>(selectors: string): E | null;
}

/** Elements that every page has. */
type IdOfEveryPage = "main" | "say";

interface Document {
  getElementById(id: IdOfEveryPage): HTMLElement;
  getElementById<E extends HTMLElement = HTMLElement>(id: string): E | null;
  addEventListener<K extends keyof PageEvents>(
    type: K,
    listener: (this: Document, event: PageEvents[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  dispatchEvent(event: Event): boolean;
}

/** Needed because the DOM library declares listeners for this element, which would be preferred to those below. */
interface HTMLDetailsElement {
  addEventListener<K extends keyof PageEvents>(
    type: K,
    listener: (this: HTMLDetailsElement, event: PageEvents[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

interface HTMLElement {
  addEventListener<K extends keyof PageEvents>(
    type: K,
    listener: (this: HTMLElement, event: PageEvents[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface PageEvents extends TableEvents, HtmxEvents {
  change: Event & { target: Field };
  click: MouseEvent & { target: HTMLElement };
  input: Event & { target: Field };
  keydown: KeyboardEvent & { target: HTMLElement };
  keyup: KeyboardEvent & { target: HTMLElement };
  pointerdown: PointerEvent & { target: HTMLElement };
  submit: SubmitEvent & { target: HTMLFormElement };
}

/** Reads codes from pictures. Not every browser has it, so test for it first. */
interface Window {
  BarcodeDetector: new (options: { formats: string[] }) => {
    detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
  };
}
