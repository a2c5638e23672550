// The panel next to the picture: parameters, render settings, buffers and channels.

import { debugViews } from "tarsus.catalog";
import { reporting, showPicture } from "./embedded";
import { filesOf } from "./drop";
import { h, iconButton, toast, toastError } from "./dom";
import { Parameters } from "./parameters";
import type { Stage } from "./stage";
import type { Channel, Content } from "./viewer";

export class Panel {
  readonly element: HTMLElement;
  readonly parameters: Parameters;
  readonly #stage: Stage;
  readonly #scale: HTMLSelectElement;
  readonly #debugView: HTMLSelectElement;
  readonly #speed: HTMLOutputElement;
  readonly #values = h("section", {}, h("h2", {}, "Parameters"));
  readonly #buffers = h("section", {}, h("h2", {}, "Buffers and channels"));
  readonly #channels = h("section", {}, h("h2", {}, "Channel files"));
  readonly #passes = h("div", { class: "choices", role: "radiogroup", "aria-label": "Which buffer is shown" });
  readonly #textures = h("ul", { class: "channels" });
  #whole = 0;

  constructor(stage: Stage, close: () => void) {
    this.#stage = stage;
    this.parameters = new Parameters(stage);
    const reset = h("button", { type: "button", class: "quiet", click: () => this.reset() }, "Reset");
    this.#values.append(this.parameters.element, reset);
    this.#scale = h("select", { name: "scale", change: () => this.setScale(Number(this.#scale.value)) }, h("option", { value: 0 }, "adaptive"));
    for (let divisor = 1; divisor <= 9; divisor += 1) {
      this.#scale.append(h("option", { value: divisor }, divisor === 1 ? "full" : `1/${divisor} per side`));
    }
    this.#debugView = h("select", { name: "debug-view", change: () => this.#look(this.#debugView.value) });
    this.#speed = h("output", { class: "figure" }, "1×");
    this.#buffers.append(this.#passes);
    this.#channels.append(this.#textures);
    this.element = h(
      "aside",
      { class: "panel", "aria-label": "Controls", hidden: true },
      h("div", { class: "panel-head" }, h("h2", {}, "Controls"), iconButton("close", "Close the controls", close)),
      this.#values,
      h(
        "section",
        {},
        h("h2", {}, "Picture"),
        h("label", { class: "row" }, h("span", {}, "Resolution"), this.#scale),
        h("label", { class: "row" }, h("span", {}, "Debug view"), this.#debugView),
        h(
          "div",
          { class: "row", role: "group", "aria-label": "Playback speed" },
          h("span", {}, "Playback speed"),
          h(
            "span",
            { class: "stepper" },
            h("button", { type: "button", class: "quiet", "aria-label": "Slower", click: () => this.changeSpeed(false) }, "−"),
            this.#speed,
            h("button", { type: "button", class: "quiet", "aria-label": "Faster", click: () => this.changeSpeed(true) }, "+"),
          ),
        ),
      ),
      this.#buffers,
      this.#channels,
    );
  }

  /** Fills the panel for the loaded scene. */
  build(): void {
    const { viewer, loaded } = this.#stage;
    if (!viewer || !loaded) return;
    this.parameters.build();
    this.#values.hidden = this.parameters.count === 0;
    this.#debugView.replaceChildren(h("option", { value: "" }, "none"), ...debugViews.map((name) => h("option", { value: name }, name)));
    this.#debugView.value = loaded.debugView ?? "";
    this.#buildBuffers(viewer.contents());
    this.#textures.replaceChildren(...loaded.channels.map((channel) => this.#channel(channel)));
    this.#channels.hidden = loaded.channels.length === 0;
    this.#showSpeed();
  }

  /** Selects the picture again, for another scene. */
  clear(): void {
    this.#whole = 0;
  }

  /** Sets the scale to 1/divisor per side, or to adaptive for 0. */
  setScale(divisor: number): void {
    this.#stage.viewer?.setScale(divisor === 0 ? undefined : 1 / divisor);
    this.#scale.value = String(divisor);
    this.#stage.wake();
  }

  /** Selected divisor of the scale, or 0 for adaptive. */
  get scale(): number {
    return Number(this.#scale.value);
  }

  changeSpeed(faster: boolean): void {
    const { viewer } = this.#stage;
    if (!viewer) return;
    viewer.changeSpeed(faster);
    this.#showSpeed();
    this.#stage.wake();
  }

  /** Selects the next or previous debug view. */
  stepDebugView(forward: boolean): void {
    const { length } = this.#debugView.options;
    if (length < 2) return;
    this.#debugView.selectedIndex = (this.#debugView.selectedIndex + (forward ? 1 : -1) + length) % length;
    this.#look(this.#debugView.value);
    toast(this.#debugView.value === "" ? "debug view off" : `debug view: ${this.#debugView.value}`);
  }

  /** Resets camera and parameters to their defaults. */
  reset(): void {
    this.#stage.viewer?.resetView();
    this.parameters.refresh();
    this.#stage.wake();
  }

  /** Shows a buffer or channel by its number from 1, or the picture for 0. */
  showTexture(index: number): void {
    const { viewer } = this.#stage;
    const buttons = [...this.#passes.children];
    if (!viewer || index >= buttons.length) return;
    this.#whole = index;
    viewer.showTexture(index);
    for (const [at, button] of buttons.entries()) button.setAttribute("aria-checked", String(at === index));
    this.#stage.wake();
  }

  #look(name: string): void {
    this.#stage.setDebugView(name || undefined).catch(toastError);
  }

  #showSpeed(): void {
    this.#speed.value = `${Number((this.#stage.viewer?.state().speed ?? 1).toFixed(2))}×`;
  }

  #buildBuffers(contents: Content[]): void {
    const choices = [{ name: "picture", detail: "" }, ...contents].map(({ name, detail }, index) =>
      h("button", { type: "button", class: "choice", role: "radio", "aria-checked": "false", title: detail, click: () => this.showTexture(index) }, name),
    );
    this.#passes.replaceChildren(...choices);
    this.#buffers.hidden = contents.length === 0;
    this.showTexture(this.#whole <= contents.length ? this.#whole : 0);
  }

  #channel({ name, files, flat }: Channel): HTMLElement {
    const fill = (work: (isWanted: () => boolean) => Promise<void>): void => {
      const isWanted = this.#stage.request(name);
      void reporting(name, isWanted, work(isWanted));
    };
    const put = (file: File | undefined): void => {
      if (file) fill((isWanted) => this.#replace(name, file, flat, isWanted));
    };
    const accept = flat ? "image/*,video/*,audio/*" : "image/*";
    const chooser = h("input", {
      type: "file",
      accept,
      class: "visually-hidden",
      "aria-label": `A file for ${name}`,
      change: () => {
        put(chooser.files?.[0]);
        // Otherwise, choosing the same file again is no change.
        chooser.value = "";
      },
    });
    const device = (kind: "camera" | "microphone"): HTMLElement =>
      iconButton(kind, `Show the ${kind} in ${name}`, () =>
        fill(async (isWanted) => {
          const media = await this.#stage.openMedia();
          if (isWanted()) await media.capture(name, kind, isWanted);
        }),
      );
    return h(
      "li",
      {
        dragover: (event: DragEvent) => event.preventDefault(),
        drop: (event: DragEvent) => {
          event.preventDefault();
          event.stopPropagation();
          put(filesOf(event)[0]);
        },
      },
      h("label", { class: "row" }, h("span", {}, h("code", {}, name), " ", h("span", { class: "muted" }, files.join(", "))), h("span", { class: "quiet like-button" }, files.length > 0 ? "Replace" : "Choose"), chooser),
      flat && h("span", {}, device("camera"), device("microphone")),
    );
  }

  async #replace(name: string, file: File, flat: boolean, isWanted: () => boolean): Promise<void> {
    if (flat && /^(video|audio)\//.test(file.type)) {
      const media = await this.#stage.openMedia();
      await media.play(name, file, isWanted);
    } else {
      await showPicture(this.#stage, name, file, isWanted);
    }
    if (!isWanted()) return;
    if (file.type.startsWith("audio/")) this.#stage.mute(false);
    toast(`${name} is ${file.name}`);
  }
}
