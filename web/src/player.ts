// A single-file player: canvas, bar and sliders, with everything embedded in the page, so
// that it works from `file://` without any requests.
//
// The build bundles this script into `player.html`, including the bytes of the module.
// `tarsus export SCENE -o page.html` replaces these placeholders in it, each of which
// occurs once:
//
//     %TARSUS_TITLE%   the title, escaped for HTML
//     %TARSUS_SCENE%   JSON {composed, values?, pictures?, time?, paused?} in which `<` is
//                      written `\u003c`
//     %TARSUS_POSTER%  the address of the still picture: `data:image/png;base64,…`
//
// `composed` is the input of `Viewer.load`, `values` is {name: [components]}, `pictures`
// are channel contents (embedded.ts) and `time` is in seconds. All but `composed` are
// optional.

import { Bar } from "./bar";
import { type Contents, fill } from "./embedded";
import { h, iconButton, reason } from "./dom";
import { listen } from "./input";
import { type Command, command, isRepeated } from "./keys";
import { unpack } from "./link";
import { startFrom } from "./module";
import { Notice } from "./notice";
import { Parameters } from "./parameters";
import { Stage } from "./stage";
import type { Composed } from "./studio";
import { prepare, prefersReducedMotion, unsupportedReason } from "./support";

interface Scene extends Contents {
  composed: { main: string };
  time?: number;
  paused?: boolean;
}

async function play(notice: Notice): Promise<void> {
  const why = unsupportedReason();
  if (why) throw new Error(why);
  const scene = JSON.parse(text("tarsus-scene")) as Scene;
  notice.say("Starting…");
  const canvas = document.createElement("canvas");
  const bytes = unpack(text("tarsus-module").trim());
  const [backend, tarsus] = await Promise.all([prepare("auto", canvas), bytes.then(startFrom)]);
  const main = document.querySelector("main");
  if (!main) return;
  const picture = h("div", { class: "picture" }, notice.element);
  const compose = async (): Promise<Composed> => ({ ok: true, diagnostics: [], text: JSON.stringify(scene.composed) });
  const stage = new Stage(picture, canvas, tarsus, compose, backend, {
    tick: ({ isDrawn }) => {
      if (isDrawn) notice.leave();
      bar.update();
    },
    lost: (isLost) => (isLost ? notice.end("The graphics device was lost.") : notice.recover()),
    loaded: (loaded) => void canvas.classList.toggle("grabs", loaded.ok && loaded.readsPointer),
  });
  const parameters = new Parameters(stage);
  const panel = h("aside", { class: "panel", "aria-label": "Parameters", hidden: true }, parameters.element);
  const sliders = iconButton("sliders", "Parameters", () => {
    panel.hidden = !panel.hidden;
    main.classList.toggle("with-panel", !panel.hidden);
    sliders.setAttribute("aria-expanded", String(!panel.hidden));
  });
  sliders.setAttribute("aria-expanded", "false");
  const full = iconButton("expand", "Full screen", () => void fullscreen());
  const bar = new Bar(stage, sliders, full);
  main.replaceChildren(h("div", { class: "view" }, picture, h("div", { class: "bottom" }, bar.element)), panel);
  listen(stage);
  keys(stage, bar);

  await stage.start();
  const loaded = await stage.load({ main: scene.composed.main, files: {} });
  const { viewer } = stage;
  if (!viewer) return;
  if (!loaded.ok) throw new Error(loaded.diagnostics[0]?.message ?? "this scene does not compile");
  stage.canvas.setAttribute("aria-label", document.title);
  if (scene.time) viewer.seek(scene.time);
  if (scene.paused || prefersReducedMotion()) viewer.setPaused(true);
  await fill(stage, scene);
  parameters.build();
  sliders.hidden = parameters.count === 0;
  bar.update();
  stage.wake();
}

function keys(stage: Stage, bar: Bar): void {
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLElement && event.target.matches("input, select, button")) return;
    const readsKeyboard = stage.loaded?.readsKeyboard ?? false;
    const found = command(event, readsKeyboard);
    const act = found && actionOf(found, bar);
    if (act) {
      event.preventDefault();
      if (!isRepeated(event, found)) act();
    } else if (readsKeyboard) {
      // In other scenes, a key would discard the refined still.
      stage.viewer?.key(event.keyCode, true);
      stage.wake();
    }
  });
  document.addEventListener("keyup", (event) => {
    if (!stage.loaded?.readsKeyboard) return;
    stage.viewer?.key(event.keyCode, false);
    stage.wake();
  });
  window.addEventListener("blur", () => stage.viewer?.releaseAll());
}

/** Returns what a command does on this page, if anything. */
function actionOf(found: Command, bar: Bar): (() => void) | null {
  switch (found.kind) {
    case "pause":
      return () => bar.toggle();
    case "restart":
      return () => bar.restart();
    case "mute":
      return () => bar.toggleSound();
    case "step":
      return () => bar.step(found.frames);
    case "fullscreen":
      return () => void fullscreen();
    default:
      return null;
  }
}

async function fullscreen(): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await document.documentElement.requestFullscreen?.();
}

function text(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

const poster = document.querySelector<HTMLImageElement>("main img");
const notice = new Notice();
notice.poster(poster?.getAttribute("src") ?? null, document.title);
play(notice).catch((error: unknown) => {
  notice.fail(reason(error));
  if (!notice.element.isConnected) document.querySelector("main")?.replaceChildren(notice.element);
});
