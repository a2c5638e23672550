// Element construction in one expression, and the icons of the page.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/**
 * Creates an element. Functions become listeners, `true` becomes an empty attribute, and null or
 * false omits the attribute.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value as unknown as EventListener);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** Returns a text with its parts in backticks as code. */
export function withCode(text: string): Node[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : document.createTextNode(part)));
}

const SVG = "http://www.w3.org/2000/svg";

/** Stroke paths on a grid of 24 by 24. */
const ICONS = {
  play: "M8 5.5v13l11-6.5z",
  pause: "M8.2 6.2h1.6v11.6H8.2zM14.2 6.2h1.6v11.6h-1.6z",
  undo: "M9 6L4.5 10.5 9 15M4.5 10.5h10a4.5 4.5 0 0 1 0 9H11",
  restart: "M5 5v5h5M5.6 10A7.5 7.5 0 1 1 4.6 13.5",
  sliders: "M4 7h9M19 7h1M4 17h2M12 17h8M16 4.5v5M9 14.5v5",
  code: "M8.5 7.5L4 12l4.5 4.5M15.5 7.5L20 12l-4.5 4.5",
  share: "M12 15V4M8 7.5L12 3.5l4 4M6 12H5v8h14v-8h-1",
  camera: "M4 8h3.5l1.5-2.5h6L16.5 8H20v11H4zM12 16.2a3.1 3.1 0 1 0 0-6.2 3.1 3.1 0 0 0 0 6.2z",
  record: "M12 17.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z",
  film: "M4 5.5h16v13H4zM8 5.5v13M16 5.5v13M4 10h4M4 14h4M16 10h4M16 14h4",
  expand: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  more: "M5.5 12v.1M12 12v.1M18.5 12v.1",
  book: "M12 6.5C10 5 7 4.6 4 5v13c3-.4 6 0 8 1.5 2-1.5 5-1.9 8-1.5V5c-3-.4-6 0-8 1.5zM12 6.5v13",
  pen: "M4.5 19.5l1-4L16 5l3 3L8.5 18.5zM13.5 7.5l3 3",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  bin: "M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v5.5M13.5 10.5v5.5",
  muted: "M4 9.5v5h3.5L12 18V6L7.5 9.5zM15.5 9.5l5 5M20.5 9.5l-5 5",
  sound: "M4 9.5v5h3.5L12 18V6L7.5 9.5zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  microphone: "M12 14.5a3 3 0 0 0 3-3v-5a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3zM6.5 11.5a5.5 5.5 0 0 0 11 0M12 17v3.5",
  help: "M9 9.2a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.1M12 17.4v.2",
  previous: "M14.5 6l-6 6 6 6",
  next: "M9.5 6l6 6-6 6",
} as const;

export type IconName = keyof typeof ICONS;

/** Creates an icon that is hidden from screen readers; its container carries the label. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  if (name === "play" || name === "pause") svg.classList.add("full");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Creates a button with an icon, and a label that is read aloud and shown on hovering. */
export function iconButton(name: IconName, label: string, click: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, click }, icon(name));
}

/** Changes the icon and label of a button. */
export function relabel(button: HTMLButtonElement, name: IconName, label: string): void {
  if (button.getAttribute("aria-label") === label) return;
  button.replaceChildren(icon(name));
  button.setAttribute("aria-label", label);
  button.title = label;
}

/** Downloads data as a file. */
export function download(name: string, data: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([data], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  // The browser reads the URL after this task.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A button in a message. */
export interface Action {
  label: string;
  run: () => void;
}

/** Duration of a message, and of one with a button, in milliseconds. */
const TOAST_MS = { plain: 5000, withAction: 15000 };

/**
 * Shows a message at the bottom of the page for a while, above any dialog and in place of the last
 * one. Screen readers read it aloud. Returns a function that withdraws it.
 */
export function toast(message: string, action?: Action): () => void {
  const note = h("p", {}, message);
  if (action) {
    const { label, run } = action;
    note.append(h("button", { type: "button", class: "quiet", click: () => (note.remove(), run()) }, label));
  }
  place(note, "p:not(.error)");
  const withdraw = (): void => note.remove();
  setTimeout(withdraw, action ? TOAST_MS.withAction : TOAST_MS.plain);
  return withdraw;
}

/**
 * Shows an error in the same way, until it is closed or another one replaces it. Returns a function
 * that withdraws it.
 */
export function toastError(error: unknown): () => void {
  const note = h("p", { class: "error" }, h("span", {}, reason(error)), iconButton("close", "Close the message", () => note.remove()));
  place(note, "p.error");
  return () => note.remove();
}

/** Adds a message in place of those that match `replaced`. */
function place(note: HTMLElement, replaced: string): void {
  let area = document.querySelector<HTMLElement>(".toasts");
  if (!area) {
    area = h("div", { class: "toasts", role: "status", "aria-live": "polite", popover: "manual" });
    document.body.append(area);
  }
  area.querySelector(replaced)?.remove();
  area.append(note);
  // The last popover shown lies on top, also of a dialog opened meanwhile.
  if (area.matches(":popover-open")) area.hidePopover();
  area.showPopover();
}

/** Creates a dialog with a title and a button that closes it; `show` opens it. */
export function dialog(title: string, attributes: Attributes, ...children: Child[]): HTMLDialogElement {
  const id = `${title.toLowerCase()}-title`;
  const sheet: HTMLDialogElement = h(
    "dialog",
    { class: "sheet", "aria-labelledby": id, tabindex: -1, ...attributes },
    h("div", { class: "sheet-head" }, h("h2", { id }, title), iconButton("close", "Close", () => sheet.close())),
    ...children,
  );
  return sheet;
}

/** Shows a dialog until it is closed, also by a click outside unless it `holds`. */
export function show(sheet: HTMLDialogElement, holds = false): void {
  const opener = document.activeElement;
  const isRinged = opener?.matches(":focus-visible") ?? true;
  sheet.addEventListener("close", () => {
    sheet.remove();
    // The Escape key would draw a ring around a button that was clicked.
    if (!isRinged && opener instanceof HTMLElement) opener.blur();
  });
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet && !holds) sheet.close();
  });
  document.body.append(sheet);
  sheet.showModal();
  // Otherwise the button that closes it is focused.
  if (!sheet.querySelector("[autofocus]")) sheet.focus();
}

/**
 * Replaces an element by a text field until Enter or a click elsewhere, which call `done` with a new
 * text, or until Escape.
 */
export function editInPlace(shown: HTMLElement, label: string, done: (text: string) => void): void {
  const before = shown.textContent ?? "";
  const field = h("input", { type: "text", class: "in-place", "aria-label": label, value: before, placeholder: before === "" ? label : null, spellcheck: "false" });
  const end = (): void => {
    const text = field.value.trim();
    if (before === "") field.remove();
    else if (field.isConnected) field.replaceWith(shown);
    if (text !== "" && text !== before) done(text);
  };
  field.addEventListener("blur", end, { once: true });
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") field.value = before;
    if (event.key === "Enter" || event.key === "Escape") field.blur();
  });
  shown.replaceWith(field);
  field.focus();
  field.select();
}

/** Returns the message of a thrown value. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
