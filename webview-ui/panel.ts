import type { FunctionComponent } from 'preact';
import type { UiStringKey } from '../src/core/protocol/uiStrings';

/** Where the page is shown; the host says so in `<body data-surface>`. */
export type Surface = 'panel' | 'editor' | 'sidebar';

/** A part of the page. It reads what it draws from the store, and draws nothing where there is nothing to show. */
export interface Panel {
  readonly id: string;
  readonly titleKey: UiStringKey;
  /** Over both columns, or in the wide or the narrow one; in a narrow window all stand below each other in the order of the registry. */
  readonly place: 'top' | 'main' | 'side';
  readonly surfaces: readonly Surface[];
  readonly view: FunctionComponent;
}

export const EVERYWHERE: readonly Surface[] = ['panel', 'editor', 'sidebar'];
export const LARGE_SURFACES: readonly Surface[] = ['panel', 'editor'];
