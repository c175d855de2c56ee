import type { Services } from './services';

/** What a command does. It may fail with anything: the wrapper of the registry tells the user. The signal ends with the extension. */
export type Command = (services: Services, args: readonly unknown[], signal: AbortSignal) => Promise<unknown>;
