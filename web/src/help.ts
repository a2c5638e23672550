// The help dialog: gestures and keyboard shortcuts.

import { dialog, h, show } from "./dom";
import type { Description } from "./viewer";

/** A section of the help dialog. */
interface Section {
  title: string;
  entries: [string, string][];
}

/** Gestures of mouse and fingers, with their effect, by what the scene reads. */
const GESTURES = {
  pointer: [["drag", "one finger", "move the target, pull a leg"]],
  noPointer: [["move", "one finger", "show the controls"]],
  camera: [
    ["right drag", "two fingers", "orbit the camera"],
    ["wheel", "pinch", "zoom"],
  ],
} satisfies Record<string, [string, string, string][]>;

/**
 * Sections with keys. Those that the window has, too, read as in its help. `reset` is what the scene
 * has to reset, if anything.
 */
const sections = (reset: string): Section[] => [
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
      ...(reset === "" ? [] : [["Home", `reset ${reset}`] satisfies [string, string]]),
      ["1 to 9", "render at 1/1 to 1/9 per side"],
      ["0", "automatic scale"],
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

/** Shows the dialog for the loaded scene, with what has an effect there. */
export function help(scene: Description | null): void {
  const [readsPointer, readsCamera] = [scene?.readsPointer ?? true, scene?.readsCamera ?? true];
  const isTouch = window.matchMedia("(pointer: coarse)").matches;
  const hasTouch = window.matchMedia("(any-pointer: coarse)").matches;
  const gestures = [...(readsPointer ? GESTURES.pointer : GESTURES.noPointer), ...(readsCamera ? GESTURES.camera : [])];
  const picture: Section = { title: "On the picture", entries: gestures.map(([mouse, fingers, what]) => [isTouch ? fingers : hasTouch ? `${mouse}, ${fingers}` : mouse, what]) };
  const reset = [readsCamera && "camera", scene?.parameters.length !== 0 && "parameters"].filter(Boolean).join(" and ");
  const keys = sections(reset).map(section);
  const note = h("p", { class: "muted" }, "In scenes that read the keyboard, hold Ctrl or Alt for letters, digits, Space and arrows.");
  // Phones have no keys.
  const parts = isTouch ? [section(picture), h("details", {}, h("summary", {}, "Keys"), ...keys, note)] : [h("div", { class: "columns" }, section(picture), ...keys), note];
  show(dialog("Help", { class: "sheet help" }, ...parts));
}

function section({ title, entries }: Section): HTMLElement {
  return h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, ...entries.flatMap(([keys, what]) => [h("dt", {}, keys), h("dd", {}, what)])));
}
