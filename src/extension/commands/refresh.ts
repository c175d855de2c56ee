import type { Command } from '../command';

/** Looks for sessions again and follows the newest one. */
export const refresh: Command = async (services) => {
  await services.sessions.refresh();
  services.current.follow();
};
