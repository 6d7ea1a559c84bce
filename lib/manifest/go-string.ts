const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeStrict(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Number of bytes of the UTF-8 character that begins with this byte. */
function characterLength(lead: number): number {
  if (lead < 0x80) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Decodes UTF-8 as Go does: U+FFFD for every invalid byte (`utf8.DecodeRune`), where `TextDecoder` may write one for several bytes. */
export function goString(bytes: Uint8Array): string {
  const whole = decodeStrict(bytes);
  if (whole !== undefined) return whole;
  let decoded = '';
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes[at] ?? 0);
    const character = at + length <= bytes.length ? decodeStrict(bytes.subarray(at, at + length)) : undefined;
    decoded += character ?? '\ufffd';
    at += character === undefined ? 1 : length;
  }
  return decoded;
}
