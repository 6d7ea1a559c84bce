import type { Dashboard } from './dashboard.ts';
import type { Panel } from './panels.ts';

const filter = '{namespace=~"$namespace"}';

function values(title: string, unit: string, series: Readonly<Record<string, string>>): Panel {
  return {
    title,
    type: 'timeseries',
    unit,
    queries: Object.entries(series).map(([metric, legend]) => ({
      expression: `planner:${metric}${filter}`,
      legend: `${legend} {{namespace}}`,
    })),
  };
}

function factor(title: string, metric: string): Panel {
  return {
    title,
    type: 'gauge',
    unit: 'short',
    range: [0, 2],
    thresholds: [
      { colour: 'green', value: null },
      { colour: 'yellow', value: 1.2 },
      { colour: 'red', value: 1.5 },
    ],
    queries: [{ expression: `planner:${metric}${filter}`, legend: '{{namespace}}' }],
  };
}

/** The dashboard of the planner: observed and predicted load, and the number of workers. */
export const plannerDashboard: Dashboard = {
  uid: 'dynamo-planner-dashboard',
  title: 'Dynamo Planner',
  tags: ['dynamo', 'planner'],
  since: '1h',
  variables: [{ name: 'namespace', metric: 'planner:num_p_workers', label: 'namespace', multi: true }],
  rows: [
    {
      title: 'Worker Counts & GPU Usage',
      panels: [
        values('Workers', 'short', { num_p_workers: 'prefill', num_d_workers: 'decode' }),
        values('Wanted Workers', 'short', { predicted_num_p: 'prefill', predicted_num_d: 'decode' }),
        values('GPU Hours', 'h', { gpu_hours: 'GPU hours' }),
      ],
    },
    {
      title: 'Observed',
      panels: [
        values('Request Rate', 'reqps', { observed_request_rate: 'observed', predicted_request_rate: 'predicted' }),
        values('Time to First Token', 'ms', { observed_ttft: 'observed' }),
        values('Inter-Token Latency', 'ms', { observed_itl: 'observed' }),
        values('Request Duration', 's', { observed_request_duration: 'observed' }),
      ],
    },
    {
      title: 'Predicted',
      panels: [
        values('Input Sequence Length', 'short', { observed_isl: 'observed', predicted_isl: 'predicted' }),
        values('Output Sequence Length', 'short', { observed_osl: 'observed', predicted_osl: 'predicted' }),
      ],
    },
    { title: 'Correction Factors', panels: [factor('Prefill', 'p_correction_factor'), factor('Decode', 'd_correction_factor')] },
  ],
};
