import { claudeCodePlaces } from './claudeCode';
import { codexPlaces } from './codex';
import { dockerAgentPlaces, gooseDatabasePlaces, kiloDatabasePlaces, opencodeDatabasePlaces } from './databasePlaces';
import {
  clinePlaces,
  continuePlaces,
  copilotChatPlaces,
  kiloPlaces,
  opencodeStoragePlaces,
  openhandsPlaces,
  rooPlaces,
} from './folderPlaces';
import { copilotCliPlaces, geminiPlaces, gooseFilePlaces, piPlaces, qwenPlaces } from './jsonlPlaces';
import type { AgentPlaces } from './place';

/** All agents whose sessions are looked for on a machine. Aider's and evaluations' lie in the working folder itself. */
export const AGENT_PLACES: readonly AgentPlaces[] = [
  claudeCodePlaces,
  codexPlaces,
  geminiPlaces,
  qwenPlaces,
  dockerAgentPlaces,
  opencodeDatabasePlaces,
  opencodeStoragePlaces,
  kiloDatabasePlaces,
  clinePlaces,
  rooPlaces,
  kiloPlaces,
  copilotChatPlaces,
  copilotCliPlaces,
  continuePlaces,
  gooseDatabasePlaces,
  gooseFilePlaces,
  piPlaces,
  openhandsPlaces,
];
