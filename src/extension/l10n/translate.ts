/** VS Code's `l10n.t` with numbered places; pure parts take it as an argument, so that they run without VS Code. */
export type Translate = (message: string, ...values: readonly (string | number)[]) => string;

/** Fills the places of an English text; what `l10n.t` does where there is no translation. */
export const inEnglish: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
