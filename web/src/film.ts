// Video export through WebCodecs. Pictures and sound are rendered frame by frame, so they never
// stutter.

import type { Stage } from "./stage";
import { SAMPLE_RATE, type Viewer } from "./viewer";
import { type Chunk, webm } from "./webm";

/** Frames of the viewer's clock per video frame: 60 against 30 per second. */
const STEP = 2;
const RATE = 30;
const VIEWER_RATE = STEP * RATE;
/** Both channels of the sound. */
const SOUND: AudioEncoderConfig = { codec: "opus", sampleRate: SAMPLE_RATE, numberOfChannels: 2, bitrate: 128_000 };
/** Samples of a video frame. */
const FRAME_SAMPLES = SAMPLE_RATE / RATE;

/** Returns true if this browser can encode the sound of videos. */
export async function encodesSound(): Promise<boolean> {
  return typeof AudioEncoder !== "undefined" && ((await AudioEncoder.isConfigSupported(SOUND)).supported ?? false);
}

/**
 * Records a video of `seconds` from the current time on, at the size of the canvas. `progress`
 * receives the number of finished frames and that of all frames. `signal` cancels the recording.
 */
export function film(stage: Stage, seconds: number, progress: (done: number, count: number) => void, signal: AbortSignal): Promise<Blob> {
  return stage.withoutLoop(async (viewer) => {
    const { shown } = stage;
    const wasPaused = viewer.state().isPaused;
    viewer.setPaused(true);
    const chunks: Chunk[] = [];
    const width = stage.canvas.width - (stage.canvas.width % 2);
    const height = stage.canvas.height - (stage.canvas.height % 2);
    const { config, name } = await codec(width, height);
    let broken: Error | null = null;
    const into = (track: Chunk["track"]) => ({
      output: (chunk: EncodedVideoChunk | EncodedAudioChunk) => {
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        chunks.push({ track, data, time: chunk.timestamp / 1000, isKey: chunk.type === "key" });
      },
      error: (error: Error) => {
        broken = error;
      },
    });
    const encoder = new VideoEncoder(into("video"));
    const sound = stage.loaded?.sound && (await encodesSound()) ? new AudioEncoder(into("sound")) : null;
    try {
      encoder.configure(config);
      sound?.configure(SOUND);
      const count = Math.max(1, Math.round(seconds * RATE));
      for (let index = 0; index < count; index += 1) {
        signal.throwIfAborted();
        await stepped(viewer, stage, signal);
        const frame = new VideoFrame(stage.canvas, {
          timestamp: Math.round((index * 1_000_000) / RATE),
          duration: Math.round(1_000_000 / RATE),
          visibleRect: { x: 0, y: 0, width, height },
        });
        encoder.encode(frame, { keyFrame: index % (5 * RATE) === 0 });
        frame.close();
        if (sound) await encodeSound(sound, viewer, index);
        progress(index + 1, count);
        await drained(encoder);
        if (broken) throw broken;
      }
      await encoder.flush();
      await sound?.flush();
      const audio = sound && { channels: SOUND.numberOfChannels, rate: SOUND.sampleRate };
      return webm({ codec: name, width, height }, audio, chunks, (1000 * count) / RATE);
    } finally {
      for (const used of [encoder, sound]) if (used && used.state !== "closed") used.close();
      // Another scene may have been opened.
      if (!wasPaused && stage.shown === shown) viewer.setPaused(false);
    }
  });
}

async function codec(width: number, height: number): Promise<{ config: VideoEncoderConfig; name: string }> {
  // 0.12 bits per pixel and frame preserve fine lines in the sand.
  const common = { width, height, framerate: RATE, bitrate: Math.round(0.12 * RATE * width * height) };
  for (const [codec, name] of [["vp09.00.41.08", "V_VP9"], ["vp8", "V_VP8"]] as const) {
    const config: VideoEncoderConfig = { ...common, codec, latencyMode: "quality" };
    if ((await VideoEncoder.isConfigSupported(config)).supported) return { config, name };
  }
  throw new Error("cannot film: this browser encodes neither VP9 nor VP8");
}

/** Encodes the sound of the current frame, which is number `index` of the video. */
async function encodeSound(encoder: AudioEncoder, viewer: Viewer, index: number): Promise<void> {
  const first = Math.round(viewer.state().time * SAMPLE_RATE);
  const data = new AudioData({
    format: "f32-planar",
    sampleRate: SAMPLE_RATE,
    numberOfChannels: SOUND.numberOfChannels,
    numberOfFrames: FRAME_SAMPLES,
    timestamp: Math.round((index * 1_000_000) / RATE),
    data: await viewer.sound(first, FRAME_SAMPLES),
  });
  encoder.encode(data);
  data.close();
}

/** Draws the next video frame, waiting for buffers if necessary. */
async function stepped(viewer: Viewer, stage: Stage, signal: AbortSignal): Promise<void> {
  const { frame: last, time } = viewer.state();
  await stage.media?.show(viewer, time + STEP / VIEWER_RATE);
  viewer.step(STEP);
  let state;
  do {
    await new Promise((next) => requestAnimationFrame(next));
    signal.throwIfAborted();
    viewer.frame(performance.now());
    state = viewer.state();
    // A slow picture takes several frames of the page, and the canvas is black between them.
  } while (state.frame < last + STEP || !state.isPresented);
}

/** Waits until few frames are queued. */
async function drained(encoder: VideoEncoder): Promise<void> {
  while (encoder.encodeQueueSize > 4) {
    await new Promise((next) => encoder.addEventListener("dequeue", next, { once: true }));
  }
}
