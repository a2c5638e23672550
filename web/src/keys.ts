// Keyboard commands: those of the window (src/window/keys.rs) that also exist in a page.

export type Command =
  | { kind: "pause" | "restart" | "mute" | "next" | "previous" | "screenshot" | "film" | "record" }
  | { kind: "help" | "hide" | "fullscreen" | "reset" | "panel" | "edit" | "gallery" | "close" }
  | { kind: "step"; frames: number }
  | { kind: "speed"; faster: boolean }
  | { kind: "lens"; forward: boolean }
  | { kind: "scale"; divisor: number }
  | { kind: "whole"; pass: number };

/**
 * Returns the command of a key, if there is one. If the scene reads the keyboard, keys that it may
 * use require Ctrl or Alt.
 */
export function command(event: KeyboardEvent, sceneReadsKeys: boolean): Command | null {
  if (event.metaKey) return null;
  return always(event) ?? ((sceneReadsKeys ? event.altKey || event.ctrlKey : !event.altKey && !event.ctrlKey) ? plain(event) : null);
}

/** Commands of keys that no scene reads, and of keys with their own modifier. */
function always(event: KeyboardEvent): Command | null {
  if (event.altKey) {
    if (event.code === "KeyR") return { kind: "record" };
    if (event.code === "ArrowDown") return { kind: "restart" };
    const pass = digit(event.code);
    if (pass !== null) return { kind: "whole", pass };
  }
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
  const divisor = digit(event.code);
  if (divisor !== null && !event.shiftKey) return { kind: "scale", divisor };
  switch (event.key.toLowerCase()) {
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
      return { kind: "lens", forward: !event.shiftKey };
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

function digit(code: string): number | null {
  const match = /^(?:Digit|Numpad)(\d)$/.exec(code);
  return match ? Number(match[1]) : null;
}
