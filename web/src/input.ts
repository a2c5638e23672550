// Mouse, touch and wheel input on the picture, passed to the viewer.

import type { Stage } from "./stage";

/** Masks of the mouse's buttons in `PointerEvent.buttons`, by their number. */
const MASKS = [1, 4, 2];

/** Returns what a move reports: it may be a button that changes while another is held. */
function change({ button, buttons }: PointerEvent): "down" | "move" | "up" {
  const mask = MASKS[button];
  if (mask === undefined) return "move";
  return (buttons & mask) !== 0 ? "down" : "up";
}

/** Attaches listeners to the stage's element, which outlives its canvas. */
export function listen(stage: Stage): void {
  const { element } = stage;
  const onCanvas = (event: Event): boolean => event.target === stage.canvas;
  const send = (kind: "down" | "move" | "up", event: PointerEvent): void => {
    if (!onCanvas(event)) return;
    // Synthetic events have no active pointer, and capturing it would throw.
    if (kind === "down" && event.isTrusted) stage.canvas.setPointerCapture(event.pointerId);
    // A pointer that merely passes would discard the refined still of a scene that ignores it.
    if (kind === "move" && event.pointerType !== "touch" && event.buttons === 0 && !stage.loaded?.readsPointer) return;
    const box = stage.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (event.pointerType === "touch") stage.viewer?.touch(kind, event.pointerId, x, y);
    else stage.viewer?.pointer(kind, Math.max(event.button, 0), x, y);
    stage.wake();
  };

  element.addEventListener("pointerdown", (event) => send("down", event));
  element.addEventListener("pointermove", (event) => send(change(event), event));
  element.addEventListener("pointerup", (event) => send("up", event));
  element.addEventListener("pointercancel", (event) => send("up", event));
  element.addEventListener("pointerout", (event) => {
    if (!onCanvas(event) || event.pointerType === "touch" || event.buttons !== 0 || !stage.loaded?.readsPointer) return;
    stage.viewer?.pointer("leave", 0, 0, 0);
    stage.wake();
  });
  element.addEventListener("contextmenu", (event) => {
    if (onCanvas(event)) event.preventDefault();
  });
  element.addEventListener(
    "wheel",
    (event) => {
      // Elsewhere, the wheel scrolls the page.
      if (!onCanvas(event) || document.body.dataset["view"] !== "scene") return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 40 : 1;
      stage.viewer?.wheel(event.deltaY * unit);
      stage.wake();
    },
    { passive: false },
  );
}
