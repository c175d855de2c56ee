import { serve, type Port } from '../../../src/core/protocol/channel';
import type { Handlers, PageRequests } from '../../../src/core/protocol/contract';
import { checkPageRequest } from '../../../src/core/protocol/guards';
import { arrayOf, field, isRecord, stringOf } from '../../../src/core/util/json';
import { visibleText } from '../../../webview-ui/outsideText';
import { PageBrowser } from '../../page/harness/browser';
import { showText, type ShownText } from '../../page/harness/hostileText';
import type { CaseAdapter, CaseCall } from '../caseTypes';

/** Texts of strangers on the real page in Chromium, and messages of a page to the real endpoint. */
export const webview: CaseAdapter = {
  functions: {
    renderMessage: rendered,
    renderToolName: rendered,
    renderPlain: rendered,
    renderBootstrapState: rendered,
    onWebviewMessage: posted,
  },
  properties: {
    P80: (call, result) => {
      if (!isShown(result)) return 'the page showed nothing';
      if (result.strangers.length > 0) return `the text made elements: ${result.strangers.join(' ')}`;
      if (result.eventHandlerAttributes > 0) return 'the text made a handler';
      if (!result.hrefs.every((href) => /^(https?:\/\/|mailto:)/.test(href))) return `links lead to ${result.hrefs.join(' ')}`;
      if (result.networkRequests > 0) return 'the text made a request';
      return result.visibleText === visibleText(textOf(call)) ? undefined : `the page shows ${JSON.stringify(result.visibleText)}`;
    },
    P81: (_, result) =>
      isShown(result) && result.controlCharacters + result.bidiControlsRaw === 0 ? undefined : 'the page holds control characters',
    P82: (_, result) => (isRecord(result) && field(result, 'crashed') === false ? undefined : 'the endpoint threw'),
  },
};

/** Each case has a browser of its own, so that nothing is left running after the last. */
async function rendered(call: CaseCall): Promise<ShownText> {
  const browser = await PageBrowser.start();
  try {
    return await showText(browser, textOf(call));
  } finally {
    await browser.close();
  }
}

/** Delivers what a page might post; whatever reached a handler would have been done. */
async function posted(call: CaseCall): Promise<unknown> {
  const done: string[] = [];
  let deliver: (frame: unknown) => void = () => undefined;
  const port: Port = {
    post: () => undefined,
    onFrame(listener) {
      deliver = listener;
      return { dispose: () => undefined };
    },
  };
  serve<PageRequests>(port, recording(done), checkPageRequest);
  let crashed = false;
  for (const message of arrayOf(call.args, 'messages') ?? []) {
    try {
      deliver(message);
      // The same message in the form of a request.
      if (isRecord(message)) deliver({ k: 'req', id: 1, name: stringOf(message, 'type') ?? '', params: message });
    } catch {
      crashed = true;
    }
  }
  await Promise.resolve();
  return { commandsExecuted: done.length, filesOpened: done.filter((name) => /open|reveal/.test(name)).length, crashed };
}

function recording(done: string[]): Handlers<PageRequests> {
  const note = (name: string) => (): Promise<never> => {
    done.push(name);
    return Promise.reject(new Error('not here'));
  };
  return {
    'session/open': note('session/open'),
    'rows/read': note('rows/read'),
    'compaction/preview': note('compaction/preview'),
    'compaction/run': note('compaction/run'),
    'compaction/request': note('compaction/request'),
    'compaction/prompt': note('compaction/prompt'),
    'compaction/putBack': note('compaction/putBack'),
    'selection/changed': note('selection/changed'),
    'transcript/reveal': note('transcript/reveal'),
    'message/copy': note('message/copy'),
    'copy/open': note('copy/open'),
    'copy/resume': note('copy/resume'),
    'copy/run': note('copy/run'),
    'history/list': note('history/list'),
    'history/undo': note('history/undo'),
    'history/compare': note('history/compare'),
    'history/again': note('history/again'),
    'boundary/report': note('boundary/report'),
    'projection/preview': note('projection/preview'),
    'session/pick': note('session/pick'),
    'window/set': note('window/set'),
    'summarizer/select': note('summarizer/select'),
  };
}

function textOf(call: CaseCall): string {
  const text = stringOf(call.args, 'text');
  if (text === undefined) throw new Error(`case ${call.id} has no text`);
  return text;
}

function isShown(value: unknown): value is ShownText {
  return isRecord(value) && Array.isArray(field(value, 'strangers'));
}
