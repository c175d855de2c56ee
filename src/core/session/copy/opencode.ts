// A compacted session of opencode as a file for `opencode import`: a compaction pair and the kept messages, or the kept messages and the
// summary as a user's text, since a compaction hides all that is before it. Ids of session, messages and parts are new, for they are keys of
// the agent's whole database; its order is that of times and of ids, so both ascend, and none lies in the future.
import type { ClearedBlocks } from '../../compaction/microPlan';
import type { Message } from '../../model/message';
import { isRecord, field, numberOf, recordOf as memberOf, stringOf } from '../../util/json';
import { present } from '../../util/present';
import { clearedBlocks } from './clearedResults';
import type { Copy, CopyInput } from './copyInput';
import { keptMessages, sourceChanged } from './copyInput';
import { mapMember, withMembers, withoutMembers } from './jsonSpans';
import { OpencodeIds } from './opencodeIds';
import { opencodeTexts, placesOf, recordOf, stepsOfParts, type SessionText, type StoredText } from './opencodeText';
import { zeroCounts } from './zeroUsage';

/** A message of the copy before it has an id and a time. */
interface Draft extends StoredText {
  readonly key: number | string;
  readonly created: number | undefined;
  /** Key of the user's message that it answers. */
  readonly parent: string | undefined;
}

const OTHER_SESSION = new Set(['parentID', 'share', 'revert']);
const SUMMARY = new Set(['summary']);
const ATTACHMENTS = new Set(['attachments']);

export function writeOpencodeCopy(input: CopyInput): Copy {
  const source = opencodeTexts(input);
  const kept = keptDrafts(input, source);
  const { summary } = input;
  const keptFirst = input.plan.order === 'keptFirst';
  const facts = factsOf(input, source);
  const added = summary === undefined ? [] : keptFirst ? [textDraft(summary, facts)] : pairDrafts(summary, facts, kept[0]?.created);
  const drafts = keptFirst ? [...kept, ...added] : [...added, ...kept];
  const ids = new OpencodeIds(input, drafts.length);
  const messages = finished(drafts, ids, input);
  const [first, second] = keptFirst ? [undefined, ids.message(drafts.length - 1)] : [ids.message(0), ids.message(1)];
  return {
    records: [`{"info":${sessionInfo(source.info, input)},"messages":[\n${messages.join(',\n')}\n]}`],
    boundary: {
      id: summary === undefined ? undefined : first,
      summaryId: summary === undefined ? undefined : second,
      preservedIds: kept.map((_, at) => ids.message(keptFirst ? at : at + added.length)),
    },
  };
}

/** Messages that say nothing are not sent, and without their usage nothing is left of them. */
export function withoutEmpty(messages: readonly Message[]): readonly Message[] {
  return messages.filter(({ content }) => content.length > 0);
}

function keptDrafts(input: CopyInput, source: SessionText): readonly Draft[] {
  const places = placesOf(source.messages);
  const blocksOf = clearedBlocks(input);
  const groups: { stored: number; steps: Set<number>; cleared: Map<number, ClearedBlocks>; isSummary: boolean }[] = [];
  for (const message of withoutEmpty(keptMessages(input))) {
    const place = places.get(message.id);
    if (place === undefined) throw sourceChanged(0);
    let group = groups.at(-1);
    if (group?.stored !== place.stored) {
      group = { stored: place.stored, steps: new Set(), cleared: new Map(), isSummary: message.kind === 'summary' };
      groups.push(group);
    }
    group.steps.add(place.step);
    const blocks = blocksOf(message);
    if (blocks !== undefined) group.cleared.set(place.step, blocks);
  }
  return groups.flatMap(({ stored, steps, cleared, isSummary }, at): readonly Draft[] => {
    const text = present(source.messages[stored]);
    const info = recordOf(text.info);
    const isAnswer = stringOf(info, 'role') === 'assistant';
    const own = {
      key: stringOf(info, 'id') ?? stored,
      created: numberOf(memberOf(info, 'time') ?? {}, 'created'),
      parent: stringOf(info, 'parentID'),
    };
    const draft = { ...own, info: text.info, parts: isAnswer ? partsOf(text, steps, cleared) : text.parts };
    if (!isSummary) return [draft];
    // A compaction hides what is before it, so that an earlier one stays one at the beginning alone.
    const asked = source.messages.find((one) => stringOf(recordOf(one.info), 'id') === own.parent);
    if (at > 0 || input.plan.order !== 'keptFirst' || asked === undefined) return [{ ...draft, info: withoutMembers(text.info, SUMMARY) }];
    const request = { type: 'compaction', auto: false };
    return [{ key: own.parent ?? '', created: own.created, parent: undefined, info: asked.info, parts: [JSON.stringify(request)] }, draft];
  });
}

function partsOf(text: StoredText, steps: ReadonlySet<number>, cleared: ReadonlyMap<number, ClearedBlocks>): readonly string[] {
  const stepOf = stepsOfParts(text);
  const results = new Map<number, number>();
  return text.parts.flatMap((part, at) => {
    const step = present(stepOf[at]);
    if (!steps.has(step)) return [];
    const value = recordOf(part);
    const status = stringOf(memberOf(value, 'state') ?? {}, 'status');
    if (stringOf(value, 'type') !== 'tool' || (status !== 'completed' && status !== 'error')) return [part];
    const place = results.get(step) ?? 0;
    results.set(step, place + 1);
    const mark = cleared.get(step)?.get(place);
    if (mark === undefined) return [part];
    const key = status === 'error' ? 'error' : 'output';
    return [mapMember(part, 'state', (state) => withMembers(withoutMembers(state, ATTACHMENTS), new Map([[key, JSON.stringify(mark)]])))];
  });
}

/** What the program writes on messages, of the newest ones that say it. */
interface Facts {
  readonly agent: string;
  readonly providerID: string;
  readonly modelID: string;
  readonly path: unknown;
}

function factsOf({ transcript }: CopyInput, { messages }: SessionText): Facts {
  const infos = messages.map(({ info }) => recordOf(info)).reverse();
  const answer = infos.find((info) => stringOf(info, 'modelID') !== undefined && field(info, 'summary') !== true) ?? {};
  const asked = infos
    .map((info) => memberOf(info, 'model'))
    .find((model) => model !== undefined && stringOf(model, 'modelID') !== undefined);
  const model = asked ?? answer;
  return {
    agent: infos.map((info) => stringOf(info, 'agent')).find((agent) => agent !== undefined && agent !== 'compaction') ?? 'build',
    providerID: stringOf(model, 'providerID') ?? 'unknown',
    modelID: stringOf(model, 'modelID') ?? 'unknown',
    path: field(answer, 'path') ?? { cwd: transcript.cwd ?? '/', root: '/' },
  };
}

function userInfo({ agent, providerID, modelID }: Facts): string {
  return JSON.stringify({ role: 'user', time: {}, agent, model: { providerID, modelID } });
}

function textDraft(summary: string, facts: Facts): Draft {
  return {
    key: SUMMARY_KEY,
    created: undefined,
    parent: undefined,
    info: userInfo(facts),
    parts: [JSON.stringify({ type: 'text', text: summary })],
  };
}

const SUMMARY_KEY = 'copy:summary';
const ASKED_KEY = 'copy:asked';

function pairDrafts(summary: string, facts: Facts, next: number | undefined): readonly Draft[] {
  const { providerID, modelID, path } = facts;
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
  const answer = {
    ...{ role: 'assistant', mode: 'compaction', agent: 'compaction', path, cost: 0, tokens, modelID, providerID },
    ...{ parentID: '', time: { completed: 0 }, finish: 'stop', summary: true },
  };
  const created = next === undefined ? undefined : next - 2;
  const asked = { key: ASKED_KEY, created, parent: undefined, info: userInfo(facts), parts: ['{"type":"compaction","auto":false}'] };
  const said = JSON.stringify({ type: 'text', text: summary });
  return [asked, { key: SUMMARY_KEY, created, parent: ASKED_KEY, info: JSON.stringify(answer), parts: [said] }];
}

/** The messages under new ids, at ascending times, without what they have cost. */
function finished(drafts: readonly Draft[], ids: OpencodeIds, { newSessionId }: CopyInput): readonly string[] {
  const times = ids.times(drafts.map(({ created }) => created));
  const sessionID = JSON.stringify(newSessionId);
  const known = new Map<string | number, string>();
  let user: string | undefined;
  return drafts.map((draft, at) => {
    const id = ids.message(at);
    const created = present(times[at]);
    if (!known.has(draft.key)) known.set(draft.key, id);
    const isAnswer = stringOf(recordOf(draft.info), 'role') === 'assistant';
    if (!isAnswer) user = id;
    // An answer whose question was summarized answers the summary.
    const parent = (draft.parent === undefined ? undefined : known.get(draft.parent)) ?? user;
    const identity = new Map([['id', JSON.stringify(id)]]).set('sessionID', sessionID);
    if (isAnswer && parent !== undefined) identity.set('parentID', JSON.stringify(parent));
    const info = withoutCost(mapMember(withMembers(draft.info, identity), 'time', (time) => timeAt(time, created)));
    const parts = draft.parts.map((part, nth) => {
      const own = new Map([['id', JSON.stringify(ids.part(at, nth))]]).set('sessionID', sessionID).set('messageID', JSON.stringify(id));
      return withoutCost(withMembers(part, own));
    });
    return `{"info":${info},"parts":[${parts.join(',')}]}`;
  });
}

function timeAt(time: string, created: number): string | undefined {
  const value: unknown = JSON.parse(time);
  if (!isRecord(value)) return undefined;
  const completed = numberOf(value, 'completed');
  const times = new Map([['created', String(created)]]);
  if (completed !== undefined) times.set('completed', String(Math.max(completed, created)));
  return withMembers(time, times);
}

function withoutCost(record: string): string {
  return mapMember(
    mapMember(record, 'tokens', (tokens) => (tokens.startsWith('{') ? zeroCounts(tokens) : undefined)),
    'cost',
    () => '0',
  );
}

function sessionInfo(info: string, { newSessionId, now, transcript }: CopyInput): string {
  const at = Date.parse(now);
  const value = recordOf(info);
  const fallback = {
    slug: 'compacted',
    projectID: 'global',
    directory: transcript.cwd ?? '/',
    title: transcript.title ?? 'Compacted session',
    version: transcript.agentVersion ?? '0.0.0',
  };
  const values = new Map([['id', JSON.stringify(newSessionId)]]).set('time', JSON.stringify({ created: at, updated: at }));
  for (const [key, text] of Object.entries(fallback)) if (typeof field(value, key) !== 'string') values.set(key, JSON.stringify(text));
  return withoutCost(withMembers(withoutMembers(info, OTHER_SESSION), values));
}
