/** A number as Go prints it, which is how Prometheus' own libraries write bucket bounds: `1e-08`, `0.005`, `10`. */
export function goFloat(value: number): string {
  if (!Number.isFinite(value) || value === 0) return String(value);
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
