/**
 * Checks of names, worded as the API server words them; each returns why a value is invalid, and nothing when it is valid.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */

const label1123 = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain1123 = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const qualified = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const tooLong = (limit: number): string => `must be no more than ${limit} characters`;
const regexError = (message: string, example: string, pattern: string): string =>
  `${message} (e.g. ${example}, regex used for validation is '${pattern}')`;

/** A check of a name. */
export type NameCheck = (value: string) => readonly string[];

/** An RFC 1123 label, such as the name of a container. */
export const checkDnsLabel: NameCheck = (value) => [
  ...(value.length > 63 ? [tooLong(63)] : []),
  ...(label1123.test(value)
    ? []
    : [
        regexError(
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
          "'my-name',  or '123-abc'",
          '[a-z0-9]([-a-z0-9]*[a-z0-9])?',
        ),
      ]),
];

/** An RFC 1123 subdomain, such as the name of most objects. */
export const checkDnsSubdomain: NameCheck = (value) => [
  ...(value.length > 253 ? [tooLong(253)] : []),
  ...(subdomain1123.test(value)
    ? []
    : [
        regexError(
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
          "'example.com'",
          '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*',
        ),
      ]),
];

/** An RFC 1035 label, which starts with a letter, such as the name of a Service. */
export const checkDns1035Label: NameCheck = (value) => [
  ...(value.length > 63 ? [tooLong(63)] : []),
  ...(label1035.test(value)
    ? []
    : [
        regexError(
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
          "'my-name',  or 'abc-123'",
          '[a-z]([-a-z0-9]*[a-z0-9])?',
        ),
      ]),
];

/** A path segment name, which is safe in a URL path, such as the name of a Role. */
export const checkPathSegment: NameCheck = (value) => [
  ...(value === '.' || value === '..' ? [`may not be '${value}'`] : []),
  ...['/', '%'].filter((c) => value.includes(c)).map((c) => `may not contain '${c}'`),
];

/** A key of labels, annotations or resources: a name with an optional DNS subdomain prefix. */
export const checkQualifiedName: NameCheck = (value) => {
  const parts = value.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2)
    return [
      regexError(
        "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        "'MyName',  or 'my.name',  or '123-abc'",
        '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]',
      ) + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ];
  const prefix =
    parts.length === 2
      ? parts[0] === ''
        ? ['prefix part must be non-empty']
        : checkDnsSubdomain(parts[0] ?? '').map((m) => `prefix part ${m}`)
      : [];
  const own = name === '' ? ['name part must be non-empty'] : name.length > 63 ? [`name part ${tooLong(63)}`] : [];
  const form = qualified.test(name)
    ? []
    : [
        regexError(
          "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
          "'MyName',  or 'my.name',  or '123-abc'",
          '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]',
        ),
      ];
  return [...prefix, ...own, ...form];
};

/** The value of a label: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
export const checkLabelValue: NameCheck = (value) => [
  ...(value.length > 63 ? [tooLong(63)] : []),
  ...(labelValue.test(value)
    ? []
    : [
        regexError(
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
          "'MyValue',  or 'my_value',  or '12345'",
          '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?',
        ),
      ]),
];

/** The name of an environment variable: any printable ASCII except `=`, as the feature `RelaxedEnvironmentVariableValidation` allows. */
export const checkEnvName: NameCheck = (value) =>
  /^[ -<>-~]+$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];

/** The name of a container port: a service name by RFC 6335. */
export const checkPortName: NameCheck = (value) => [
  ...(value.length > 15 ? [tooLong(15)] : []),
  ...(/^[-a-z0-9]+$/.test(value) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(value) ? [] : ['must contain at least one letter (a-z)']),
  ...(value.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(value !== '' && (value.startsWith('-') || value.endsWith('-')) ? ['must not begin or end with a hyphen'] : []),
];

/** A key of a ConfigMap or Secret. */
export const checkConfigKey: NameCheck = (value) => [
  ...(value.length > 253 ? [tooLong(253)] : []),
  ...(/^[-._a-zA-Z0-9]+$/.test(value)
    ? value === '.'
      ? ["must not be '.'"]
      : value === '..'
        ? ["must not be '..'"]
        : value.startsWith('..')
          ? ["must not start with '..'"]
          : []
    : [
        regexError(
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
          "'key.name',  or 'KEY_NAME',  or 'key-name'",
          '[-._a-zA-Z0-9]+',
        ),
      ]),
];

/** A host of an Ingress rule, with an optional leading `*.`. */
export const checkIngressHost: NameCheck = (value) => {
  if (!value.includes('*')) return checkDnsSubdomain(value);
  const rest = value.slice(2);
  return value.startsWith('*.') && subdomain1123.test(rest) && value.length <= 253
    ? []
    : [
        regexError(
          "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
          "'*.example.com'",
          '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*',
        ),
      ];
};

/** Whether a string is an IPv4 or IPv6 address; leading zeros are accepted. */
export function isIpAddress(value: string): boolean {
  const parts = value.split('.');
  const v4 = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  return v4 || (value.includes(':') && /^[0-9a-fA-F:.]+$/.test(value) && (value.match(/::/g) ?? []).length <= 1);
}
