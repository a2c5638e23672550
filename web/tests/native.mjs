// The native program, whose captures are the reference for the page.

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { deflateRawSync } from "node:zlib";

const PROGRAM = resolve(process.env.TARSUS ?? join(import.meta.dirname, "../../target/debug/tarsus"));
const run = promisify(execFile);

const folders = [];
process.once("exit", () => {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
});

/** Creates a temporary folder that is removed when the process exits. */
export function folder() {
  const made = mkdtempSync(join(tmpdir(), "tarsus-web-"));
  folders.push(made);
  return made;
}

/** Runs the program. Throws its error output if it fails. */
export async function tarsus(...args) {
  try {
    return (await run(PROGRAM, args, { maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    throw new Error(`tarsus ${args.join(" ")}: ${error.stderr || error.message}`);
  }
}

/** Starts the program. Returns the first line of its output and a function that stops it. */
export async function start(...args) {
  const child = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((end) => child.once("close", end));
  const line = await new Promise((resolve, reject) => {
    let told = "";
    child.stdout.on("data", (bytes) => {
      told += bytes;
      if (told.includes("\n")) resolve(told.split("\n")[0]);
    });
    child.once("error", reject);
    ended.then((code) => reject(new Error(`tarsus ${args.join(" ")} ended with ${code}`)));
  });
  return {
    line,
    end: () => {
      child.kill();
      return ended;
    },
  };
}

/** A source of media: dark green for a second, then bright green, with a tone of 1 kHz. */
const SIGNAL = `#import tarsus::frame
fn main_image(frag_coord: vec2f) -> vec4f {
    return vec4f(0.0, select(0.2, 0.8, frame::frame.time >= 1.0), 0.0, 1.0);
}
fn main_sound(sample: u32, time: f32) -> vec2f {
    return vec2f(0.5 * sin(6.2831853 * fract(1000.0 * time)));
}
`;

/** Creates a folder with that signal as a video and as a recording, of two seconds each. */
export async function signals() {
  const here = folder();
  const scene = join(here, "signal.wgsl");
  writeFileSync(scene, SIGNAL);
  for (const ending of ["webm", "wav"]) await tarsus("capture", scene, "--duration", "2", "--fps", "10", "--size", "64x64", "-o", join(here, `signal.${ending}`));
  return here;
}

/** Returns the snapshot in a picture by tarsus. */
export function snapshotOf(bytes) {
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (type === "iTXt" || type === "tEXt") {
      const brace = data.indexOf("{");
      if (brace >= 0) {
        const snapshot = JSON.parse(data.toString("utf8", brace));
        if ("scene" in snapshot) return snapshot;
      }
    }
    at += 12 + length;
  }
  throw new Error("this picture has no snapshot");
}

/** Encodes a link fragment, independently of the page's own code. */
export function fragment(shared) {
  return `s=${deflateRawSync(JSON.stringify(shared)).toString("base64url")}`;
}

/** Captures frames of a scene and returns `{bytes, snapshot}` for each. */
export async function capture(scene, frames, ...flags) {
  const out = folder();
  const isRow = frames.at(-1) - frames[0] === frames.length - 1;
  const runs = isRow ? [`${frames[0]}..${frames.at(-1) + 1}`] : frames.map((frame) => `${frame}..${frame + 1}`);
  for (const run of runs) await tarsus("capture", scene, "--quiet", "-o", join(out, "{frame}.png"), ...flags, "--frames", run);
  return frames.map((frame) => {
    const bytes = readFileSync(join(out, `${frame}.png`));
    return { bytes, snapshot: snapshotOf(bytes) };
  });
}
