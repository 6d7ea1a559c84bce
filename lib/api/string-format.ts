const time = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u;
const date = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

/** Whether a string is a day of the calendar, as `2026-02-28`. */
export function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = date.exec(text) ?? [];
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return month >= '01' && month <= '12' && day >= '01' && Number(day) <= last;
}

/** Whether the API server accepts a string as `date-time`: RFC 3339, of which it ignores everything from a second `t` on. */
export function isDateTime(text: string): boolean {
  const [day = '', moment = ''] = text.toLowerCase().split('t');
  const [, hour = '99', minute = '', second = ''] = time.exec(moment) ?? [];
  return isDate(day) && hour <= '23' && minute <= '59' && second <= '59';
}

/** Whether the API server accepts a string as `byte`: base64 with padding (RFC 4648, section 4), not empty. */
export function isBase64(text: string): boolean {
  return base64.test(text);
}

/** The checks of strings by the name of their format in a schema. */
export const formats = { byte: isBase64, 'date-time': isDateTime } as const;
