// What the first picture needs, in bytes as they come over the network, and that they are
// no more than they may be:
//
//     node web/size.mjs

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { SITE } from "./tests/site.mjs";

/** Maximum size, gzipped, in bytes: 1.0 MB. */
const LIMIT = 1_000_000;

/** The largest of the scenes that are drawn without buffers. */
const SCENE = "scenes/creature.json";

// These are fetched when they are needed.
const LATER = /^(classify|editor|film|help|media|reference|share|sound|studio)[-_]/;
const OTHERS = { webgpu: /^player_webgl2/, webgl2: /^player_webgpu/ };

const gzipped = (name) => gzipSync(readFileSync(join(SITE, name)), { level: 9 }).length;
const assets = readdirSync(join(SITE, "assets")).filter((name) => !LATER.test(name));
for (const [backend, others] of Object.entries(OTHERS)) {
  const needed = assets.filter((name) => !others.test(name));
  const files = ["index.html", SCENE, ...needed.map((name) => `assets/${name}`)];
  const sizes = files.map((name) => [gzipped(name), name]);
  const sum = sizes.reduce((sum, [bytes]) => sum + bytes, 0);
  for (const [bytes, name] of sizes) console.log(`${String(bytes).padStart(9)} bytes gzipped  ${name}`);
  console.log(`${String(sum).padStart(9)} bytes gzipped  for the first picture with ${backend}`);
  if (sum > LIMIT) {
    console.error(`size.mjs: the first picture with ${backend} needs ${sum} bytes: more than ${LIMIT}`);
    process.exitCode = 1;
  }
}
