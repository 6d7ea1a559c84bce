/**
 * A Helm chart generated from the renderers of `lib/platform`, so that its templates are not a second implementation.
 *
 * A renderer is a function from values to objects. The chart's values fall into three groups:
 * - open values (`open-values.ts`) are passed through: the renderer gets a placeholder, which is replaced by a template expression afterwards;
 * - deciding values (`deciding-values.ts`) decide which objects and fields are rendered: the renderer runs once for each combination of them, and
 *   what differs goes into `if`;
 * - all other values are fixed when the chart is generated, and `values.schema.json` rejects them.
 *
 * For example, let `tag` be an open value, `replicas` a deciding value with the options one and several, and the renderer
 *
 *     (values) => ({ kind: 'Deployment', strategy: values.replicas > 1 ? 'RollingUpdate' : 'Recreate', image: `operator:${values.tag}` })
 *
 * 1. `Placeholders` creates `zz731000zz` for `.Values.tag`. The digits 731 do not occur like this in the values or in the rendered objects.
 * 2. `TemplateGenerator` renders both cases:
 *
 *        case 0: { kind: 'Deployment', strategy: 'RollingUpdate', image: 'operator:zz731000zz' }
 *        case 1: { kind: 'Deployment', strategy: 'Recreate',      image: 'operator:zz731000zz' }
 *
 * 3. `fold` merges equal parts. The result is a map whose `strategy` is a choice between the cases.
 * 4. `Conditions` finds the shortest test for the cases of a choice, and `TemplateWriter` writes
 *
 *        kind: Deployment
 *        {{- if gt (int .Values.replicas) 1 }}
 *        strategy: RollingUpdate
 *        {{- else }}
 *        strategy: Recreate
 *        {{- end }}
 *        image: {{ printf "operator:%s" .Values.tag | quote }}
 *
 * The chart rejects what the command line rejects: single values with its schema, combinations of values with `guards.ts`.
 */
export { crdsChart, helmChart, type ChartInput } from './chart.ts';
