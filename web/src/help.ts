// The help dialog: gestures and keyboard shortcuts.

import { h, iconButton } from "./dom";

/** Sections of the help dialog. */
const SECTIONS: { title: string; entries: [string, string][] }[] = [
  {
    title: "On the picture",
    entries: [
      ["drag, one finger", "move the target, pull a leg"],
      ["right drag, two fingers", "orbit the camera"],
      ["wheel, pinch", "zoom"],
      ["Home", "reset camera and parameters"],
    ],
  },
  {
    title: "Time",
    entries: [
      ["Space", "pause, resume"],
      ["Backspace, Alt ↓", "restart"],
      ["← → or , .", "one frame back, forward while paused"],
      ["[ ]", "slower, faster"],
    ],
  },
  {
    title: "View",
    entries: [
      ["E", "editor"],
      ["B", "controls, buffers and channels"],
      ["F", "full screen"],
      ["H", "hide overlays"],
      ["L, Shift L", "next, previous debug view"],
      ["Alt 1 to Alt 9, Alt 0", "show a buffer; the picture"],
      ["1 to 9; 0", "render at 1/1 to 1/9 per side; adaptive"],
    ],
  },
  {
    title: "In the editor",
    entries: [
      ["Alt drag", "change a number"],
      ["Ctrl Space", "complete a name"],
      ["Ctrl F", "search"],
      ["Escape", "leave the editor"],
    ],
  },
  {
    title: "Save",
    entries: [
      ["P, F2", "screenshot"],
      ["V", "video"],
      ["Alt R", "record the input"],
    ],
  },
  {
    title: "Go",
    entries: [
      ["Page Down, Page Up", "next, previous scene"],
      ["O", "all scenes"],
      ["Escape", "close controls, then editor"],
      ["F1 or ?", "this help"],
    ],
  },
];

export function help(): void {
  const sheet = h(
    "dialog",
    { class: "sheet help", "aria-labelledby": "help-title", autofocus: true },
    h("div", { class: "sheet-head" }, h("h2", { id: "help-title" }, "Help"), iconButton("close", "Close", () => sheet.close())),
    ...SECTIONS.map(({ title, entries }) => h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, ...entries.flatMap(([keys, what]) => [h("dt", {}, keys), h("dd", {}, what)])))),
    h("p", { class: "muted" }, "In scenes that read the keyboard, hold Ctrl or Alt for letters, digits, Space and arrows."),
  );
  sheet.addEventListener("close", () => sheet.remove());
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  document.body.append(sheet);
  sheet.showModal();
}
