/** The interface through which all parts of the operator report metrics. */

/** Labels of one series. */
export type Labels = Readonly<Record<string, string>>;

/** Receives numbers under Prometheus names. */
export interface MetricSink {
  /** Adds to a counter; adding 0 makes the series appear. */
  readonly count: (name: string, labels: Labels, by?: number) => void;
  /** Sets a gauge. */
  readonly set: (name: string, labels: Labels, value: number) => void;
  /** Forgets one series of a gauge. */
  readonly remove: (name: string, labels: Labels) => void;
  /** Records one value of a histogram. */
  readonly observe: (name: string, labels: Labels, value: number) => void;
  /** A gauge that is computed when somebody reads the page. */
  readonly collect: (name: string, labels: Labels, value: () => number) => void;
}

/** Drops everything: for commands that have no metrics page. */
export const noMetrics: MetricSink = { count: () => {}, set: () => {}, remove: () => {}, observe: () => {}, collect: () => {} };
