/** Metrics kept for a test to look at. */
import type { Labels, MetricSink } from '../../lib/runtime/metric-sink.ts';

/** A sink that remembers; series are `name{label="value"}` with sorted labels. */
export class RecordedMetrics implements MetricSink {
  readonly #values = new Map<string, number>();
  readonly #observed = new Map<string, number[]>();
  readonly #collected = new Map<string, () => number>();

  readonly count = (name: string, labels: Labels, by = 1): void => {
    const series = seriesOf(name, labels);
    this.#values.set(series, (this.#values.get(series) ?? 0) + by);
  };
  readonly set = (name: string, labels: Labels, value: number): void => {
    this.#values.set(seriesOf(name, labels), value);
  };
  readonly remove = (name: string, labels: Labels): void => {
    this.#values.delete(seriesOf(name, labels));
  };
  readonly observe = (name: string, labels: Labels, value: number): void => {
    const series = seriesOf(name, labels);
    this.#observed.set(series, [...(this.#observed.get(series) ?? []), value]);
  };
  readonly collect = (name: string, labels: Labels, value: () => number): void => {
    this.#collected.set(seriesOf(name, labels), value);
  };

  /** Value of a counter or gauge. */
  value(name: string, labels: Labels = {}): number | undefined {
    const series = seriesOf(name, labels);
    return this.#collected.get(series)?.() ?? this.#values.get(series);
  }

  /** Values a histogram was given. */
  observed(name: string, labels: Labels = {}): readonly number[] {
    return this.#observed.get(seriesOf(name, labels)) ?? [];
  }
}

function seriesOf(name: string, labels: Labels): string {
  const pairs = Object.keys(labels)
    .toSorted()
    .map((label) => `${label}="${labels[label]}"`);
  return `${name}{${pairs.join(',')}}`;
}
