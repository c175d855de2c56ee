import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Store } from './store';
import type { Words } from './words';

export const StoreContext = createContext<Store | undefined>(undefined);

/** The store of the page; drawing without one is a broken assumption. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error('A component was drawn outside of the page.');
  return store;
}

/** Texts and number formats in the user's language. */
export function useWords(): Words {
  return useStore().words.value;
}
