// Completion and hover for the tarsus modules, based on their doc comments.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { type EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import { h, withCode } from "../dom";
import type { LibraryItem, LibraryModule } from "../viewer";
import { BUILTINS } from "./wgsl";

const WORDS = "break const continue continuing default discard else fn for if let loop override return struct switch true false uniform var virtual while bool f32 i32 u32 vec2f vec3f vec4f vec2i vec3i vec4i vec2u vec3u vec4u mat2x2f mat3x3f mat4x4f array".split(" ");

export class Library {
  readonly #modules: LibraryModule[];

  constructor(modules: LibraryModule[]) {
    this.#modules = modules;
  }

  /** Completes members after `module::`, modules after `#import`, and words elsewhere. */
  complete = (context: CompletionContext): CompletionResult | null => {
    const path = context.matchBefore(/#import\s+[\w:]*/);
    if (path) {
      const from = path.from + path.text.search(/[\w:]*$/);
      return { from, options: this.#modules.map(asModule), validFor: /^[\w:]*$/ };
    }
    const member = context.matchBefore(/\b\w+::\w*/);
    if (member) {
      const [name = "", typed = ""] = member.text.split("::");
      const module = this.#find(name, context.state.doc.toString());
      if (!module) return null;
      return { from: member.to - typed.length, options: module.items.map(asMember), validFor: /^\w*$/ };
    }
    const word = context.matchBefore(/\b[A-Za-z_]\w*/);
    if (!word && !context.explicit) return null;
    const text = context.state.doc.toString();
    return { from: word?.from ?? context.pos, options: [...this.#imported(text), ...locals(text, word?.text ?? ""), ...common], validFor: /^\w*$/ };
  };

  /** Shows the signature and comment of the item under the pointer. */
  hover = hoverTooltip((view: EditorView, pos: number): Tooltip | null => {
    const line = view.state.doc.lineAt(pos);
    const at = pos - line.from;
    for (const match of line.text.matchAll(/[A-Za-z_]\w*(?:::\w+)*/g)) {
      const from = match.index;
      const to = from + match[0].length;
      if (at < from || at > to) continue;
      const docs = this.#explain(match[0], view.state.doc.toString());
      return docs ? { pos: line.from + from, end: line.from + to, above: true, create: () => ({ dom: docs }) } : null;
    }
    return null;
  });

  #explain(path: string, text: string): HTMLElement | null {
    const parts = path.split("::");
    const name = parts.pop() ?? "";
    const whole = this.#modules.find(({ module }) => module === path) ?? (parts.length === 0 ? this.#find(name, text) : undefined);
    if (whole) return docs(`#import ${whole.module}`, whole.text);
    const module = this.#find(parts.at(-1) ?? "", text);
    const item = module?.items.find((item) => item.name === name) ?? (parts.length === 0 ? this.#importedItem(name, text) : undefined);
    return item ? docs(item.signature, item.doc) : null;
  }

  /** Finds the module with this name in a source: its last path segment, or an `as` alias. */
  #find(name: string, text: string): LibraryModule | undefined {
    const alias = new RegExp(String.raw`#import\s+([\w:]+)\s+as\s+${name}\b`).exec(text)?.[1];
    return this.#modules.find(({ module }) => (alias ? module === alias : module.split("::").at(-1) === name));
  }

  /** Finds an item imported by `#import module::{a, b}` or `#import module::a`. */
  #importedItem(name: string, text: string): LibraryItem | undefined {
    for (const [, path = "", list = ""] of text.matchAll(/#import\s+([\w:]+?)(?:::\{([^}]*)\})?\s*$/gm)) {
      const names = list ? list.split(",").map((part) => part.trim()) : [path.split("::").at(-1) ?? ""];
      if (!names.includes(name)) continue;
      const owner = list ? path : path.split("::").slice(0, -1).join("::");
      const item = this.#modules.find(({ module }) => module === owner)?.items.find((item) => item.name === name);
      if (item) return item;
    }
    return undefined;
  }

  #imported(text: string): Completion[] {
    const paths = [...text.matchAll(/#import\s+([\w:]+)/g)].map(([, path]) => path);
    return this.#modules.filter(({ module }) => paths.includes(module)).map((module) => ({ label: `${module.module.split("::").at(-1)}::`, detail: "module", info: () => docs(module.module, module.text), type: "namespace" }));
  }
}

const common: Completion[] = [...WORDS.map((label) => ({ label, type: "keyword" })), ...BUILTINS.map((label) => ({ label, type: "function" }))];

function asModule({ module, text }: LibraryModule): Completion {
  return { label: module, type: "namespace", info: () => docs(module, text) };
}

function asMember(item: LibraryItem): Completion {
  return { label: item.name, detail: item.kind, type: item.kind, info: () => docs(item.signature, item.doc) };
}

/** Completes names declared in the source, except the one being typed. */
function locals(text: string, typed: string): Completion[] {
  const names = new Set<string>();
  for (const [, name] of text.matchAll(/\b(?:fn|let|var|const|struct|override)(?:<\w+>)?\s+(\w+)/g)) if (name && name !== typed) names.add(name);
  return [...names].map((label) => ({ label, type: "variable", boost: 1 }));
}

function docs(signature: string, text: string): HTMLElement {
  return h("div", { class: "cm-docs" }, h("code", {}, signature), text ? h("p", {}, ...withCode(text)) : null);
}
