/**
 * A Helm chart made from the renderers of `lib/platform`, so that nobody writes its templates twice.
 *
 * A renderer is a function from values to objects. The chart's values fall into three groups:
 * - open values (`open-values.ts`) are passed through: the renderer sees a placeholder, which becomes an expression afterwards;
 * - deciding values (`deciding-values.ts`) say which objects and fields there are: the renderer runs once for each combination of them, and
 *   what differs goes into `if`;
 * - everything else is fixed when the chart is made, and `values.schema.json` refuses it.
 *
 * An example. Let `tag` be open and `replicas` decide between one and several, and let the renderer be
 *
 *     (values) => ({ kind: 'Deployment', strategy: values.replicas > 1 ? 'RollingUpdate' : 'Recreate', image: `operator:${values.tag}` })
 *
 * 1. `Placeholders` hands out `zz731000zz` for `.Values.tag`. The digits 731 are free: nothing in the values or in what they render to looks so.
 * 2. `TemplateGenerator` renders both cases:
 *
 *        case 0: { kind: 'Deployment', strategy: 'RollingUpdate', image: 'operator:zz731000zz' }
 *        case 1: { kind: 'Deployment', strategy: 'Recreate',      image: 'operator:zz731000zz' }
 *
 * 3. `fold` joins what is equal: a map whose `strategy` is a choice between the cases.
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
 * What the command line refuses, the chart refuses: by its schema where one value says it, by `guards.ts` where several do.
 */
export { crdsChart, helmChart, type ChartInput } from './chart.ts';
