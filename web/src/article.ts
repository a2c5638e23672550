// The article "Simple IK, explained": one page that contains everything, so that it works
// from `file://` too. A figure shows its still picture until it comes into view; then a
// canvas takes its place and is live while it is visible.

import { h, reason } from "./dom";
import { listen } from "./input";
import { unpack } from "./link";
import { startFrom } from "./module";
import { Stage } from "./stage";
import { prepare, prefersReducedMotion } from "./support";
import type { Backend, Parameter, Tarsus, Values, Viewer } from "./viewer";

/** A composed scene with the values it starts with. */
interface Figure {
  composed: { main: string };
  values: Values;
}

function text(id: string): string {
  return document.getElementById(id)?.textContent?.trim() ?? "";
}

const module = once(() => unpack(text("tarsus-module")).then(startFrom));
const figures = once(async () => {
  const bytes = await unpack(text("tarsus-figures"));
  return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, Figure>;
});

const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");

async function enliven(element: HTMLElement): Promise<void> {
  const { scene = "", sliders = "" } = element.dataset;
  const canvas = document.createElement("canvas");
  const [backend, tarsus, all] = await Promise.all([prepare("auto", canvas), module(), figures()]);
  const figure = all[scene];
  if (figure) await show(element, canvas, tarsus, backend, figure, sliders.split(" ").filter(Boolean));
}

async function show(
  element: HTMLElement,
  canvas: HTMLCanvasElement,
  tarsus: Tarsus,
  backend: Backend,
  { composed, values }: Figure,
  sliders: string[],
): Promise<void> {
  const picture = element.querySelector<HTMLElement>(".picture");
  if (!picture) return;
  const still = picture.querySelector("picture");
  const lost = h("p", { class: "lost", role: "status", hidden: true }, "The graphics device was lost. If it does not return, reload the page.");
  const compose = async (): Promise<{ ok: true; diagnostics: []; text: string }> => ({ ok: true, diagnostics: [], text: JSON.stringify(composed) });
  const stage = new Stage(picture, canvas, tarsus, compose, backend, {
    tick: ({ isDrawn }) => {
      if (isDrawn) still?.remove();
    },
    lost: (isLost) => void (lost.hidden = !isLost),
  });
  picture.append(lost);
  canvas.setAttribute("aria-label", still?.querySelector("img")?.alt ?? "");
  await stage.start();
  const loaded = await stage.load({ main: composed.main, files: {} });
  const { viewer } = stage;
  if (!viewer) return;
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message ?? "The graphics device was lost.");
  const set = (name: string, value: number[]): void => {
    viewer.setValue(name, value);
    stage.wake();
  };
  for (const [name, value] of Object.entries(values)) set(name, value);
  const theme = loaded.parameters.find(({ name }) => name === "theme");
  if (theme) {
    const follow = (): void => set("theme", [darkScheme.matches ? 1 : 0]);
    darkScheme.addEventListener("change", follow);
    follow();
  }
  // Diagrams are cheap, and their lines have to be sharp.
  if (sliders.length > 0) viewer.setScale(1);
  const rows = sliders.flatMap((name) => loaded.parameters.filter((parameter) => parameter.name === name));
  if (rows.length > 0) {
    const controls = rows.map((parameter) => slider(parameter, values[parameter.name] ?? parameter.default, set));
    element.querySelector("figcaption")?.before(h("div", { class: "sliders" }, ...controls));
  }
  if (prefersReducedMotion()) viewer.setPaused(true);
  // The field could follow the limb of its other view, but this view stands still.
  if (loaded.animated && element.dataset["scene"] !== "ik_field") element.querySelector("figcaption")?.append(playButton(stage, viewer));
  listen(stage);
  stage.wake();
}

/** A button that pauses a figure, or plays it. */
function playButton(stage: Stage, viewer: Viewer): HTMLElement {
  const label = (): string => (viewer.state().isPaused ? "Play" : "Pause");
  const button = h(
    "button",
    {
      type: "button",
      click: () => {
        viewer.setPaused(!viewer.state().isPaused);
        button.textContent = label();
        stage.wake();
      },
    },
    label(),
  );
  return button;
}

function slider({ name, label, min = 0, max = 1 }: Parameter, [value = 0]: number[], set: (name: string, value: number[]) => void): HTMLElement {
  const output = h("output", {}, value.toFixed(2));
  const range = h("input", {
    type: "range",
    min,
    max,
    step: (max - min) / 200,
    value,
    input: () => {
      output.textContent = range.valueAsNumber.toFixed(2);
      set(name, [range.valueAsNumber]);
    },
  });
  return h("label", {}, h("span", {}, label), output, range);
}

/** Says in the head of the article why figures are still pictures. */
function report(why: string): void {
  const notice = document.getElementById("failed");
  if (!notice) return;
  notice.textContent = `The figures are still pictures here. ${why}`;
  notice.hidden = false;
}

/** Calls `make` on the first use only. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Figures start one after the other, the first in view first. */
let last: Promise<void> = Promise.resolve();
const visibility = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      visibility.unobserve(target);
      const element = target as HTMLElement;
      last = last.then(() => enliven(element)).catch((error: unknown) => {
        // The still picture stays.
        element.dataset["failed"] = reason(error);
        report(reason(error));
      });
    }
  },
  { rootMargin: "200px" },
);
for (const element of document.querySelectorAll("figure")) visibility.observe(element);
