import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import type { Issue } from '../../api/index.ts';
import { formatPath } from '../../json/index.ts';
import type { KubernetesObject } from '../part.ts';
import { isClusterScoped } from '../scope-of-kinds.ts';
import { refusedPatches } from './patched-objects.ts';
import { withPodLabels } from './pod-labels.ts';

/** What happens to warnings at synth: printed to stderr, treated as errors, or left to the field `warnings`. */
export type WarningHandling = 'print' | 'fail' | 'ignore';

/** What a construct adds to its chart, and what is said about it. */
interface RenderedObjects {
  readonly objects: readonly KubernetesObject[];
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
}

function line(issue: Issue): string {
  return issue.path.length === 0 ? issue.message : `${formatPath(issue.path)}: ${issue.message}`;
}

const printed = new WeakMap<Construct, Set<string>>();

/** Prints a line once for each app, however often cdk8s asks. */
function printOnce(scope: Construct, text: string): void {
  const app = App.of(scope);
  const lines = printed.get(app) ?? new Set();
  printed.set(app, lines);
  if (lines.has(text)) return;
  lines.add(text);
  process.stderr.write(`warning: [${scope.node.path}] ${text}\n`);
}

/** A construct made of objects that a pure function rendered; what is wrong is reported at synth, all at once. */
export class RenderedConstruct extends Construct {
  /** The objects as cdk8s holds them, in order of application. */
  readonly objects: readonly ApiObject[];
  /** Warnings about the values. */
  readonly warnings: readonly string[];

  constructor(
    scope: Construct,
    id: string,
    rendered: RenderedObjects,
    handling: WarningHandling = 'print',
    chartFor?: (object: KubernetesObject) => Chart | undefined,
  ) {
    super(scope, id);
    this.objects = rendered.objects.map((object) => this.add(object, chartFor?.(object) ?? this));
    this.warnings = rendered.warnings.map(line);
    const errors = [...rendered.issues.map(line), ...(handling === 'fail' ? this.warnings : [])];
    this.node.addValidation({
      validate: () => {
        if (handling === 'print') for (const warning of this.warnings) printOnce(this, warning);
        return [...errors, ...this.#refusedPatches(rendered.objects), ...this.validateTogether()];
      },
    });
  }

  /** Problems that only arise together with other constructs of the same app. */
  protected validateTogether(): readonly string[] {
    return [];
  }

  /** What patches made of the objects that the API server would refuse. */
  #refusedPatches(rendered: readonly KubernetesObject[]): readonly string[] {
    return refusedPatches(
      this.objects.flatMap((held, i) => {
        const object = rendered[i];
        return object === undefined ? [] : [{ rendered: object, held }];
      }),
    );
  }

  private add(object: KubernetesObject, scope: Construct): ApiObject {
    const { kind, metadata } = object;
    const clusterScoped = isClusterScoped(object.apiVersion, kind);
    const id = [kind, ...(clusterScoped ? [] : [metadata.namespace]), metadata.name].join('/').replaceAll('/', '-');
    // A cdk8s chart puts its labels on its objects, and not on the pods that these make.
    const added = new ApiObject(scope, id, withPodLabels(object, Chart.of(scope).labels));
    // A cdk8s chart sets its namespace on every object that has none, also on cluster-scoped ones.
    if (clusterScoped && Chart.of(scope).namespace !== undefined) added.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
    return added;
  }
}
