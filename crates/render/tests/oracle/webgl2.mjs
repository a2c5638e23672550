// Compares exported scenes in Chromium's WebGL 2 with captures of the program.
//
//   node webgl2.mjs PROGRAM WIDTH HEIGHT SECONDS SCENE...
//
// Prints the scene, the frame and the difference for each picture. Fails if a picture is
// below the limit, or if a scene takes Chromium longer than SECONDS.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PAGE = readFileSync(join(import.meta.dirname, "webgl2.html"), "utf8");
const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu-watchdog", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb"];

/** Smallest accepted peak signal-to-noise ratio, in decibels. */
const LEAST = 40;
/** Fraction of the width to compare: the numbers beside the figure are rounding errors, which vary between compilers. */
const WIDTH_OF = { ik_diagram: 0.62 };

/** Frames to compare: far apart, or, for scenes with state, within a continuous run. */
const FAR = [30, 180, 435];
const ROW = [0, 5, 24];

const [program, width, height, seconds, ...scenes] = process.argv.slice(2);
const [columns, rows] = [Number(width), Number(height)];
const browser = BROWSERS.find((path) => path && existsSync(path));
if (!browser) throw new Error("cannot compare exports: there is no Chromium; scripts/setup.sh --web installs it, or CHROMIUM names it");
const folder = mkdtempSync(join(tmpdir(), "tarsus-exports-"));

function tarsus(...args) {
  return execFileSync(program, args, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
}

/** The passes of a scene in the page's format, and the frames to draw. */
function job(scene) {
  const [plain, whole] = [join(folder, "shadertoy"), join(folder, "glsl")];
  tarsus("export", scene, "--to", "shadertoy", "-o", plain);
  tarsus("export", scene, "--to", "glsl-es", "-o", whole);
  const shader = JSON.parse(readFileSync(join(plain, `${scene}.json`), "utf8"));
  const drawn = shader.renderpass.filter(({ type }) => type !== "common");
  const made = drawn.map(({ outputs }) => outputs[0].id);
  const passes = drawn.map(({ name, inputs }) => {
    const slots = [0, 1, 2, 3].map((slot) => inputs.find(({ channel }) => channel === slot));
    const used = slots.slice(0, 1 + slots.findLastIndex(Boolean));
    return {
      code: readFileSync(join(whole, `${name}.frag`), "utf8"),
      inputs: used.map((input) => ({
        pass: input ? made.indexOf(input.id) : -1,
        filter: input?.sampler.filter === "nearest" ? "NEAREST" : "LINEAR",
        wrap: input?.sampler.wrap === "repeat" ? "REPEAT" : "CLAMP_TO_EDGE",
      })),
    };
  });
  // A pass that reads the previous frame needs all frames.
  const hasState = passes.some(({ inputs }, at) => inputs.some(({ pass }) => pass >= at));
  const frames = hasState ? ROW : FAR;
  const first = (at) => (at === 0 ? 0 : frames[at - 1] + 1);
  const moments = frames.map((frame, at) => [hasState ? first(at) : frame, frame, 0]);
  return { frames, job: { size: [columns, rows], scenes: [{ name: scene, passes, moments }] } };
}

/** Pictures drawn by the page: RGBA, bottom row first. */
function inBrowser(job) {
  const file = join(folder, "page.html");
  // Escape `</`, so that the JSON cannot end its script element.
  writeFileSync(file, PAGE.replace("JOB", () => JSON.stringify(job).replaceAll("</", "<\\/")));
  const flags = [...FLAGS, `--user-data-dir=${join(folder, "profile")}`, `--timeout=${1000 * seconds}`, "--dump-dom", `file://${file}`];
  const ended = spawnSync(browser, flags, { maxBuffer: 1 << 28, timeout: 1000 * (Number(seconds) + 30) });
  const told = /<pre id="out">(.*?)<\/pre>/s.exec(ended.stdout?.toString() ?? "")?.[1];
  if (!told) throw new Error(`no page after ${seconds} s`);
  const [scene] = JSON.parse(told.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"));
  if (scene.error) throw new Error(scene.error);
  return scene.pictures.map((picture) => Buffer.from(picture, "base64"));
}

function psnr(own, drawn, share) {
  let [squares, count] = [0, 0];
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < share * columns; x += 1) {
      const [at, below] = [4 * (y * columns + x), 4 * ((rows - 1 - y) * columns + x)];
      for (let channel = 0; channel < 3; channel += 1) squares += (own[at + channel] - drawn[below + channel]) ** 2;
      count += 3;
    }
  }
  return squares === 0 ? Infinity : 10 * Math.log10((255 ** 2 * count) / squares);
}

let isGood = true;
for (const scene of scenes) {
  try {
    const { frames, job: asked } = job(scene);
    const started = performance.now();
    const drawn = inBrowser(asked);
    const took = ((performance.now() - started) / 1000).toFixed(0);
    frames.forEach((frame, at) => {
      const own = tarsus("capture", scene, "--frames", `${frame}..${frame + 1}`, "--size", `${columns}x${rows}`, "--format", "raw", "--quiet", "-o", "-");
      const apart = psnr(own, drawn[at], WIDTH_OF[scene] ?? 1);
      isGood &&= apart >= LEAST;
      console.log(`${scene.padEnd(12)} frame ${`${frame}`.padStart(3)}  ${apart.toFixed(1)} dB${apart < LEAST ? `, less than ${LEAST}` : ""}  (Chromium: ${took} s)`);
    });
  } catch (error) {
    isGood = false;
    console.log(`${scene.padEnd(12)} ${error.stderr?.toString() || error.message}`);
  }
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = isGood ? 0 : 1;
