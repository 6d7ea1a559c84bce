/** Names, keys, labels, quantities and ports on both sides of what is allowed. */
import type { Json } from '../../../lib/json/index.ts';

export const long = (count: number): string => 'x'.repeat(count);
export const names = [
  'a',
  'A',
  'a_b',
  '-a',
  'a-',
  'a.b',
  '1a',
  '',
  'a b',
  'ä',
  long(63),
  long(64),
  long(253),
  long(254),
  '.',
  '..',
  'a/b',
  'a%b',
];
const keys = [
  'a',
  'A.b_c-d',
  'example.com/a',
  'example.com/',
  '/a',
  'a/b/c',
  'Ex.com/a',
  long(63),
  long(64),
  `example.com/${long(64)}`,
  '-a',
  'a b',
  `${long(253)}/a`,
  `${long(254)}/a`,
];
export const labels: readonly Json[] = [
  ...keys.map((key) => ({ [key]: 'v' })),
  ...['', 'v', 'v.1_2-3', '-v', 'v-', 'v v', long(63), long(64), 'v/w', 'ä'].map((value) => ({ key: value })),
];
export const quantities = ['0', '1', '-1', '0.5', '100m', '1.5', '1e3', '1Gi', '0.1m', '500n'];
export const ports: readonly Json[] = [
  0,
  1,
  65535,
  65536,
  -1,
  'http',
  'HTTP',
  'a-b',
  'a--b',
  '-a',
  '8080',
  '',
  long(15),
  long(16),
];
