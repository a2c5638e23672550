// A minimal WebM muxer: a video track, sound if there is any, and one cluster per keyframe.
// Element IDs: https://www.matroska.org/technical/elements.html

/** One encoded frame or block of sound. */
export interface Chunk {
  track: "video" | "sound";
  data: Uint8Array;
  /** Time since the start, in milliseconds. */
  time: number;
  isKey: boolean;
}

export interface Video {
  /** "V_VP9" or "V_VP8". */
  codec: string;
  width: number;
  height: number;
}

/** Channels and sample rate of the sound, which is Opus. */
export interface Audio {
  channels: number;
  rate: number;
}

type Part = Uint8Array | Part[];

/**
 * Maximum duration of a cluster in milliseconds: block times are 16-bit offsets from their cluster.
 */
const LONGEST_CLUSTER = 30_000;
/** Samples at 48 kHz that libopus, the encoder of all browsers, puts before the first one. */
const OPUS_DELAY = 312;
/** Time that an Opus decoder needs to converge after a jump, in nanoseconds. */
const OPUS_PREROLL = 80_000_000;
const TRACKS = { video: 1, sound: 2 };

/** Creates a complete file; `duration` is in milliseconds. */
export function webm(video: Video, audio: Audio | null, chunks: Chunk[], duration: number): Blob {
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
  const tracks = element(0x1654ae6b, [videoEntry(video), ...(audio ? [audioEntry(audio)] : [])]);
  const segment = element(0x18538067, [info, tracks, ...clusters(chunks)]);
  return new Blob([...flat(header), ...flat(segment)] as BlobPart[], { type: "video/webm" });
}

function videoEntry({ codec, width, height }: Video): Part {
  const size = [element(0xb0, number(width)), element(0xba, number(height))];
  return entry("video", 1, codec, [element(0xe0, size)]);
}

function audioEntry({ channels, rate }: Audio): Part {
  return entry("sound", 2, "A_OPUS", [
    element(0x63a2, opusHead(channels, rate)),
    element(0x56aa, number((OPUS_DELAY * 1e9) / 48_000)),
    element(0x56bb, number(OPUS_PREROLL)),
    element(0xe1, [element(0xb5, float(rate)), element(0x9f, number(channels))]),
  ]);
}

function entry(track: Chunk["track"], type: number, codec: string, more: Part[]): Part {
  const id = number(TRACKS[track]);
  return element(0xae, [element(0xd7, id), element(0x73c5, id), element(0x83, number(type)), element(0x86, text(codec)), ...more]);
}

/** Creates the identification header of Opus: https://www.rfc-editor.org/rfc/rfc7845#section-5.1 */
function opusHead(channels: number, rate: number): Uint8Array {
  const head = new Uint8Array(19);
  head.set(text("OpusHead"));
  head.set([1, channels], 8);
  const data = new DataView(head.buffer);
  data.setUint16(10, OPUS_DELAY, true);
  data.setUint32(12, rate, true);
  return head;
}

function clusters(chunks: Chunk[]): Part[] {
  const groups: Chunk[][] = [];
  for (const chunk of chunks.toSorted((a, b) => a.time - b.time || TRACKS[a.track] - TRACKS[b.track])) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (!group || !first || (chunk.track === "video" && chunk.isKey) || chunk.time - first.time > LONGEST_CLUSTER) groups.push([chunk]);
    else group.push(chunk);
  }
  return groups.map((group) => {
    const start = group[0]?.time ?? 0;
    return element(0x1f43b675, [element(0xe7, number(start)), ...group.map((chunk) => block(chunk, start))]);
  });
}

/** Creates a SimpleBlock: track, time relative to its cluster, keyframe flag. */
function block(chunk: Chunk, start: number): Part {
  const after = Math.round(chunk.time - start);
  const head = new Uint8Array([0x80 | TRACKS[chunk.track], (after >> 8) & 0xff, after & 0xff, chunk.isKey ? 0x80 : 0]);
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
