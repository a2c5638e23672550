// What the first picture needs, in bytes as they come over the network, and that they are
// no more than they may be:
//
//     node web/size.mjs

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { SITE } from "./tests/site.mjs";

/** Most bytes, gzipped. */
const LIMIT = 1_200_000;

/** The largest of the scenes that are drawn without buffers. */
const SCENE = "scenes/creature.json";

// These are fetched when they are needed.
const LATER = /^(editor|film|help|reference|share|studio)[-_]/;
const assets = readdirSync(join(SITE, "assets")).filter((name) => !LATER.test(name));
const files = ["index.html", SCENE, ...assets.map((name) => `assets/${name}`)];
let sum = 0;
for (const name of files) {
  const bytes = gzipSync(readFileSync(join(SITE, name)), { level: 9 }).length;
  console.log(`${String(bytes).padStart(9)} bytes gzipped  ${name}`);
  sum += bytes;
}
console.log(`${String(sum).padStart(9)} bytes gzipped  for the first picture`);
if (sum > LIMIT) {
  console.error(`size.mjs: the first picture needs ${sum} bytes: more than ${LIMIT}`);
  process.exit(1);
}
