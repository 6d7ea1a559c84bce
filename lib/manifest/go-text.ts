const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many bytes a character has that begins with this one. */
function lengthOf(lead: number): number {
  if (lead < 0x80) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Bytes as Go takes them for text: U+FFFD for each byte that is not part of a character, where browsers write one for several of them. */
export function goText(bytes: Uint8Array): string {
  const whole = decoded(bytes);
  if (whole !== undefined) return whole;
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = lengthOf(bytes[at] ?? 0);
    const character = at + length <= bytes.length ? decoded(bytes.subarray(at, at + length)) : undefined;
    text += character ?? '\ufffd';
    at += character === undefined ? 1 : length;
  }
  return text;
}
