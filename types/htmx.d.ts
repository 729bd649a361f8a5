// The part of htmx 2 that scripts use: swapping markup into the page, and its events.

interface Window {
  htmx: {
    swap(
      target: string | Element,
      content: string,
      specification: { swapStyle: string; swapDelay: number; settleDelay: number },
    ): void;
  };
}

interface HtmxEvents {
  "htmx:configRequest": CustomEvent<{ headers: Record<string, string> }>;
  "htmx:beforeRequest": CustomEvent<{ elt: HTMLElement }>;
  "htmx:afterRequest": CustomEvent<{ elt: HTMLElement; successful: boolean; xhr: XMLHttpRequest }>;
  "htmx:beforeSwap": CustomEvent<{ shouldSwap: boolean; target: HTMLElement; requestConfig: { elt: HTMLElement } }>;
  "htmx:afterSwap": CustomEvent<{ target: HTMLElement }>;
  "htmx:responseError": CustomEvent<{ xhr: XMLHttpRequest }>;
  "htmx:sendError": CustomEvent;
  "htmx:timeout": CustomEvent;
}
