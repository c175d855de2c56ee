import type { Command } from '../command';

/** Shows the log. */
export const showLog: Command = (services) => {
  services.log.show(true);
  return Promise.resolve();
};
