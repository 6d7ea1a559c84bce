import type { Dashboard } from './dashboard.ts';
import type { Panel } from './panels.ts';

const filter = 'namespace=~"$namespace"';

function average(title: string, metric: string, unit: string, factor = 1): Panel {
  const scale = factor === 1 ? '' : `${factor} * `;
  const rate = (suffix: string): string =>
    `sum by (dynamo_namespace, model) (rate(dynamo_frontend_${metric}_${suffix}{${filter}}[5m]))`;
  return {
    title,
    type: 'timeseries',
    unit,
    queries: [{ expression: `${scale}${rate('sum')} / ${rate('count')}`, legend: '{{dynamo_namespace}} {{model}}' }],
  };
}

function percentile(title: string, metric: string): Panel {
  const buckets = `sum by (le, dynamo_namespace) (rate(dynamo_frontend_${metric}_bucket{${filter}}[5m]))`;
  return {
    title,
    type: 'timeseries',
    unit: 's',
    queries: [0.5, 0.95, 0.99].map((q) => ({
      expression: `histogram_quantile(${q}, ${buckets})`,
      legend: `p${q * 100} {{dynamo_namespace}}`,
    })),
  };
}

function perPod(title: string, expression: string, unit: string): Panel {
  return { title, type: 'timeseries', unit, queries: [{ expression, legend: '{{pod}}' }] };
}

/** The dashboard of graphs: requests and latency of frontends, load of workers, utilisation of GPUs. */
export const graphDashboard: Dashboard = {
  uid: 'dynamo-dashboard',
  title: 'Dynamo Graphs',
  tags: ['dynamo', 'graph'],
  since: '30m',
  variables: [{ name: 'namespace', metric: 'dynamo_frontend_requests_total', label: 'namespace', multi: true }],
  rows: [
    {
      title: 'Frontend',
      panels: [
        {
          title: 'Frontend Requests / Sec',
          type: 'timeseries',
          unit: 'reqps',
          queries: [
            {
              expression: `sum by (dynamo_namespace, model) (rate(dynamo_frontend_requests_total{${filter}}[1m]))`,
              legend: '{{dynamo_namespace}} {{model}}',
            },
          ],
        },
        average('Avg Time to First Token', 'time_to_first_token_seconds', 'ms', 1000),
        average('Avg Inter-Token Latency', 'inter_token_latency_seconds', 'ms', 1000),
        average('Avg Request Duration', 'request_duration_seconds', 'ms', 1000),
        average('Avg Input Sequence Length', 'input_sequence_tokens', 'short'),
        average('Avg Output Sequence Length', 'output_sequence_tokens', 'short'),
      ],
    },
    {
      title: 'Latency Percentiles',
      panels: [
        percentile('Time to First Token', 'time_to_first_token_seconds'),
        percentile('Inter-Token Latency', 'inter_token_latency_seconds'),
      ],
    },
    {
      title: 'Workers',
      panels: [
        perPod(
          'Requests / Sec',
          `sum by (pod) (rate(dynamo_component_requests_total{${filter}, dynamo_endpoint="generate"}[5m]))`,
          'reqps',
        ),
        perPod('Errors / Sec', `sum by (pod) (rate(dynamo_component_errors_total{${filter}}[5m]))`, 'reqps'),
        perPod(
          'Avg Request Duration',
          `sum by (pod) (rate(dynamo_component_request_duration_seconds_sum{${filter}}[5m])) / sum by (pod) (rate(dynamo_component_request_duration_seconds_count{${filter}}[5m]))`,
          's',
        ),
        perPod('Request Bytes / Sec', `sum by (pod) (rate(dynamo_component_request_bytes_total{${filter}}[5m]))`, 'Bps'),
        perPod('Response Bytes / Sec', `sum by (pod) (rate(dynamo_component_response_bytes_total{${filter}}[5m]))`, 'Bps'),
      ],
    },
    {
      title: 'GPUs',
      panels: [
        {
          title: 'Utilisation',
          type: 'timeseries',
          unit: 'percent',
          range: [0, 100],
          queries: [{ expression: 'DCGM_FI_DEV_GPU_UTIL', legend: '{{Hostname}} {{gpu}}' }],
        },
        {
          title: 'Memory Used',
          type: 'timeseries',
          unit: 'percentunit',
          range: [0, 1],
          queries: [
            { expression: 'DCGM_FI_DEV_FB_USED / (DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE)', legend: '{{Hostname}} {{gpu}}' },
          ],
        },
        {
          title: 'Power',
          type: 'timeseries',
          unit: 'watt',
          queries: [{ expression: 'DCGM_FI_DEV_POWER_USAGE', legend: '{{Hostname}} {{gpu}}' }],
        },
      ],
    },
  ],
};
