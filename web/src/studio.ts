// The studio in a worker: composes scenes and lists the modules that they can import. It
// is fetched on first use; built-in scenes are composed ahead of time.

import wasm from "tarsus-studio.wasm";
import script from "tarsus-studio.worker";
import type { Diagnostic, Exported, Files, LibraryModule, Values } from "./viewer";

/** A composed scene: the input of `Viewer.load`, if there are no errors. */
export interface Composed {
  ok: boolean;
  diagnostics: Diagnostic[];
  text: string;
}

/** Interface of the studio. */
export interface Studio {
  compose(files: Files, debugView: string | undefined): Promise<Composed>;
  library(): Promise<LibraryModule[]>;
  toShadertoy(files: Files, values: Values): Promise<Exported>;
}

/** Messages to and from the worker. */
export interface Request {
  id: number;
  call: "compose" | "library" | "toShadertoy";
  arguments: string[];
}
export interface Answer {
  id: number;
  value?: unknown;
  error?: string;
  /** True if the studio itself crashed and has to be restarted. */
  isFatal?: boolean;
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** A studio in its own worker. */
export class WorkerStudio implements Studio {
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #next = 0;
  #library: Promise<LibraryModule[]> | null = null;

  compose(files: Files, debugView: string | undefined): Promise<Composed> {
    return this.#ask("compose", JSON.stringify(files), debugView ?? "") as Promise<Composed>;
  }

  library(): Promise<LibraryModule[]> {
    this.#library ??= this.#ask("library") as Promise<LibraryModule[]>;
    return this.#library;
  }

  toShadertoy(files: Files, values: Values): Promise<Exported> {
    return this.#ask("toShadertoy", JSON.stringify(files), JSON.stringify(values)) as Promise<Exported>;
  }

  #ask(call: Request["call"], ...texts: string[]): Promise<unknown> {
    const id = this.#next++;
    const request: Request = { id, call, arguments: texts };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#running().postMessage(request);
    });
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL(script, import.meta.url), { type: "module" });
    worker.postMessage(new URL(wasm, import.meta.url).href);
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.#answered(data));
    worker.addEventListener("error", () => this.#end("cannot start the compiler"));
    this.#worker = worker;
    return worker;
  }

  #answered({ id, value, error, isFatal }: Answer): void {
    if (error !== undefined && isFatal) return this.#end(error);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }

  #end(why: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new Error(why));
    this.#waiting.clear();
    this.#library = null;
  }
}
