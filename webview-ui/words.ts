// Texts and numbers of the page in the user's language.
import { UI_STRINGS, type UiPluralKey, type UiStringKey } from '../src/core/protocol/uiStrings';
import type { UiSettings } from '../src/core/protocol/viewModel';
import { createFormat, type Format } from './format';

export type Values = Readonly<Record<string, string | number>>;

export interface Words extends Format {
  /** The text of a key with its `{name}` places filled in. */
  readonly t: (key: UiStringKey, values?: Values) => string;
  /** The text for a count, in the plural form of the language (`one`, else `other`). */
  readonly plural: (stem: UiPluralKey, count: number, values?: Values) => string;
}

/** Makes the words of one set of settings. Translations that are missing are shown in English. */
export function createWords(settings: UiSettings): Words {
  const format = createFormat(settings.locale);
  const translated = new Map(Object.entries(settings.strings ?? {}));
  const plurals = pluralRules(settings.locale);
  const t = (key: UiStringKey, values: Values = {}): string => fill(translated.get(key) ?? UI_STRINGS[key], values);
  return {
    ...format,
    t,
    plural: (stem, count, values = {}) =>
      t(plurals.select(count) === 'one' ? `${stem}.one` : `${stem}.other`, { count: format.exact(count), ...values }),
  };
}

/** Replaces `{name}` by its value in one pass, so that a value which holds braces stays as it is. */
function fill(text: string, values: Values): string {
  const given = new Map(Object.entries(values));
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(given.get(name) ?? place));
}

function pluralRules(locale: string): Intl.PluralRules {
  try {
    return new Intl.PluralRules(locale);
  } catch {
    return new Intl.PluralRules('en');
  }
}
