// Pointer, touch and wheel input on the picture. A drag moves the target, a right drag
// orbits, and the wheel zooms. One finger acts as the pointer; two fingers orbit and
// zoom.

import type { Stage } from "./stage";

/** Attaches listeners to the stage's element, which outlives its canvas. */
export function listen(stage: Stage): void {
  const fingers = new Map<number, [number, number]>();
  let pinch: { centre: [number, number]; spread: number } | null = null;
  const { element } = stage;

  const place = (event: PointerEvent): [number, number] => {
    const box = stage.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const onCanvas = (event: Event): boolean => event.target === stage.canvas;
  const tell = (kind: "down" | "move" | "up" | "leave", event: PointerEvent): void => {
    stage.viewer?.pointer(kind, Math.max(event.button, 0), ...place(event));
    stage.wake();
  };

  element.addEventListener("pointerdown", (event) => {
    if (!onCanvas(event)) return;
    // Synthetic events have no active pointer, and capturing it would throw.
    if (event.isTrusted) stage.canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, place(event));
      if (fingers.size === 2) {
        // Release what the first finger held: two fingers move the camera.
        tell("up", event);
        tell("leave", event);
        pinch = span(fingers);
        return;
      }
      if (fingers.size > 2) return;
    }
    tell("down", event);
  });

  element.addEventListener("pointermove", (event) => {
    if (!onCanvas(event)) return;
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, place(event));
    if (pinch) {
      const now = span(fingers);
      stage.viewer?.orbit(now.centre[0] - pinch.centre[0], now.centre[1] - pinch.centre[1]);
      if (pinch.spread > 0) stage.viewer?.pinch(now.spread / pinch.spread);
      pinch = now;
      stage.wake();
    } else if (fingers.size < 2) {
      tell("move", event);
    }
  });

  const ended = (event: PointerEvent): void => {
    if (!onCanvas(event)) return;
    const wasPinching = pinch !== null;
    fingers.delete(event.pointerId);
    if (fingers.size < 2) pinch = null;
    if (!wasPinching) tell("up", event);
    if (event.pointerType === "touch" && !wasPinching) tell("leave", event);
  };
  element.addEventListener("pointerup", ended);
  element.addEventListener("pointercancel", ended);
  element.addEventListener("pointerout", (event) => {
    if (onCanvas(event) && event.pointerType !== "touch" && event.buttons === 0) tell("leave", event);
  });
  element.addEventListener("contextmenu", (event) => {
    if (onCanvas(event)) event.preventDefault();
  });
  element.addEventListener(
    "wheel",
    (event) => {
      // In the gallery, the wheel scrolls the page.
      if (!onCanvas(event) || document.body.dataset["view"] === "gallery") return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 40 : 1;
      stage.viewer?.wheel(event.deltaY * unit);
      stage.wake();
    },
    { passive: false },
  );
}

/** Centre and distance of two fingers. */
function span(fingers: Map<number, [number, number]>): { centre: [number, number]; spread: number } {
  const [a = [0, 0], b = [0, 0]] = [...fingers.values()];
  return {
    centre: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2],
    spread: Math.hypot(a[0] - b[0], a[1] - b[1]),
  };
}
