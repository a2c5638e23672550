// Runs the studio in a worker, one request at a time.

import init, * as studio from "tarsus-studio";
import type { Answer, Request } from "./studio";
import type { LibraryModule } from "./viewer";

let starting: Promise<unknown> = Promise.resolve();

self.addEventListener("message", ({ data }: MessageEvent<string | Request>) => {
  // The first message is the URL of the module.
  if (typeof data === "string") starting = init({ module_or_path: data });
  else void answer(data);
});

async function answer({ id, call, arguments: texts }: Request): Promise<void> {
  try {
    await starting;
  } catch (error) {
    // Another worker fetches the module again.
    return reply({ id, error: `cannot fetch the compiler: ${words(error)}`, isFatal: true });
  }
  try {
    reply({ id, value: value(call, texts) });
  } catch (error) {
    // A trap leaves the module in an undefined state.
    const isFatal = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    const text = words(error);
    reply({ id, error: isFatal ? `cannot compose the shader: the compiler crashed: ${text}` : text, isFatal });
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function value(call: Request["call"], texts: string[]): unknown {
  switch (call) {
    case "compose": {
      const text = studio.compose(texts[0] ?? "", texts[1] || undefined);
      const { ok, diagnostics } = JSON.parse(text) as { ok: boolean; diagnostics: unknown };
      return { ok, diagnostics, text };
    }
    case "library":
      return (JSON.parse(studio.library()) as LibraryModule[]).map(unwrapped);
    case "toShadertoy":
      return JSON.parse(studio.toShadertoy(texts[0] ?? "", texts[1] ?? ""));
  }
}

/** Returns a module whose descriptions have one line per paragraph. */
function unwrapped(module: LibraryModule): LibraryModule {
  const items = module.items.map((item) => ({ ...item, doc: joined(item.doc) }));
  return { ...module, text: joined(module.text), items };
}

/** Joins the lines of each paragraph, but not those of lists, tables and indented code. */
function joined(text: string): string {
  return text.replaceAll(/^(\S(?:(?! {2}).)*)\n(?=\S)(?!\d+\. |[-*] |.* {2})/gm, "$1 ");
}

function reply(answer: Answer): void {
  self.postMessage(answer);
}
