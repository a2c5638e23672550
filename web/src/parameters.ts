// Controls for the members of the scene's `struct Params`.

import { h } from "./dom";
import type { Stage } from "./stage";
import type { Parameter, Values } from "./viewer";

export class Parameters {
  readonly element = h("div", { class: "parameters" });
  readonly #stage: Stage;
  readonly #refreshers: ((values: Values) => void)[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Number of controls. */
  get count(): number {
    return this.#refreshers.length;
  }

  /** Creates the controls of the loaded scene. */
  build(): void {
    this.#refreshers.length = 0;
    const rows = (this.#stage.loaded?.parameters ?? []).map((parameter) => this.#row(parameter));
    this.element.replaceChildren(...rows);
    this.refresh();
  }

  /** Updates the controls from the viewer's values. */
  refresh(): void {
    const { viewer } = this.#stage;
    if (!viewer) return;
    const values = viewer.values();
    for (const refresh of this.#refreshers) refresh(values);
  }

  #set(parameter: Parameter, components: number[]): void {
    this.#stage.viewer?.setValue(parameter.name, components);
    this.#stage.wake();
    this.refresh();
  }

  #row(parameter: Parameter): HTMLElement {
    switch (parameter.kind) {
      case "switch":
        return this.#switch(parameter);
      case "choice":
        return this.#choice(parameter);
      case "color":
        return this.#color(parameter);
      case "slider":
        return this.#sliders(parameter);
    }
  }

  #value(parameter: Parameter, values = this.#stage.viewer?.values()): number[] {
    return values?.[parameter.name] ?? parameter.default;
  }

  #switch(parameter: Parameter): HTMLElement {
    const box = h("input", { type: "checkbox", role: "switch", name: parameter.name, change: () => this.#set(parameter, [box.checked ? 1 : 0]) });
    this.#refreshers.push((values) => {
      box.checked = (this.#value(parameter, values)[0] ?? 0) !== 0;
    });
    return h("label", { class: "row row-switch" }, h("span", {}, parameter.label), box);
  }

  #choice(parameter: Parameter): HTMLElement {
    const list = h(
      "select",
      { name: parameter.name, change: () => this.#set(parameter, [list.selectedIndex]) },
      ...(parameter.options ?? []).map((option) => h("option", {}, option.replaceAll("_", " "))),
    );
    this.#refreshers.push((values) => {
      list.selectedIndex = this.#value(parameter, values)[0] ?? 0;
    });
    return h("label", { class: "row" }, h("span", {}, parameter.label), list);
  }

  #color(parameter: Parameter): HTMLElement {
    const well = h("input", {
      type: "color",
      name: parameter.name,
      input: () => {
        const rgb = [1, 3, 5].map((at) => Number.parseInt(well.value.slice(at, at + 2), 16) / 255);
        this.#set(parameter, [...rgb, ...this.#value(parameter).slice(3)]);
      },
    });
    this.#refreshers.push((values) => {
      const hex = this.#value(parameter, values).slice(0, 3).map((part) => Math.round(255 * Math.min(Math.max(part, 0), 1)).toString(16).padStart(2, "0"));
      well.value = `#${hex.join("")}`;
    });
    return h("label", { class: "row row-color" }, h("span", {}, parameter.label), well);
  }

  #sliders(parameter: Parameter): HTMLElement {
    const names = parameter.components === 1 ? [""] : ["x", "y", "z", "w"].slice(0, parameter.components);
    const whole = parameter.whole;
    const { min = 0, max = 1 } = parameter;
    const step = whole ? 1 : "any";
    const number = (value: number): string => (whole ? String(value) : String(Number(value.toPrecision(4))));
    const sliders = names.map((name, index) => {
      const label = name ? `${parameter.label}, ${name}` : parameter.label;
      const put = (value: number): void => {
        this.#set(parameter, Object.assign([...this.#value(parameter)], { [index]: value }));
      };
      const slider = h("input", {
        type: "range",
        name: parameter.name,
        min,
        max,
        step,
        "aria-label": label,
        input: () => put(Number(slider.value)),
      });
      const field = h("input", {
        type: "number",
        class: "figure",
        step,
        "aria-label": `${label}, as a number`,
        change: () => {
          if (field.value !== "" && field.validity.valid) put(Number(field.value));
          else this.refresh();
        },
      });
      this.#refreshers.push((values) => {
        const value = this.#value(parameter, values)[index] ?? 0;
        slider.value = String(value);
        const done = (100 * (value - min)) / (max - min || 1);
        slider.style.setProperty("--done", `${Math.min(Math.max(done, 0), 100)}%`);
        if (document.activeElement !== field) field.value = number(value);
      });
      return h("div", { class: "slider" }, slider, field);
    });
    return h("div", { class: "row row-slider", role: "group", "aria-label": parameter.label }, h("span", {}, parameter.label), ...sliders);
  }
}
