import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../lib/json/index.ts';
import { goYaml } from '../../../lib/render/wire/go-yaml.ts';

// What sigs.k8s.io/yaml 1.6 makes of each value.
const written: readonly (readonly [JsonObject, string])[] = [
  [{ a: 1, b: 'x' }, 'a: 1\nb: x\n'],
  [{ b: { d: 1, c: 2 }, a: [1, 'two', true, null] }, 'a:\n- 1\n- two\n- true\n- null\nb:\n  c: 2\n  d: 1\n'],
  [{ a: [{ x: 1, y: [1] }, {}], b: [], c: {} }, 'a:\n- x: 1\n  "y":\n  - 1\n- {}\nb: []\nc: {}\n'],
  [{ a: [[1, 2], [3]] }, 'a:\n- - 1\n  - 2\n- - 3\n'],
  [
    {
      s: [
        'yes',
        'No',
        'on',
        '~',
        'null',
        '1',
        '01',
        '1.5',
        '1e3',
        '0x1f',
        '12:30',
        '2001-01-01',
        '.inf',
        '',
        'a: b',
        'a:b',
        'a #b',
        '#a',
        '- a',
        '-a',
        '*a',
        '&a',
        '!a',
        '@a',
        '%a',
        '{a',
        '[a',
        ' a',
        'a ',
        "it's",
        '"q"',
        'http://x:80/y',
        'nvcr.io/a:1.0',
        'é',
      ],
    },
    's:\n- "yes"\n- "No"\n- "on"\n- "~"\n- "null"\n- "1"\n- "01"\n- "1.5"\n- "1e3"\n- "0x1f"\n- "12:30"\n- "2001-01-01"\n- ".inf"\n- ""\n- \'a: b\'\n- a:b\n- \'a #b\'\n- \'#a\'\n- \'- a\'\n- -a\n- \'*a\'\n- \'&a\'\n- \'!a\'\n- \'@a\'\n- \'%a\'\n- \'{a\'\n- \'[a\'\n- \' a\'\n- \'a \'\n- it\'s\n- \'"q"\'\n- http://x:80/y\n- nvcr.io/a:1.0\n- é\n',
  ],
  [
    { t: 'a\nb\n', u: 'a\nb', v: ' a\nb\n\n', w: 'a\tb', x: '😀', y: 'tail \nb' },
    't: |\n  a\n  b\nu: |-\n  a\n  b\nv: |2+\n   a\n  b\n\nw: "a\\tb"\nx: "\\U0001F600"\n"y": "tail \\nb"\n',
  ],
  // A space at the end allows no block scalar.
  [{ t: 'a\nb ' }, 't: "a\\nb "\n'],
  [
    { n: [0.5, 1e-7, 1234567.5, 1e21, 123456789012, -1] },
    '"n":\n- 0.5\n- 1e-07\n- 1.2345675e+06\n- 1e+21\n- 123456789012\n- -1\n',
  ],
  [
    {
      long: 'word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word',
      q: "it's: word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word",
      d: 'word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word\t',
    },
    "d: \"word word word word word word word word word word word word word word word word\n  word word word word word word word word word word word word word word\\t\"\nlong: word word word word word word word word word word word word word word word word\n  word word word word word word word word word word word word word word\nq: 'it''s: word word word word word word word word word word word word word word word\n  word word word word word word word word word word word word word word word'\n",
  ],
];

test.each(written)('writes %j as the Kubernetes YAML library does', (value, text) => {
  expect(goYaml(value)).toBe(text);
});

test.each([
  '-',
  '?',
  ':',
  '- ',
  '?a',
  `\u0007${'word  '.repeat(40)}`,
  `\u0007${'a   b '.repeat(40)}`,
  `it's  ${'so   '.repeat(40)}x`,
  '\n',
  '\n\n',
  '\na',
  'a\n\n\n',
])('%j reads back unchanged', (value) => expect(parse(goYaml({ k: value }))).toEqual({ k: value }));
