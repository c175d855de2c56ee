import type { Message } from '../../model/message';
import type { Diagnostic, Sidechain, Transcript } from '../../model/transcript';
import { arrayOf, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import type { SourceRecord } from '../lineReader';
import type { SessionFacts } from '../transcriptDraft';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { otelSpan, type OtelSpan } from './otelSpan';
import { foldBodies, type FoldedBodies } from './requestLog';
import { sessionTranscript } from './sessionTranscript';
import type { StableNames } from './stableNames';

/** OpenTelemetry spans of generative models: OTLP JSON, one export or one span a line. */
export const otel: TranscriptFormat = {
  id: 'otel',
  agent: 'OpenTelemetry',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new FoldCollector(otelRecord, transcriptOf),
};

function sureness(value: unknown): number {
  const spans = spansIn(value).slice(0, 200);
  if (spans.some(({ span }) => otelSpan(span, undefined, 0, 0) !== undefined)) return 1;
  return isRecord(value) && arrayOf(value, 'resourceSpans') !== undefined ? 0.6 : 0;
}

interface FoundSpan {
  readonly span: JsonRecord;
  readonly resource: JsonRecord;
}

/** Spans of an export, of a list of them, or a span itself. */
function spansIn(value: unknown): readonly FoundSpan[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => (Array.isArray(item) ? [] : spansIn(item)));
  if (!isRecord(value)) return [];
  const exports = arrayOf(value, 'resourceSpans');
  if (exports === undefined) {
    const isSpan = stringOf(value, 'spanId') !== undefined || stringOf(value, 'span_id') !== undefined;
    return isSpan ? [{ span: value, resource: {} }] : [];
  }
  return exports.filter(isRecord).flatMap((one) => {
    const resource = recordOf(one, 'resource') ?? {};
    const scopes = (arrayOf(one, 'scopeSpans') ?? []).filter(isRecord);
    return scopes.flatMap((scope) => (arrayOf(scope, 'spans') ?? []).filter(isRecord).map((span) => ({ span, resource })));
  });
}

interface OtelRecord {
  readonly line: number;
  readonly spans: readonly OtelSpan[];
  readonly isOdd: boolean;
}

function otelRecord({ value, line, part }: SourceRecord): OtelRecord {
  const found = spansIn(value);
  const spans = found.flatMap(({ span, resource }, at) => otelSpan(span, versionOf(resource), line, part + at) ?? []);
  return { line, spans, isOdd: found.length === 0 };
}

function versionOf(resource: JsonRecord): string | undefined {
  const attribute = (arrayOf(resource, 'attributes') ?? []).find((one) => isRecord(one) && stringOf(one, 'key') === 'service.version');
  return isRecord(attribute) ? stringOf(recordOf(attribute, 'value') ?? {}, 'stringValue') : undefined;
}

function transcriptOf(records: readonly OtelRecord[], damage: readonly Diagnostic[], names: StableNames): Transcript {
  const diagnostics = [...damage];
  for (const { isOdd, line } of records) if (isOdd) diagnostics.push({ line, code: 'unknown_record', severity: 'info' });
  // Spans are written when they end, so that a child stands before its parent.
  const spans = records.flatMap((record) => record.spans).sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const chains = new Map<string, OtelSpan[]>();
  const chainOf = chainFinder(spans);
  for (const span of spans) {
    const chain = chainOf(span);
    const list = chains.get(chain);
    if (list === undefined) chains.set(chain, [span]);
    else list.push(span);
  }
  const agents = new Set(spans.map(({ conversation }) => conversation ?? ''));
  const main = [...chains.keys()].findLast((chain) => agents.has(chain));
  const folded = new Map([...chains].map(([chain, list]) => [chain, foldSpans(list)] as const));
  const { messages = [], diagnostics: told = [] } = (main === undefined ? undefined : folded.get(main)) ?? {};
  const others = [...folded].filter(([chain, { messages: said }]) => chain !== main && said.length > 0);
  const sidechains = others.map(([id, { messages: said }]): Sidechain => {
    return { id, messages: said.map((message): Message => ({ ...message, isSidechain: true })) };
  });
  return sessionTranscript(
    {
      format: 'otel',
      facts: factsOf((main === undefined ? undefined : chains.get(main)) ?? []),
      messages,
      sidechains,
      spent: [...folded].flatMap(([chain, { spent }]) =>
        chain === main ? spent : spent.map((message) => ({ ...message, isSidechain: true })),
      ),
      diagnostics: [...diagnostics, ...told],
    },
    names,
  );
}

function factsOf(spans: readonly OtelSpan[]): SessionFacts {
  const last = (key: 'sessionId' | 'agentVersion' | 'model'): string | undefined => {
    return spans.findLast(({ facts }) => facts[key] !== undefined)?.facts[key];
  };
  return { sessionId: last('sessionId'), agentVersion: last('agentVersion'), model: last('model') };
}

/** Requests tell the whole conversation; tools' spans stand in where no request was recorded with its messages. */
function foldSpans(spans: readonly OtelSpan[]): FoldedBodies {
  const isTold = spans.some(({ hasMessages }) => hasMessages);
  return foldBodies(
    spans.map(({ line, bodies, toolMessages }) => {
      const tool = isTold || toolMessages.length === 0 ? [] : [{ kind: 'messages', messages: toolMessages } as const];
      return { line, bodies: [...bodies, ...tool], odd: false };
    }),
  );
}

const LONGEST_WALK = 64;

/** Names the chain of a span: its conversation, or the span of the agent that another agent has called. */
function chainFinder(spans: readonly OtelSpan[]): (span: OtelSpan) => string {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  return (span) => {
    const agents: OtelSpan[] = [];
    let at: OtelSpan | undefined = span;
    for (let steps = 0; at !== undefined && steps < LONGEST_WALK; steps++) {
      if (at.operation === 'agent') agents.push(at);
      at = at.parentId === undefined ? undefined : byId.get(at.parentId);
    }
    const [nearest] = agents;
    return nearest !== undefined && agents.length > 1 ? nearest.spanId : (span.conversation ?? '');
  };
}
