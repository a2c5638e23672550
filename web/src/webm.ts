// A minimal WebM muxer: one video track and one cluster per keyframe.
// Element IDs: https://www.matroska.org/technical/elements.html

/** One encoded frame. */
export interface Chunk {
  data: Uint8Array;
  /** Time since the start, in milliseconds. */
  time: number;
  isKey: boolean;
}

export interface Track {
  /** "V_VP9" or "V_VP8". */
  codec: string;
  width: number;
  height: number;
}

type Part = Uint8Array | Part[];

/**
 * Maximum duration of a cluster in milliseconds: block times are 16-bit offsets from their cluster.
 */
const LONGEST_CLUSTER = 30_000;

/** Creates a complete file; `duration` is in milliseconds. */
export function webm(track: Track, chunks: Chunk[], duration: number): Blob {
  const header = element(0x1a45dfa3, [
    element(0x4286, number(1)),
    element(0x42f7, number(1)),
    element(0x42f2, number(4)),
    element(0x42f3, number(8)),
    element(0x4282, text("webm")),
    element(0x4287, number(4)),
    element(0x4285, number(2)),
  ]);
  const info = element(0x1549a966, [
    // One tick is 1 ms.
    element(0x2ad7b1, number(1_000_000)),
    element(0x4489, float(duration)),
    element(0x4d80, text("tarsus")),
    element(0x5741, text("tarsus")),
  ]);
  const tracks = element(0x1654ae6b, [
    element(0xae, [
      element(0xd7, number(1)),
      element(0x73c5, number(1)),
      element(0x83, number(1)),
      element(0x86, text(track.codec)),
      element(0xe0, [element(0xb0, number(track.width)), element(0xba, number(track.height))]),
    ]),
  ]);
  const segment = element(0x18538067, [info, tracks, ...clusters(chunks)]);
  return new Blob([...flat(header), ...flat(segment)] as BlobPart[], { type: "video/webm" });
}

function clusters(chunks: Chunk[]): Part[] {
  const groups: Chunk[][] = [];
  for (const chunk of chunks) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (!group || !first || chunk.isKey || chunk.time - first.time > LONGEST_CLUSTER) groups.push([chunk]);
    else group.push(chunk);
  }
  return groups.map((group) => {
    const start = group[0]?.time ?? 0;
    return element(0x1f43b675, [element(0xe7, number(start)), ...group.map((chunk) => block(chunk, start))]);
  });
}

/** Creates a SimpleBlock: track 1, time relative to its cluster, keyframe flag. */
function block(chunk: Chunk, start: number): Part {
  const after = Math.round(chunk.time - start);
  const head = new Uint8Array([0x81, (after >> 8) & 0xff, after & 0xff, chunk.isKey ? 0x80 : 0]);
  return element(0xa3, [head, chunk.data]);
}

function element(id: number, content: Part): Part[] {
  return [bytes(id), length(size(content)), content];
}

function flat(part: Part): Uint8Array[] {
  return part instanceof Uint8Array ? [part] : part.flatMap(flat);
}

function size(part: Part): number {
  return part instanceof Uint8Array ? part.length : part.reduce((sum, inner) => sum + size(inner), 0);
}

/** Encodes a length in the fixed eight-byte form. */
function length(value: number): Uint8Array {
  const data = new DataView(new ArrayBuffer(8));
  data.setBigUint64(0, BigInt(value));
  data.setUint8(0, 1);
  return new Uint8Array(data.buffer);
}

/** Encodes an integer in big-endian order, without leading zeros. */
function bytes(value: number): Uint8Array {
  const digits: number[] = [];
  let rest = value;
  do {
    digits.unshift(rest % 256);
    rest = Math.floor(rest / 256);
  } while (rest > 0);
  return new Uint8Array(digits);
}

function number(value: number): Uint8Array {
  return bytes(Math.round(value));
}

function float(value: number): Uint8Array {
  const data = new DataView(new ArrayBuffer(8));
  data.setFloat64(0, value);
  return new Uint8Array(data.buffer);
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}
