// Entry of the worker thread that the extension starts: dist/node/engine.mjs.
import { parentPort } from 'node:worker_threads';
import { createEngine } from './engine';
import { messagePort } from './messagePort';
import { serveEngine } from './serveEngine';

if (parentPort === null) throw new Error('The engine runs as a worker thread only.');
serveEngine(messagePort(parentPort), createEngine);
