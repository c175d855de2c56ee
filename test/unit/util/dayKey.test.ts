import assert from 'node:assert/strict';
import { createDayKey, dayKey } from '../../../src/core/util/dayKey';

describe('days of a time zone (R39)', () => {
  const days: readonly (readonly [string, string, string | undefined])[] = [
    ['2026-01-25T04:08:00Z', 'America/Los_Angeles', '2026-01-24'],
    ['2026-01-25T04:08:00Z', 'UTC', '2026-01-25'],
    ['2026-03-29T00:30:00+00:00', 'Europe/Berlin', '2026-03-29'],
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25'],
    ['2026-03-08T07:59:59Z', 'America/New_York', '2026-03-08'],
    ['2026-12-31T23:30:00Z', 'Asia/Kathmandu', '2027-01-01'],
    ['not a time', 'UTC', undefined],
    ['', 'UTC', undefined],
  ];
  for (const [time, zone, day] of days) it(`${time} in ${zone} is ${day ?? 'no day'}`, () => assert.equal(dayKey(time, zone), day));

  it('names every hour of a day in one zone', () => {
    const dayOf = createDayKey('Asia/Tokyo');
    for (let hour = 0; hour < 24; hour++) assert.equal(dayOf(`2026-05-01T${String(hour).padStart(2, '0')}:00:00+09:00`), '2026-05-01');
  });

  it('refuses a zone that does not exist', () => assert.throws(() => createDayKey('Mars/Olympus'), RangeError));
});
