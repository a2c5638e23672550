// The share dialog: a link, an iframe, and GLSL for Shadertoy.

import { dialog, download, h, reason, show, toast } from "./dom";
import type { Exported, Files } from "./viewer";

export interface Shareable {
  /** URL that opens the scene in its current state. */
  link: string;
  title: string;
  /** Warning about the contents of the link, if any. */
  warning: string | null;
  /** Sources of the scene, none for a built-in one. */
  files: Files;
  /**
   * Exports a WGSL scene as Shadertoy passes: sources by name. Fails if the scene cannot be
   * expressed in GLSL.
   */
  glsl: () => Promise<Exported>;
}

/** Shows the dialog. */
export function share(shareable: Shareable): void {
  const { link, title, warning, files } = shareable;
  const own = glslOf(files);
  const embedded = link.replace("#", "?embed#");
  const escaped = title.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const iframe = `<iframe src="${embedded}" title="${escaped}" width="640" height="360" style="border:0" allow="fullscreen" loading="lazy"></iframe>`;
  const sheet = dialog(
    "Share",
    {},
    h("p", { class: "muted" }, "The link contains the scene with its values and time; no server stores it. A screenshot contains the scene, too; drop it here to open it."),
    warning === null ? null : h("p", { class: "wrong" }, warning),
    copyable("Link", link, true),
    nativeShare(title, link),
    copyable("For your page", iframe),
    own ? h("div", {}, h("div", { class: "copyable" }, h("span", {}, "For Shadertoy"), h("p", { class: "muted" }, "The scene is GLSL already, one source for each tab.")), ...Object.entries(own).map(([name, text]) => copyable(name, text))) : shadertoy(shareable.glsl),
  );
  show(sheet);
}

/** Returns a button that opens the sharing sheet of the system, if there is one. */
function nativeShare(title: string, url: string): HTMLElement | null {
  if (!navigator.share) return null;
  const send = (): void => void navigator.share({ title, url }).catch(() => undefined);
  return h("button", { type: "button", class: "quiet", click: send }, "Send…");
}

function copyable(label: string, text: string, isFirst = false): HTMLElement {
  const attributes = { readonly: true, "aria-label": label, focus: () => field.select() };
  // Single lines would lose their breaks in a copy of the selection.
  const field = text.includes("\n") ? h("textarea", { rows: 1, ...attributes }, text) : h("input", { type: "text", value: text, ...attributes });
  const length = /^https?:/.test(text) && text.length > 8000 ? h("p", { class: "muted" }, `${text.length} characters: some programs cut such links.`) : null;
  return h(
    "div",
    { class: "copyable" },
    h("span", {}, label),
    field,
    h("button", { type: "button", class: "quiet", autofocus: isFirst, click: () => void copy(text, field) }, "Copy"),
    length,
  );
}

/** Returns the sources of a scene in GLSL, and of its inputs, by name; null for other scenes. */
function glslOf({ files }: Files): Record<string, string> | null {
  const names = Object.keys(files);
  const isGlsl = names.every((name) => name === "inputs.json" || /\.(glsl|frag|fs|fsh)$/i.test(name));
  return isGlsl && names.length > 0 ? files : null;
}

/** A row for a file that is rather saved than pasted. */
function savable(name: string, text: string): HTMLElement {
  const save = (): void => download(name, text, "application/json");
  return h("div", { class: "copyable" }, h("p", { class: "muted" }, "All of it in one file, with the inputs."), h("button", { type: "button", class: "quiet", click: save }, "Save JSON"));
}

function shadertoy(glsl: () => Promise<Exported>): HTMLElement {
  const list = h("div", { class: "copyable" });
  const make = h("button", { type: "button", class: "quiet", click: () => void write() }, "Write GLSL");
  list.append(h("span", {}, "For Shadertoy"), h("p", { class: "muted" }, "The same scene as GLSL, one source for each tab."), make);
  const write = async (): Promise<void> => {
    try {
      const { files, notes } = await glsl();
      const rows = Object.entries(files).map(([name, text]) => (name.endsWith(".json") ? savable(name, text) : copyable(name, text)));
      list.replaceWith(...rows, ...notes.map((note) => h("p", { class: "muted" }, note)));
    } catch (error) {
      make.replaceWith(h("p", { class: "wrong" }, reason(error)));
    }
  };
  return list;
}

async function copy(text: string, field: HTMLInputElement | HTMLTextAreaElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    field.select();
    toast("Press Ctrl+C to copy the selection");
  }
}
