const time = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u;
const date = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

/** Whether a string is a calendar date such as `2026-02-28`. */
export function isDate(value: string): boolean {
  const [, year = '', month = '', day = ''] = date.exec(value) ?? [];
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return month >= '01' && month <= '12' && day >= '01' && Number(day) <= last;
}

/** Whether the API server accepts a `date-time`: RFC 3339; it ignores the rest from a second `t` on (`strfmt.IsDateTime` of k8s.io/kube-openapi). */
export function isDateTime(value: string): boolean {
  const [day = '', timeOfDay = ''] = value.toLowerCase().split('t');
  const [, hour = '99', minute = '', second = ''] = time.exec(timeOfDay) ?? [];
  return isDate(day) && hour <= '23' && minute <= '59' && second <= '59';
}

/** Whether the API server accepts a string as `byte`: base64 with padding (RFC 4648, section 4), not empty. */
export function isBase64(value: string): boolean {
  return base64.test(value);
}

/** String checks by the name of the format in a schema. */
export const formats = { byte: isBase64, 'date-time': isDateTime } as const;
