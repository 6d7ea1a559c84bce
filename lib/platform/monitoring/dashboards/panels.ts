import type { JsonObject } from '../../../json/index.ts';

/** A PromQL query of a panel. */
interface Query {
  readonly expression: string;
  /** Legend of a series, such as `{{resource_type}}`. */
  readonly legend: string;
}

/** A panel without its position. */
export interface Panel {
  readonly title: string;
  readonly type: 'timeseries' | 'stat' | 'gauge';
  /** Grafana's name of the unit, such as `s` or `reqps`. */
  readonly unit: string;
  readonly queries: readonly Query[];
  readonly stacked?: boolean;
  /** Colours and the values at which they start, lowest first; the first has no value. */
  readonly thresholds?: readonly { readonly colour: string; readonly value: number | null }[];
  readonly range?: readonly [number, number];
}

/** Panels under a heading; two or three are side by side. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const height = 8;
const width = 24;
const source = { type: 'prometheus', uid: '${datasource}' };

/** Places rows of panels on the grid, top to bottom, without overlap. */
export function placePanels(rows: readonly Row[]): readonly JsonObject[] {
  const placed: JsonObject[] = [];
  let y = 0;
  for (const row of rows) {
    placed.push({
      id: placed.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: { h: 1, w: width, x: 0, y },
    });
    y += 1;
    const across = row.panels.length === 4 ? 2 : Math.min(3, row.panels.length);
    row.panels.forEach((panel, i) => {
      const gridPos = {
        h: height,
        w: width / across,
        x: (i % across) * (width / across),
        y: y + Math.floor(i / across) * height,
      };
      placed.push({ id: placed.length + 1, ...panelBody(panel), gridPos });
    });
    y += Math.ceil(row.panels.length / across) * height;
  }
  return placed;
}

function panelBody(panel: Panel): JsonObject {
  const steps = (panel.thresholds ?? [{ colour: 'green', value: null }]).map((t) => ({ color: t.colour, value: t.value }));
  return {
    type: panel.type,
    title: panel.title,
    datasource: source,
    fieldConfig: {
      defaults: {
        unit: panel.unit,
        thresholds: { mode: 'absolute', steps },
        ...(panel.range ? { min: panel.range[0], max: panel.range[1] } : {}),
        ...(panel.type === 'timeseries'
          ? { custom: { fillOpacity: panel.stacked ? 40 : 10, stacking: { mode: panel.stacked ? 'normal' : 'none' } } }
          : {}),
      },
      overrides: [],
    },
    options:
      panel.type === 'timeseries'
        ? {
            legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] },
            tooltip: { mode: 'multi', sort: 'desc' },
          }
        : { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false } },
    targets: panel.queries.map((q, i) => ({
      refId: String.fromCharCode(65 + i),
      datasource: source,
      expr: q.expression,
      legendFormat: q.legend,
    })),
  };
}
