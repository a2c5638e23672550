// Keyboard commands: those of the window (src/window/keys.rs) that also exist in a page.

export type Command =
  | { kind: "pause" | "restart" | "mute" | "next" | "previous" | "screenshot" | "film" | "record" }
  | { kind: "help" | "hide" | "fullscreen" | "reset" | "panel" | "edit" | "gallery" | "close" }
  | { kind: "step"; frames: number }
  | { kind: "speed"; faster: boolean }
  | { kind: "debugView"; forward: boolean }
  | { kind: "scale"; divisor: number }
  | { kind: "whole"; pass: number };

/**
 * Returns the command of a key, if there is one. If the scene reads the keyboard, keys that it may
 * use require Ctrl or Alt.
 */
export function command(event: KeyboardEvent, sceneReadsKeys: boolean): Command | null {
  if (event.metaKey) return null;
  const isTyped = hasAltGraph(event);
  const isHeld = (event.altKey || event.ctrlKey) && !isTyped;
  return (isTyped ? null : withAlt(event)) ?? always(event) ?? (sceneReadsKeys === isHeld ? plain(event) : null);
}

/**
 * Returns true if AltGr is held, which types brackets and other signs. Windows reports it as Ctrl and
 * Alt, other systems as neither; Alt without Ctrl is the Option key of macOS.
 */
function hasAltGraph(event: KeyboardEvent): boolean {
  return event.altKey === event.ctrlKey && event.getModifierState("AltGraph");
}

/** Returns true for a key held down, unless its command is a step. */
export function isRepeated(event: KeyboardEvent, { kind }: Command): boolean {
  return event.repeat && kind !== "step";
}

/** Commands of keys with Alt. */
function withAlt(event: KeyboardEvent): Command | null {
  if (!event.altKey) return null;
  if (readings(event).includes("r")) return { kind: "record" };
  if (event.code === "ArrowDown") return { kind: "restart" };
  const pass = digit(event.code);
  return pass === null ? null : { kind: "whole", pass };
}

/** Commands of keys that no scene reads. */
function always(event: KeyboardEvent): Command | null {
  switch (event.key) {
    case "PageDown":
      return { kind: "next" };
    case "PageUp":
      return { kind: "previous" };
    case "F1":
      return { kind: "help" };
    case "F2":
      return { kind: "screenshot" };
    case "Home":
      return { kind: "reset" };
    case "Escape":
      return { kind: "close" };
    default:
      return null;
  }
}

/** Commands of keys that a scene may read. */
function plain(event: KeyboardEvent): Command | null {
  const [text, place] = readings(event);
  const divisor = event.shiftKey || hasAltGraph(event) ? null : digit(event.code);
  const scale: Command | null = divisor === null ? null : { kind: "scale", divisor };
  return named(text, event.shiftKey) ?? scale ?? named(place, event.shiftKey);
}

function named(key: string, isShifted: boolean): Command | null {
  switch (key) {
    case " ":
      return { kind: "pause" };
    case "backspace":
      return { kind: "restart" };
    case "arrowleft":
    case ",":
      return { kind: "step", frames: -1 };
    case "arrowright":
    case ".":
      return { kind: "step", frames: 1 };
    case "[":
      return { kind: "speed", faster: false };
    case "]":
      return { kind: "speed", faster: true };
    case "b":
    case "c":
      return { kind: "panel" };
    case "f":
      return { kind: "fullscreen" };
    case "h":
      return { kind: "hide" };
    case "e":
      return { kind: "edit" };
    case "l":
      return { kind: "debugView", forward: !isShifted };
    case "m":
      return { kind: "mute" };
    case "o":
      return { kind: "gallery" };
    case "p":
      return { kind: "screenshot" };
    case "v":
      return { kind: "film" };
    case "?":
      return { kind: "help" };
    default:
      return null;
  }
}

/**
 * Returns the text of a key, and the letter or sign at its place on a US layout, because other layouts
 * lack some of them. A layout with Latin letters lacks none of the letters.
 */
function readings(event: KeyboardEvent): [string, string] {
  const { key, code } = event;
  const signs: Record<string, string> = { Comma: ",", Period: ".", BracketLeft: "[", BracketRight: "]" };
  const place = /^[a-z]$/i.test(key) || hasAltGraph(event) ? "" : (signs[code] ?? /^Key([A-Z])$/.exec(code)?.[1] ?? "");
  return [key.toLowerCase(), place.toLowerCase()];
}

function digit(code: string): number | null {
  const match = /^(?:Digit|Numpad)(\d)$/.exec(code);
  return match ? Number(match[1]) : null;
}
