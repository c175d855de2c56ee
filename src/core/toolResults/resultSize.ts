const STEP = 1024;
const UNITS = ['KB', 'MB', 'GB'] as const;

/** A size for a model or a person to read: `1023 bytes`, then one decimal without `.0` in KB, MB or GB of 1,024 (seed 2, formatFileSize). */
export function sizeText(bytes: number): string {
  if (bytes < STEP) return `${bytes} bytes`;
  let size = bytes / STEP;
  let unit = 0;
  // By the size itself and not by the rounded text: one byte less than a megabyte is 1024KB.
  while (size >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit++;
  }
  return `${size.toFixed(1).replace('.0', '')}${UNITS[unit] ?? ''}`;
}
