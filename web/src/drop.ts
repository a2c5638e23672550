// Files of drop events, and pictures among them.

/** Returns the files of a drop event. */
export function filesOf(event: DragEvent): File[] {
  return [...(event.dataTransfer?.files ?? [])];
}

/**
 * Returns the files of a drop event and those in its folders, without deeper ones, and the name of the
 * first folder.
 */
export async function filesAndFoldersOf(event: DragEvent): Promise<{ files: File[]; folder?: string }> {
  // The event is empty after the first pause.
  const files = filesOf(event);
  const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.());
  const folders = entries.filter((entry) => entry?.isDirectory) as FileSystemDirectoryEntry[];
  if (!folders[0]) return { files };
  const inFolders = await Promise.all(folders.map(filesIn));
  const outside = files.filter(({ name }) => !folders.some((folder) => folder.name === name));
  return { files: [...outside, ...inFolders.flat()], folder: folders[0].name };
}

/** Lists the files in a folder. */
async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  for (;;) {
    // A browser returns a part of a large folder at a time.
    const entries = await new Promise<FileSystemEntry[]>((read, fail) => reader.readEntries(read, fail));
    if (entries.length === 0) return files;
    const found = entries.filter((entry) => entry.isFile) as FileSystemFileEntry[];
    files.push(...(await Promise.all(found.map((entry) => new Promise<File>((read, fail) => entry.file(read, fail))))));
  }
}

/** Decodes a picture to RGBA, top row first, scaled down to at most `side` pixels per side. */
export async function pixels(file: Blob, side: number): Promise<{ data: Uint8Array; width: number; height: number }> {
  const decoded = createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  const whole = await decoded.catch(() => {
    throw new Error("this browser cannot decode the file");
  });
  const scale = Math.min(1, side / Math.max(whole.width, whole.height));
  const width = Math.max(1, Math.round(whole.width * scale));
  const height = Math.max(1, Math.round(whole.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser provides no 2D canvas");
  context.drawImage(whole, 0, 0, width, height);
  whole.close();
  return { data: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer), width, height };
}
