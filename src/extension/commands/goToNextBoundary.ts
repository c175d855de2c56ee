import type { Command } from '../command';
import { goToBoundary } from '../editor/goToBoundary';

/** Moves the cursor of a transcript's text to the next compaction boundary below. */
export const goToNextBoundary: Command = (services, _args, signal) => goToBoundary(services, 'next', signal);
