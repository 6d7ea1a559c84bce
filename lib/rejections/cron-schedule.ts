/** Schedules of CronJobs, as the cron library of Kubernetes reads them (https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/). */

const macros = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly words: readonly string[];
}[] = [
  { name: 'minute', from: 0, to: 59, words: [] },
  { name: 'hour', from: 0, to: 23, words: [] },
  { name: 'day of month', from: 1, to: 31, words: [] },
  { name: 'month', from: 1, to: 12, words: months },
  { name: 'day of week', from: 0, to: 6, words: days },
];

/** The reasons against a schedule, none when it is fine. */
export function checkSchedule(schedule: string): readonly string[] {
  if (schedule.includes('TZ')) return ['cannot use TZ or CRON_TZ in schedule, use timeZone field instead'];
  if (schedule.startsWith('@every ')) return [];
  if (schedule.startsWith('@')) return macros.includes(schedule) ? [] : [`unrecognized descriptor: ${schedule}`];
  const parts = schedule.split(/\s/).filter((part) => part !== '');
  if (parts.length !== fields.length) return [`expected exactly 5 fields, found ${parts.length}`];
  return fields.flatMap((field, index) => {
    const part = parts[index] ?? '';
    return part.split(',').every((range) => isRange(range, field)) ? [] : [`${part} is no ${field.name}`];
  });
}

function isRange(range: string, { from, to, words }: (typeof fields)[number]): boolean {
  const [span = '', step, ...rest] = range.split('/');
  if (rest.length > 0 || (step !== undefined && !(isDigits(step) && Number(step) > 0))) return false;
  if (span === '*' || span === '?') return true;
  const [low = '', high, ...more] = span.split('-');
  const number = (text: string): number =>
    words.includes(text.toLowerCase()) ? words.indexOf(text.toLowerCase()) + from : isDigits(text) ? Number(text) : Number.NaN;
  const [first, last] = [number(low), number(high ?? low)];
  return more.length === 0 && first >= from && last <= to && first <= last;
}

function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}
