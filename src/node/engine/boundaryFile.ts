import type { BoundaryReportView } from '../../core/protocol/boundaryReportView';
import { boundaryReport } from '../../core/session/boundaryReport';
import { inspectTranscript } from '../../core/session/inspection';
import { boundaryReportView } from '../../core/view/boundaryReport';
import { inSlices } from '../sources/slices';
import { openTranscript } from '../sources/transcriptFiles';
import type { InspectOptions } from './contract';
import { inspectionSettings } from './inspectionSettings';

/** What a file says of one of its compactions. */
export interface BoundaryInFile {
  /** How many compactions the file has. */
  readonly count: number;
  /** Undefined where it has no such one. */
  readonly report: BoundaryReportView | undefined;
}

/** Reads a transcript once and reports on a boundary by its ordinal, 0 first. Rejects with ReadError. */
export async function reportBoundary(
  path: string,
  options: InspectOptions,
  ordinal: number,
  signal?: AbortSignal,
): Promise<BoundaryInFile> {
  const file = await openTranscript(path, { watch: false, pollMs: 0, ...(signal === undefined ? {} : { signal }) });
  try {
    const inspection = inspectTranscript(file.transcript, await inspectionSettings(options));
    const report = await inSlices(boundaryReport(inspection, ordinal), signal);
    const { length } = inspection.transcript.boundaries;
    return { count: length, report: report === undefined ? undefined : boundaryReportView(inspection, report) };
  } finally {
    file.dispose();
  }
}
