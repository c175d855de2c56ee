import { inspectTranscript } from '../../core/session/inspection';
import type { InspectReport } from '../../core/view/inspectReport';
import { inspectReportOf } from '../../core/view/inspectReportOf';
import { openTranscript } from '../sources/transcriptFiles';
import type { InspectOptions } from './contract';
import { inspectionSettings } from './inspectionSettings';

/** Reads a transcript once and reports its numbers. Rejects with ReadError. */
export async function inspectFile(
  path: string,
  options: InspectOptions,
  withMessages: boolean,
  signal?: AbortSignal,
): Promise<InspectReport> {
  const file = await openTranscript(path, { watch: false, pollMs: 0, ...(signal === undefined ? {} : { signal }) });
  try {
    return inspectReportOf(inspectTranscript(file.transcript, await inspectionSettings(options)), path, withMessages);
  } finally {
    file.dispose();
  }
}
