import { truthy, templateString, type Value } from './go-values.ts';

/** Cuts a name to 63 characters and removes one trailing hyphen, as the charts do. */
export function cut(name: string): string {
  return name.slice(0, 63).replace(/-$/, '');
}

/** Input of `fullName`. */
interface NameSource {
  readonly release: string;
  /** The chart's name, such as `nats`. */
  readonly chart: string;
  readonly nameOverride?: Value;
  readonly fullnameOverride?: Value;
}

/** Full name of a part: the override, the release if it contains the part's name, otherwise both joined. */
export function fullName(source: NameSource): string {
  if (truthy(source.fullnameOverride)) return cut(templateString(source.fullnameOverride));
  const name = truthy(source.nameOverride) ? templateString(source.nameOverride) : source.chart;
  return cut(source.release.includes(name) ? source.release : `${source.release}-${name}`);
}

/** Chart name of a platform part, or its `nameOverride`: the value of the label `app.kubernetes.io/name`. */
export function chartName(source: Pick<NameSource, 'chart' | 'nameOverride'>): string {
  return cut(truthy(source.nameOverride) ? templateString(source.nameOverride) : source.chart);
}

/** Full name of etcd, whose chart replaces characters other than letters and digits of the release name with hyphens. */
export function etcdFullName(source: Omit<NameSource, 'chart'>): string {
  const release = source.release.toLowerCase().replace(/-?[^a-z0-9-]+-?/g, '-');
  return fullName({ ...source, chart: 'etcd', release });
}
