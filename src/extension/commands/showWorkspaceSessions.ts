import type { Command } from '../command';

/** Lists the sessions of this folder only. */
export const showWorkspaceSessions: Command = async (services) => services.configuration.update('transcripts.include', 'workspace');
