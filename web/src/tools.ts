// Screenshots, videos and input recordings of the stage, as files.

import { dialog, download, h, show, toast, toastError } from "./dom";
import { through } from "./link";
import type { Stage } from "./stage";

/** Maximum duration of a video, in seconds. */
const MAX_VIDEO_SECONDS = 60;
/** Maximum size of the sources in a picture, in bytes: the same as in captures of the program. */
const MAX_STORED_BYTES = 900_000;
/** Width of a small picture, in pixels. */
const SMALL_WIDTH = 320;

/**
 * Saves the picture with its snapshot, which can be opened here and in `tarsus view`. The snapshot
 * contains the sources, unless the scene is built in.
 */
export async function screenshot(stage: Stage, name: string, title: string): Promise<void> {
  const { viewer, shown } = stage;
  if (!viewer || !shown) return;
  const isBuiltin = Object.keys(shown.files).length === 0;
  const files = isBuiltin ? undefined : JSON.stringify({ title, ...shown });
  const isStored = !files || new TextEncoder().encode(files).length <= MAX_STORED_BYTES;
  if (!isStored) toast(`The picture does not store its sources: they are larger than ${MAX_STORED_BYTES / 1000} kB`);
  const bytes = await viewer.screenshot(deflate, isStored ? files : undefined);
  download(`${name}.png`, bytes, "image/png");
  stage.wake();
}

function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  return through(bytes, new CompressionStream("deflate"), Infinity);
}

/** Returns a small version of the current picture as a data URL. */
export async function smallPicture(stage: Stage): Promise<string> {
  const bytes = await stage.viewer?.screenshot(deflate);
  if (!bytes) return "";
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = h("canvas", { width: SMALL_WIDTH, height: Math.round((SMALL_WIDTH * picture.height) / picture.width) });
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.toDataURL("image/webp", 0.8);
}

/** Starts recording the input, or ends and saves the recording. */
export function record(stage: Stage, name: string): void {
  const { viewer } = stage;
  if (!viewer) return;
  stage.wake();
  if (viewer.state().recorded === null) {
    viewer.startRecording();
    toast("Recording the input");
    return;
  }
  const timeline = viewer.stopRecording();
  if (timeline !== undefined) {
    download(`${name}.json`, timeline, "application/json");
    toast(`Saved ${name}.json: drop it on the page to replay it`);
  }
}

/**
 * Asks for a duration, then records and saves a video. `full` switches to full scale and returns a
 * function that undoes it.
 */
export function openVideoDialog(stage: Stage, name: string, full: () => () => void): void {
  if (typeof VideoEncoder === "undefined") {
    toastError("This browser cannot encode videos.");
    return;
  }
  const period = stage.loaded?.period ?? null;
  // On a touch screen, focus would open a keyboard over the dialog.
  const autofocus = !window.matchMedia("(pointer: coarse)").matches;
  const seconds = h("input", { type: "number", min: 0.1, max: MAX_VIDEO_SECONDS, step: "any", required: true, autofocus, value: period !== null && period <= 30 ? period : 6 });
  const bar = h("progress", { value: 0, "aria-label": "Progress" });
  const frames = h("p", { class: "muted" });
  const running = h("div", { hidden: true }, bar, frames, h("button", { type: "button", class: "quiet", click: () => sheet.close() }, "Cancel"));
  const abort = new AbortController();
  const go = h("button", { type: "submit", class: "solid" }, "Film");
  const note = h("p", { class: "muted" }, "Thirty frames a second at the size of the picture, as WebM.");
  const form = h(
    "form",
    { method: "dialog" },
    h("label", { class: "row" }, h("span", {}, "Duration in seconds"), seconds),
    note,
    go,
    running,
  );
  const sheet = dialog("Film", {}, form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    running.hidden = false;
    go.hidden = true;
    seconds.disabled = true;
    const undo = full();
    const file = `${name}.webm`;
    const progress = (done: number, count: number): void => {
      bar.max = count;
      bar.value = done;
      frames.textContent = `${done} of ${count} frames`;
    };
    import("./film")
      .then(({ film }) => film(stage, Number(seconds.value), progress, abort.signal))
      .then((video) => {
        abort.signal.throwIfAborted();
        download(file, video, "video/webm");
        toast(`Saved ${file}`);
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) toastError(error);
      })
      .finally(() => {
        undo();
        sheet.close();
      });
  });
  sheet.addEventListener("close", () => abort.abort());
  show(sheet, true);
  if (stage.loaded?.sound) {
    void import("./film").then(async ({ encodesSound }) => {
      note.append((await encodesSound()) ? " The sound of the scene is included." : " It is silent: this browser cannot encode sound.");
    });
  }
}
