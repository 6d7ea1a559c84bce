/** Parses an integer as `strconv.Atoi` does: an optional sign and decimal digits. */
export function atoi(value: string | undefined): number | undefined {
  return value !== undefined && /^[+-]?[0-9]+$/.test(value) ? Number(value) : undefined;
}
