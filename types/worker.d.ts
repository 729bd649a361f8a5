// Types of the service worker's global scope, which the DOM library does not declare.

interface WorkerBuild {
  version: string;
  files: string[];
  /** Addresses of the page that is shown without a network, by language. */
  pages: Record<string, string>;
  /** The path of static files; empty if their names contain no hashes. */
  static: string;
  icon: string;
  badge: string;
  lobby: string;
}

/** Inserted before the script by games/views/installed_app.py. */
declare const build: WorkerBuild;

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerFetchEvent extends WorkerEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}

interface WorkerPushEvent extends WorkerEvent {
  data: { json(): any } | null;
}

interface WorkerNotificationEvent extends WorkerEvent {
  notification: Notification;
}

interface WorkerClient {
  url: string;
  visibilityState: DocumentVisibilityState;
  focus(): Promise<WorkerClient>;
  navigate(url: string): Promise<WorkerClient | null>;
  postMessage(message: unknown): void;
}

interface WorkerEvents {
  install: WorkerEvent;
  activate: WorkerEvent;
  fetch: WorkerFetchEvent;
  push: WorkerPushEvent;
  notificationclick: WorkerNotificationEvent;
}

interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<WorkerClient[]>;
    openWindow(url: string): Promise<WorkerClient | null>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<K extends keyof WorkerEvents>(type: K, listener: (event: WorkerEvents[K]) => unknown): void;
}
