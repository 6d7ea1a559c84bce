import { join, resolve } from 'node:path';
import { App, type AppProps, type Chart } from 'cdk8s';
import { crds } from '../api/index.ts';
import { isObject, type Json } from '../json/index.ts';
import { DynamoCrds, DynamoPlatform } from '../platform/constructs/index.ts';
import { atPath, clientLabels, mergeLayers, platformContext, renderPlatform, type KubernetesObject } from '../platform/index.ts';
import { writeFolder } from '../files/index.ts';
import { helmChart } from './helm/index.ts';
import { checkInput } from './check-input.ts';
import { defaultGraphNamespace, placeGraphs } from './graph-namespaces.ts';
import type { Environment, GitopsInput, OutputFile, PartObjects, Repository, Target } from './layout.ts';
import { layouts } from './layouts.ts';
import { folderReadme } from './readme.ts';
import { refusedPods } from './refused-pods.ts';
import { checkRepositoryUrl } from './repository-url.ts';

/** Properties of `GitOpsApp`. */
export interface GitOpsAppProps extends Pick<AppProps, 'outdir'> {
  /** How the output is laid out. */
  readonly layout: keyof typeof layouts | 'helm';
  /**
   * Git repository that will hold the output.
   * @default - none; the layouts argocd and flux need one
   */
  readonly repository?: Pick<Repository, 'url'> & Partial<Repository>;
  /**
   * The cluster of each environment, by the name of its chart; Argo CD and Flux need one for each of several environments.
   * @default - the cluster of the GitOps controller
   */
  readonly targets?: Readonly<Record<string, Target>>;
  /**
   * Whether Secrets, tokens and credentials may be written.
   * @default false
   */
  readonly allowSecrets?: boolean;
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
    const { problems } = writeFolder({
      folder: resolve(this.outdir),
      files: this.#files(),
      owner: `GitOpsApp --layout ${this.#props.layout}`,
    });
    if (problems.length > 0)
      throw new Error(`GitOpsApp: ${problems.map(({ path, message }) => `${join(this.outdir, path)}: ${message}`).join('\n')}`);
  }

  #files(): readonly OutputFile[] {
    const { layout, repository, targets = {}, allowSecrets = false } = this.#props;
    const [first, ...more] = this.#platforms();
    if (first === undefined) throw new Error('GitOpsApp: no chart holds a DynamoPlatform; add one');
    const graphs = this.charts.filter((c) => !holds(c, DynamoPlatform) && !holds(c, DynamoCrds)).flatMap(objectsOf);
    if (layout === 'helm' && more.length > 0)
      throw new Error('GitOpsApp: a Helm chart is made from one DynamoPlatform; give environments to helm as values files');
    const environments = [first, ...more].map(({ name, platform }): Environment => ({
      name,
      namespace: platform.namespace,
      parts: [...namespacePart(platform), ...platform.parts].filter((p) => p.objects.length > 0),
      ...(targets[name] === undefined ? {} : { target: targets[name] }),
      operatorRelease: platform.operatorRelease,
      clientLabels: clientsOf(platform),
    }));
    const [base] = environments;
    const input: GitopsInput = {
      base: base ?? { name: 'default', namespace: '', parts: [] },
      environments,
      graphs: placeGraphs(graphs, defaultGraphNamespace, environments),
      crds: crds(),
    };
    const problems = [
      ...new Set([...checkInput(input, { layout, allowSecrets }), ...environments.flatMap((e) => refusedPods(e, input.graphs))]),
    ];
    if (layout !== 'helm' && layouts[layout].needsRepository) {
      if (repository === undefined) throw new Error(`GitOpsApp: layout ${layout} needs the repository that will hold the output`);
      const wrong = checkRepositoryUrl(layout, repository.url);
      if (wrong !== undefined) throw new Error(`GitOpsApp: repository.url ${wrong}`);
    }
    if (problems.length > 0) throw new Error(`GitOpsApp: ${problems.join('\n')}`);
    if (layout === 'helm')
      return helmChart({
        values: first.platform.values,
        options: first.platform.options,
        crds: input.crds,
        graphs: input.graphs,
      });
    const notes = [first, ...more].flatMap(({ platform }) => renderPlatform(platform.values, platform.options).notes);
    return [
      folderReadme(layout, input, [...new Set(notes)]),
      ...layouts[layout].write(input, { revision: 'main', path: '', url: '', ...repository }),
    ];
  }

  #platforms(): readonly { readonly name: string; readonly platform: DynamoPlatform }[] {
    return this.charts.flatMap((chart) =>
      chart.node.findAll().flatMap((c) => (c instanceof DynamoPlatform ? [{ name: chart.node.id, platform: c }] : [])),
    );
  }
}

/** The namespace of a platform whose values do not say whether it is made: a GitOps repository brings it along. */
function namespacePart({ values, options }: DynamoPlatform): readonly PartObjects[] {
  if (atPath(values, 'platform.namespace.create') !== undefined) return [];
  const { byPart } = renderPlatform(mergeLayers([values, { platform: { namespace: { create: true } } }]), options);
  return byPart.filter(({ name }) => name === 'namespace');
}

/** Labels of the namespaces that NATS and etcd of a platform admit. */
function clientsOf({ values, options, parts }: DynamoPlatform): Environment['clientLabels'] {
  return parts.some(({ name }) => name === 'nats' || name === 'etcd')
    ? clientLabels(platformContext(values, options))
    : undefined;
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
