import { chartFile } from '../../../lib/gitops/helm/chart-file.ts';
import { etcdDecisions, natsDecisions, operatorDecisions } from '../../../lib/gitops/helm/deciding-values.ts';
import { documentedValues } from '../../../lib/gitops/helm/documented-values.ts';
import { validateTemplate } from '../../../lib/gitops/helm/guards.ts';
import { namedTemplates } from '../../../lib/gitops/helm/named-templates.ts';
import { notesTemplate } from '../../../lib/gitops/helm/notes.ts';
import type { ChartValue } from '../../../lib/gitops/helm/open-values.ts';
import { testPod } from '../../../lib/gitops/helm/test-pod.ts';
import { valuesFile } from '../../../lib/gitops/helm/values-file.ts';
import type { OutputFile } from '../../../lib/gitops/layout.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { OperatorKind } from '../../../lib/platform/index.ts';

/** Every value of a chart that is made with the given ones. */
export function chartValues(kind: OperatorKind = 'original', values: JsonObject = {}): readonly ChartValue[] {
  return documentedValues(
    [...operatorDecisions((path) => path, 1, kind), ...natsDecisions(values, {}), ...etcdDecisions(values, {}, {})],
    kind,
    true,
  );
}

/** A chart without the templates that are made from renderers, which take a second. */
export function quickChart(kind: OperatorKind = 'original'): readonly OutputFile[] {
  return [
    { path: 'Chart.yaml', text: chartFile('dynamo-platform', 'quick') },
    { path: 'values.yaml', text: valuesFile({}, chartValues(kind)) },
    { path: 'templates/_helpers.tpl', text: namedTemplates },
    { path: 'templates/NOTES.txt', text: notesTemplate(true) },
    { path: 'templates/validate.yaml', text: validateTemplate(kind) },
    { path: 'templates/tests/connection.yaml', text: testPod },
  ];
}
