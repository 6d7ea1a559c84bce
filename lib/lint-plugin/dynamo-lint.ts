/**
 * Lint as a validation plugin of cdk8s: `cdk8s synth` runs it on the manifests that it wrote and fails when a finding is an error. It lints all
 * manifests of the app, whether constructs of this package create them or not. In cdk8s.yaml:
 *
 *     validations:
 *       - package: ./node_modules/dynamo-cdk8s/build/lint-plugin.cjs
 *         version: 0.1.0
 *         class: DynamoLint
 *         properties: { orchestrator: grove, gpusPerNode: 8 }
 */
import { readFileSync } from 'node:fs';
import {
  judgeDocuments,
  lintDocuments,
  locateFindings,
  renderDocuments,
  sourceFinding,
  type LintSettings,
  type LocatedFinding,
} from '../check/index.ts';
import { textLine } from '../cli/report/index.ts';
import { findRule } from '../lint/index.ts';
import { readManifests } from '../manifest/index.ts';

/** Properties of `DynamoLint`, as `properties` in cdk8s.yaml. */
export interface DynamoLintProps extends Pick<LintSettings, 'release' | 'orchestrator' | 'gpusPerNode' | 'gpuBudget' | 'gitops'> {
  /**
   * Namespace of objects without one.
   * @default default
   */
  readonly namespace?: string;
  /**
   * Whether to print warnings, to fail on them or to ignore them.
   * @default print
   */
  readonly warnings?: 'print' | 'fail' | 'ignore';
}

/** The part of cdk8s's validation context that the plugin uses. */
export interface ValidationContext {
  readonly manifests: readonly string[];
  readonly logger: { readonly log: (message: string) => void };
  readonly report: {
    readonly addViolation: (violation: Violation) => void;
    readonly submit: (status: 'success' | 'failure', metadata?: Readonly<Record<string, string>>) => void;
  };
}

/** A violated rule with the violating resources, as cdk8s prints it. */
export interface Violation {
  readonly ruleName: string;
  readonly recommendation: string;
  readonly fix: string;
  readonly violatingResources: readonly {
    readonly resourceName: string;
    readonly locations: readonly string[];
    readonly manifestPath: string;
  }[];
}

/** The plugin that cdk8s loads. */
export class DynamoLint {
  readonly #props: DynamoLintProps;

  constructor(props: DynamoLintProps = {}) {
    this.#props = props;
  }

  /** Lints all manifests of an app together. */
  async validate(context: ValidationContext): Promise<void> {
    const { warnings = 'print', namespace = 'default', ...props } = this.#props;
    const settings = { ...props, namespace };
    const read = context.manifests.map((path) => readManifests(readFileSync(path, 'utf8'), path));
    const judged = judgeDocuments(
      read.flatMap(({ documents }) => documents),
      settings,
    );
    const linted: readonly LocatedFinding[] = [
      ...read.flatMap(({ issues }) => issues.map(sourceFinding)),
      ...locateFindings(lintDocuments(renderDocuments(judged, settings), settings)),
    ];
    const failing = linted.filter(({ severity }) => severity === 'error' || warnings === 'fail');
    if (warnings === 'print')
      for (const finding of linted.filter(({ severity }) => severity === 'warning'))
        context.logger.log(textLine(finding, false).trimEnd());
    for (const id of new Set(failing.map((finding) => finding.id)))
      context.report.addViolation(
        violation(
          id,
          failing.filter((f) => f.id === id),
        ),
      );
    context.report.submit(failing.length > 0 ? 'failure' : 'success', { findings: String(linted.length) });
    await Promise.resolve();
  }
}

function violation(id: string, findings: readonly LocatedFinding[]): Violation {
  const rule = findRule(id);
  return {
    ruleName: `${id} ${rule?.title ?? ''}`.trimEnd(),
    recommendation: rule?.allowed ?? '',
    fix: rule?.fix ?? '',
    violatingResources: findings.map(({ object, file, line, path, message }) => ({
      resourceName: object?.name ?? '',
      locations: [`line ${line}, ${path}: ${message}`],
      manifestPath: file,
    })),
  };
}
