import { messagesAfterBoundary } from '../../../src/core/boundary/activeSlice';
import type { CaseAdapter } from '../caseTypes';

export const boundary: CaseAdapter = {
  functions: {
    messagesAfterBoundary: ({ messages }) => messagesAfterBoundary(messages).map((message) => messages.indexOf(message)),
  },
  properties: {
    // Only a record that its format marks as a boundary may hide what is before it.
    P50: ({ messages }) => {
      const marked = messages.some(({ kind }) => kind === 'boundary');
      const hidden = messages.length - messagesAfterBoundary(messages).length;
      return hidden > 0 && !marked ? 'text was taken for a boundary' : undefined;
    },
  },
};
