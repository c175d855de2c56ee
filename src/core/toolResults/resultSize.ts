const STEP = 1024;
const LARGER_UNITS = ['MB', 'GB'] as const;

/** A size for a model or a person to read: `1023 bytes`, then one decimal without `.0` in KB, MB or GB of 1,024 (seed 2, formatFileSize). */
export function sizeText(bytes: number): string {
  if (bytes < STEP) return `${bytes} bytes`;
  let size = bytes / STEP;
  let unit = 'KB';
  for (const larger of LARGER_UNITS) {
    // By the size itself and not by the rounded text: one byte less than a megabyte is 1024KB.
    if (size < STEP) break;
    size /= STEP;
    unit = larger;
  }
  return `${size.toFixed(1).replace('.0', '')}${unit}`;
}
