import { CompactError } from '../../core/errors/compactError';
import { refusalMessage } from '../../core/errors/messages';
import type { Handlers } from '../../core/protocol/contract';
import { boundaryReport } from '../../core/session/boundaryReport';
import type { Inspection } from '../../core/session/inspection';
import { projectionWhatIf } from '../../core/session/projectionWhatIf';
import { boundaryReportView } from '../../core/view/boundaryReport';
import { projectionView } from '../../core/view/projection';
import { inSlices } from '../sources/slices';
import type { EngineRequests } from './contract';

/** What a report needs of an open session. */
interface ReportedSession {
  readonly inspection: Inspection;
  ready(): Promise<void>;
}

/** Answers about compactions of the past and about projections. Each is worked out when it is asked for, and nothing is kept. */
export function boundaryHandlers(
  opened: (handle: string) => ReportedSession,
): Pick<Handlers<EngineRequests>, 'boundary/report' | 'projection/preview'> {
  return {
    'boundary/report': async ({ handle, index }, signal) => {
      const session = opened(handle);
      await session.ready();
      signal.throwIfAborted();
      const { inspection } = session;
      const report = await inSlices(boundaryReport(inspection, index), signal);
      if (report === undefined) throw new CompactError('unknownMessage');
      return boundaryReportView(inspection, report);
    },
    'projection/preview': async ({ handle }, signal) => {
      const session = opened(handle);
      await session.ready();
      signal.throwIfAborted();
      const { inspection } = session;
      const whatIf = projectionWhatIf(inspection);
      if (whatIf !== undefined) return projectionView(inspection, whatIf);
      const refusal = { outcome: 'refusal', code: 'nothingToDo' } as const;
      return { ...refusal, message: refusalMessage({ ...refusal, detail: 'noToolResults' }) };
    },
  };
}
