// What the pages of this site make certain that the library of the DOM leaves open: all elements that scripts look for
// are HTML elements, and an event that a page listens to comes from one.


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

/** Every page has these; scripts of one kind of page look for others with `findElement`. */
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

/** The library gives this one its own listeners, which would come first. */
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

/** Reads codes from pictures. Not every browser has it: look for it first. */
interface Window {
  BarcodeDetector: new (options: { formats: string[] }) => {
    detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
  };
}
