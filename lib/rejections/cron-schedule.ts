/** Checks of CronJob schedules: https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#schedule-syntax */

const macros = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly names: readonly string[];
}[] = [
  { name: 'minute', from: 0, to: 59, names: [] },
  { name: 'hour', from: 0, to: 23, names: [] },
  { name: 'day of month', from: 1, to: 31, names: [] },
  { name: 'month', from: 1, to: 12, names: months },
  { name: 'day of week', from: 0, to: 6, names: days },
];

/** Why a schedule is invalid; empty when it is valid. */
export function checkSchedule(schedule: string): readonly string[] {
  if (schedule.includes('TZ')) return ['cannot use TZ or CRON_TZ in schedule, use timeZone field instead'];
  if (schedule.startsWith('@every ')) return [];
  if (schedule.startsWith('@')) return macros.includes(schedule) ? [] : [`unrecognized descriptor: ${schedule}`];
  const parts = schedule.split(/\s/).filter((part) => part !== '');
  if (parts.length !== fields.length) return [`expected exactly 5 fields, found ${parts.length}`];
  return fields.flatMap((field, index) => {
    const part = parts[index] ?? '';
    return part.split(',').every((range) => isRange(range, field)) ? [] : [`${part} is not a valid ${field.name}`];
  });
}

function isRange(range: string, { from, to, names }: (typeof fields)[number]): boolean {
  const [span = '', step, ...rest] = range.split('/');
  if (rest.length > 0 || (step !== undefined && !(isDigits(step) && Number(step) > 0))) return false;
  if (span === '*' || span === '?') return true;
  const [low = '', high, ...more] = span.split('-');
  const number = (value: string): number =>
    names.includes(value.toLowerCase())
      ? names.indexOf(value.toLowerCase()) + from
      : isDigits(value)
        ? Number(value)
        : Number.NaN;
  const [first, last] = [number(low), number(high ?? low)];
  return more.length === 0 && first >= from && last <= to && first <= last;
}

function isDigits(value: string): boolean {
  return /^[0-9]+$/.test(value);
}
