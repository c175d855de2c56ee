import type { Command } from '../command';
import { goToBoundary } from '../editor/goToBoundary';

/** Moves the cursor of a transcript's text to the nearest compaction boundary above. */
export const goToPreviousBoundary: Command = (services, _args, signal) => goToBoundary(services, 'previous', signal);
