// The texts of the page, in English, with their keys. The host may send translations of them with the settings (`UiSettings.strings`);
// a key that is missing there is shown in English. `{name}` stands for a value; keys that end in `.one` and `.other` are the two plurals.
import { BOUNDARIES_STRINGS } from './strings/boundaries';
import { BOUNDARY_REPORT_STRINGS } from './strings/boundaryReport';
import { PIVOT_STRINGS } from './strings/pivot';
import { COST_STRINGS } from './strings/cost';
import { MICRO_STRINGS } from './strings/micro';
import { HISTORY_STRINGS } from './strings/history';
import { GAUGE_STRINGS } from './strings/gauge';
import { MESSAGES_STRINGS } from './strings/messages';
import { NOTES_STRINGS } from './strings/notes';
import { PAGE_STRINGS } from './strings/page';
import { PREVIEW_STRINGS } from './strings/preview';
import { PROJECTION_STRINGS } from './strings/projection';
import { RUN_STRINGS } from './strings/run';
import { TIMELINE_STRINGS } from './strings/timeline';

export const UI_STRINGS = {
  ...PAGE_STRINGS,
  ...GAUGE_STRINGS,
  ...MESSAGES_STRINGS,
  ...BOUNDARIES_STRINGS,
  ...BOUNDARY_REPORT_STRINGS,
  ...PROJECTION_STRINGS,
  ...PREVIEW_STRINGS,
  ...PIVOT_STRINGS,
  ...RUN_STRINGS,
  ...HISTORY_STRINGS,
  ...MICRO_STRINGS,
  ...COST_STRINGS,
  ...TIMELINE_STRINGS,
  ...NOTES_STRINGS,
} as const satisfies Record<string, string>;

export type UiStringKey = keyof typeof UI_STRINGS;

/** Stems of the keys that have the two plural forms. */
export type UiPluralKey = UiStringKey extends infer Key ? (Key extends `${infer Stem}.one` ? Stem : never) : never;
