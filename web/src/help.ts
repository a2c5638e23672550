// The help dialog: gestures and keyboard shortcuts.

import { h, iconButton } from "./dom";

/** A section of the help dialog. */
interface Section {
  title: string;
  entries: [string, string][];
}

/** Gestures of mouse and fingers, with their effect. */
const GESTURES: [string, string, string][] = [
  ["drag", "one finger", "move the target, pull a leg"],
  ["right drag", "two fingers", "orbit the camera"],
  ["wheel", "pinch", "zoom"],
];

/** Sections with keys. Those that the window has, too, read as in its help. */
const KEYS: Section[] = [
  {
    title: "Time",
    entries: [
      ["Space", "pause, resume"],
      ["Backspace", "restart time"],
      ["Left, Right or , .", "one frame back, forward while paused"],
      ["[ ]", "slower, faster"],
    ],
  },
  {
    title: "View",
    entries: [
      ["E", "open the scene in an editor"],
      ["C", "parameters"],
      ["B", "buffers and channels"],
      ["F", "full screen"],
      ["M", "sound off, on"],
      ["H", "hide overlays"],
      ["L, Shift+L", "next, previous debug view"],
      ["Alt+1 to Alt+9", "show one full size"],
      ["Alt+0", "show the picture again"],
      ["Home", "reset camera and parameters"],
      ["1 to 9", "render at 1/1 to 1/9 per side"],
      ["0", "automatic scale"],
    ],
  },
  {
    title: "In the editor",
    entries: [
      ["Alt+drag", "change a number"],
      ["Ctrl+Space", "complete a name"],
      ["Ctrl+F", "search"],
      ["Esc", "leave the editor"],
    ],
  },
  {
    title: "Save",
    entries: [
      ["P, F2", "screenshot"],
      ["V", "video"],
      ["Alt+R", "record the input"],
    ],
  },
  {
    title: "Go",
    entries: [
      ["Page Down", "next scene"],
      ["Page Up", "previous scene"],
      ["O", "choose a scene"],
      ["Esc", "close controls, then editor"],
      ["F1, ?", "this help"],
    ],
  },
];

/** Shows the dialog. Scenes that ignore the pointer have no drags. */
export function help(readsPointer: boolean): void {
  const isTouch = window.matchMedia("(pointer: coarse)").matches;
  const hasTouch = window.matchMedia("(any-pointer: coarse)").matches;
  const gestures = readsPointer ? GESTURES : GESTURES.slice(1);
  const picture: Section = { title: "On the picture", entries: gestures.map(([mouse, fingers, what]) => [isTouch ? fingers : hasTouch ? `${mouse}, ${fingers}` : mouse, what]) };
  const keys = [...KEYS.map(section), h("p", { class: "muted" }, "In scenes that read the keyboard, hold Ctrl or Alt for letters, digits, Space and arrows.")];
  const sheet = h(
    "dialog",
    { class: "sheet help", "aria-labelledby": "help-title", autofocus: true },
    h("div", { class: "sheet-head" }, h("h2", { id: "help-title" }, "Help"), iconButton("close", "Close", () => sheet.close())),
    section(picture),
    // Phones have no keys.
    ...(isTouch ? [h("details", {}, h("summary", {}, "Keys"), ...keys)] : keys),
  );
  sheet.addEventListener("close", () => sheet.remove());
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  document.body.append(sheet);
  sheet.showModal();
}

function section({ title, entries }: Section): HTMLElement {
  return h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, ...entries.flatMap(([keys, what]) => [h("dt", {}, keys), h("dd", {}, what)])));
}
