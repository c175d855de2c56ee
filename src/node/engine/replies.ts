import type { Summarizer, SummaryReply } from '../../core/ports/summarizer';

/** What a summarizer answered, with what it is, so that the same can be said again. */
export interface HeardReply {
  readonly capabilities: Summarizer['capabilities'];
  readonly reply: SummaryReply;
}

/** The same summarizer, whose last answer can be asked for; undefined while there is none. */
export function recording(summarizer: Summarizer): { readonly summarizer: Summarizer; readonly heard: () => HeardReply | undefined } {
  const { capabilities } = summarizer;
  let reply: SummaryReply | undefined;
  return {
    summarizer: {
      capabilities,
      summarize: async (...request) => {
        reply = await summarizer.summarize(...request);
        return reply;
      },
    },
    heard: () => (reply === undefined ? undefined : { capabilities, reply }),
  };
}

/** A summarizer that says again what was heard once; it asks nobody. */
export function replaying({ capabilities, reply }: HeardReply): Summarizer {
  return { capabilities, summarize: () => Promise.resolve(reply) };
}
