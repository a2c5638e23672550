// The reference of the modules that scenes can import, with a search.

import { dialog, h, show, withCode } from "./dom";
import type { LibraryItem, LibraryModule } from "./viewer";

/** Shows the modules in a dialog. */
export function showReference(modules: LibraryModule[]): void {
  const list = h("div", { class: "reference" });
  const field = h("input", { type: "search", placeholder: "Search names and descriptions", "aria-label": "Search the modules", autofocus: true, input: () => search() });
  const search = (): void => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = modules.flatMap((module) => section(module, words));
    list.replaceChildren(...(found.length > 0 ? found : [h("p", { class: "muted" }, "Nothing found")]));
  };
  search();
  show(dialog("Modules", { class: "sheet wide" }, field, list));
}

/** Returns a module with its items that contain all words, or nothing if none do. */
function section({ module, text, items }: LibraryModule, words: string[]): HTMLElement[] {
  const contains = (...texts: string[]): boolean => words.every((word) => texts.some((text) => text.toLowerCase().includes(word)));
  const isWhole = contains(module, text);
  const found = isWhole ? items : items.filter(({ name, signature, doc }) => contains(module, name, signature, doc));
  if (!isWhole && found.length === 0) return [];
  // A search shows its results at once.
  return [h("details", { open: words.length > 0 }, h("summary", {}, h("code", {}, module), " ", h("span", { class: "muted" }, ...withCode(firstSentence(text)))), h("dl", {}, ...found.flatMap(entry)))];
}

function entry({ signature, doc }: LibraryItem): HTMLElement[] {
  return [h("dt", {}, h("code", {}, signature)), h("dd", {}, ...withCode(doc))];
}

/** Returns the first sentence of a description whose lines are wrapped. Code has other full stops. */
function firstSentence(text: string): string {
  const paragraph = (text.split("\n\n")[0] ?? "").replaceAll(/\s+/g, " ").trim();
  return /^(?:`[^`]*`|[^`])*?\.(?= |$)/.exec(paragraph)?.[0] ?? paragraph.replace(/:$/, ".");
}
