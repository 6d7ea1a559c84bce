import { ApiObject, type ApiObjectProps, App, Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import type { Issue, KubernetesObject } from '../../api/index.ts';
import { formatPath } from '../../json/index.ts';
import { isClusterScoped } from '../scope-of-kinds.ts';
import { refusedPatches } from './patched-objects.ts';
import { withPodLabels } from './pod-labels.ts';

/** How warnings are handled at synth: printed to stderr, treated as errors, or only kept in the field `warnings`. */
export type WarningHandling = 'print' | 'fail' | 'ignore';

/** The objects that a construct adds to its chart, and the issues and warnings about them. */
interface RenderedObjects {
  readonly objects: readonly KubernetesObject[];
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
}

function line(issue: Issue): string {
  return issue.path.length === 0 ? issue.message : `${formatPath(issue.path)}: ${issue.message}`;
}

const printed = new WeakMap<Construct, Set<string>>();

/** Prints a warning once per app, since cdk8s may validate a construct several times. */
function printOnce(scope: Construct, warning: string): void {
  const app = App.of(scope);
  const lines = printed.get(app) ?? new Set();
  printed.set(app, lines);
  if (lines.has(warning)) return;
  lines.add(warning);
  process.stderr.write(`warning: [${scope.node.path}] ${warning}\n`);
}

/** A construct of objects that a pure function rendered; all errors are reported together at synth. */
export class RenderedConstruct extends Construct {
  /** The objects as cdk8s constructs, in the order to apply them. */
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

  /** Errors that depend on other constructs of the same app. */
  protected validateTogether(): readonly string[] {
    return [];
  }

  /** Errors about patches that make objects invalid for the API server. */
  #refusedPatches(rendered: readonly KubernetesObject[]): readonly string[] {
    return refusedPatches(
      this.objects.flatMap((patched, i) => {
        const object = rendered[i];
        return object === undefined ? [] : [{ rendered: object, patched }];
      }),
    );
  }

  private add(object: KubernetesObject, scope: Construct): ApiObject {
    const { kind, metadata } = object;
    const clusterScoped = isClusterScoped(object.apiVersion, kind);
    const id = [kind, ...(clusterScoped ? [] : [metadata.namespace]), metadata.name].join('/').replaceAll('/', '-');
    // A cdk8s chart adds its labels to its objects, but not to their pod templates.
    const added = new ApiObject(scope, id, apiObjectProps(withPodLabels(object, Chart.of(scope).labels)));
    // A cdk8s chart sets its namespace on every object without one, including cluster-scoped objects.
    if (clusterScoped && Chart.of(scope).namespace !== undefined) added.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
    return added;
  }
}

/** The object with lists of metadata that cdk8s may write to. */
function apiObjectProps(object: KubernetesObject): ApiObjectProps {
  const { finalizers, ownerReferences, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
      ...(ownerReferences === undefined ? {} : { ownerReferences: [...ownerReferences] }),
    },
  };
}
