import type { Command } from '../command';

/** Lists the sessions of the whole machine. */
export const showAllSessions: Command = async (services) => services.configuration.update('transcripts.include', 'all');
