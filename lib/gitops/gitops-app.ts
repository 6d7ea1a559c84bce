import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { App, type AppProps, type Chart } from 'cdk8s';
import { crds } from '../api/index.ts';
import { isObject, type Json } from '../json/index.ts';
import { DynamoCrds, DynamoPlatform } from '../platform/constructs/index.ts';
import type { KubernetesObject } from '../platform/index.ts';
import { helmChart } from './helm/chart.ts';
import type { Environment, GitopsInput, OutputFile, Repository } from './layout.ts';
import { layouts } from './layouts.ts';

/** Properties of `GitOpsApp`. */
export interface GitOpsAppProps extends Pick<AppProps, 'outdir'> {
  /** How the output is laid out. */
  readonly layout: keyof typeof layouts | 'helm';
  /**
   * Git repository that will hold the output.
   * @default - none; the layouts argocd and flux need one
   */
  readonly repository?: Pick<Repository, 'url'> & Partial<Repository>;
}

/**
 * An app that writes a GitOps folder: every chart with a `DynamoPlatform` is an environment of that chart's name, the other charts are graphs and
 * what belongs to them. The six CRDs are always part of it.
 */
export class GitOpsApp extends App {
  readonly #props: GitOpsAppProps;

  constructor(props: GitOpsAppProps) {
    super(props);
    this.#props = props;
  }

  override synth(): void {
    this.synthYaml(); // validates every construct, so that nothing is written when something is wrong
    const files = this.#files();
    rmSync(this.outdir, { recursive: true, force: true });
    for (const { path, text } of files) {
      mkdirSync(dirname(join(this.outdir, path)), { recursive: true });
      writeFileSync(join(this.outdir, path), text);
    }
  }

  #files(): readonly OutputFile[] {
    const { layout, repository } = this.#props;
    const [first, ...more] = this.#platforms();
    if (first === undefined) throw new Error('GitOpsApp: no chart holds a DynamoPlatform; add one');
    const graphs = this.charts.filter((c) => !holds(c, DynamoPlatform) && !holds(c, DynamoCrds)).flatMap(objectsOf);
    if (layout === 'helm') {
      if (more.length > 0)
        throw new Error('GitOpsApp: a Helm chart is made from one DynamoPlatform; give environments to helm as values files');
      return helmChart({ values: first.platform.values, options: first.platform.options, crds: crds(), graphs });
    }
    const definition = layouts[layout];
    if (definition.needsRepository && repository === undefined)
      throw new Error(`GitOpsApp: layout ${layout} needs the repository that will hold the output`);
    const environments = [first, ...more].map(({ name, platform }): Environment => ({
      name,
      namespace: platform.namespace,
      parts: platform.parts.filter((p) => p.objects.length > 0),
    }));
    const [base] = environments;
    const input: GitopsInput = {
      base: base ?? { name: 'default', namespace: '', parts: [] },
      environments,
      graphs,
      crds: crds(),
    };
    return definition.write(input, { revision: 'main', path: '', url: '', ...repository });
  }

  #platforms(): readonly { readonly name: string; readonly platform: DynamoPlatform }[] {
    return this.charts.flatMap((chart) =>
      chart.node.findAll().flatMap((c) => (c instanceof DynamoPlatform ? [{ name: chart.node.id, platform: c }] : [])),
    );
  }
}

function holds(chart: Chart, kind: abstract new (...args: never[]) => object): boolean {
  return chart.node.findAll().some((c) => c instanceof kind);
}

function objectsOf(chart: Chart): readonly KubernetesObject[] {
  return chart.toJson().flatMap((object: Json) => {
    const { apiVersion, kind, metadata } = isObject(object) ? object : {};
    if (
      !isObject(object) ||
      typeof apiVersion !== 'string' ||
      typeof kind !== 'string' ||
      !isObject(metadata) ||
      typeof metadata['name'] !== 'string'
    )
      return [];
    return [{ ...object, apiVersion, kind, metadata: { ...metadata, name: metadata['name'] } }];
  });
}
