/** Where a number comes from. Always shown beside it. */
export type Measurement = 'providerReported' | 'localEstimate' | 'localLowerBound' | 'unknown';

const WIRE = {
  providerReported: 'provider_reported',
  localEstimate: 'local_estimate',
  localLowerBound: 'local_lower_bound',
  unknown: 'unknown',
} as const satisfies Record<Measurement, string>;

export type WireMeasurement = (typeof WIRE)[Measurement];

/** Spelling of a measurement in JSON output and in the seed's vectors. */
export function wireMeasurement(measurement: Measurement): WireMeasurement {
  return WIRE[measurement];
}
