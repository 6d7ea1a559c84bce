import type { JsonObject } from '../../../json/index.ts';
import { placePanels, type Row } from './panels.ts';

/** A dashboard variable with the values of a label. */
interface Variable {
  readonly name: string;
  readonly metric: string;
  readonly label: string;
  readonly multi: boolean;
}

/** A dashboard, independent of the JSON of Grafana. */
export interface Dashboard {
  /** Stable id; links to the dashboard hold it. */
  readonly uid: string;
  readonly title: string;
  readonly tags: readonly string[];
  /** Initial time range, such as `1h`. */
  readonly since: string;
  readonly variables: readonly Variable[];
  readonly rows: readonly Row[];
}

/** The dashboard as Grafana stores it. */
export function dashboardJson(dashboard: Dashboard): JsonObject {
  return {
    uid: dashboard.uid,
    title: dashboard.title,
    tags: dashboard.tags,
    schemaVersion: 41,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    timezone: 'browser',
    time: { from: `now-${dashboard.since}`, to: 'now' },
    annotations: { list: [] },
    links: [],
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', current: {}, hide: 0, refresh: 1 },
        ...dashboard.variables.map((v) => ({
          name: v.name,
          label: v.label,
          type: 'query',
          datasource: { type: 'prometheus', uid: '${datasource}' },
          query: { query: `label_values(${v.metric}, ${v.label})`, refId: v.name },
          refresh: 2,
          sort: 1,
          multi: v.multi,
          includeAll: true,
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
        })),
      ],
    },
    panels: placePanels(dashboard.rows),
  };
}
