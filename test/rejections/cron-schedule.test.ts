import { expect, test } from 'vitest';
import { checkSchedule } from '../../lib/rejections/cron-schedule.ts';

// What robfig/cron, the parser of Kubernetes, accepts.
test.each(['* * * * *', '*/5 0-23/2 1,15 jan-mar MON', '? * * * ?', '@daily', '@every 5m', '59 23 31 12 6'])(
  'accepts %j',
  (schedule) => {
    expect(checkSchedule(schedule)).toEqual([]);
  },
);

test.each([
  ['*/0 * * * *', '*/0 is not a valid minute'],
  ['*/-1 * * * *', '*/-1 is not a valid minute'],
  ['1/2/3 * * * *', '1/2/3 is not a valid minute'],
  ['60 * * * *', '60 is not a valid minute'],
  ['5-1 * * * *', '5-1 is not a valid minute'],
  ['1-2-3 * * * *', '1-2-3 is not a valid minute'],
  ['* * * *', 'expected exactly 5 fields, found 4'],
  ['@often', 'unrecognized descriptor: @often'],
  ['TZ=UTC * * * * *', 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'],
])('rejects %j', (schedule, problem) => {
  expect(checkSchedule(schedule)).toEqual([problem]);
});
