import { join, resolve } from 'node:path';
import { App, type AppProps, type Chart } from 'cdk8s';
import { crds, type KubernetesObject } from '../api/index.ts';
import { isObject, type Json } from '../json/index.ts';
import { DynamoCrds, DynamoPlatform } from '../platform/constructs/index.ts';
import { atPath, clientLabels, mergeLayers, platformContext, renderPlatform } from '../platform/index.ts';
import { writeFolder } from '../files/index.ts';
import { helmChart } from './helm/index.ts';
import { checkInput } from './check-input.ts';
import { defaultGraphNamespace, placeGraphs } from './graph-namespaces.ts';
import {
  defaultRevision,
  type Environment,
  type GitopsInput,
  type OutputFile,
  type PartObjects,
  type Repository,
  type Target,
} from './layout.ts';
import { layouts } from './layouts.ts';
import { folderReadme } from './readme.ts';
import { refusedPods } from './refused-pods.ts';
import { checkRepositoryUrl } from './repository-url.ts';

/** Properties of `GitOpsApp`. */
export interface GitOpsAppProps extends Pick<AppProps, 'outdir'> {
  /** Layout of the output folder. */
  readonly layout: keyof typeof layouts | 'helm';
  /**
   * Git repository that will hold the output.
   * @default - none; required by the layouts `argocd` and `flux`
   */
  readonly repository?: Pick<Repository, 'url'> & Partial<Repository>;
  /**
   * Cluster of each environment, by the id of its chart; the layouts `argocd` and `flux` require a different one for each environment.
   * @default - the cluster that the GitOps controller runs in
   */
  readonly targets?: Readonly<Record<string, Target>>;
  /**
   * Whether Secrets, tokens and credentials may be written.
   * @default false
   */
  readonly allowSecrets?: boolean;
}

/**
 * An app that writes a GitOps folder. Each chart with a `DynamoPlatform` is an environment with the id of the chart as its name; the other charts
 * contain graphs and their related objects. The six CRDs are always included.
 */
export class GitOpsApp extends App {
  readonly #props: GitOpsAppProps;

  constructor(props: GitOpsAppProps) {
    super(props);
    this.#props = props;
  }

  override synth(): void {
    this.synthYaml(); // validates every construct before anything is written
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
    if (first === undefined) throw new Error('GitOpsApp: no chart contains a DynamoPlatform; add one');
    const graphs = this.charts.filter((c) => !contains(c, DynamoPlatform) && !contains(c, DynamoCrds)).flatMap(objectsOf);
    if (layout === 'helm' && more.length > 0)
      throw new Error(
        `GitOpsApp: layout helm takes one DynamoPlatform, got ${more.length + 1}; use a values file per environment`,
      );
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
    const unknown = Object.keys(targets).filter((name) => !environments.some((environment) => environment.name === name));
    const problems = [
      ...new Set([
        ...unknown.map((name) => `targets.${name}: no chart with a DynamoPlatform has the id ${name}`),
        ...checkInput(input, { layout, allowSecrets }),
        ...environments.flatMap((e) => refusedPods(e, input.graphs)),
      ]),
    ];
    if (layout !== 'helm' && layouts[layout].needsRepository) {
      if (repository === undefined)
        throw new Error(`GitOpsApp: layout ${layout} requires the property repository, the Git repository of the output`);
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
      ...layouts[layout].write(input, { revision: defaultRevision, path: '', url: '', ...repository }),
    ];
  }

  #platforms(): readonly { readonly name: string; readonly platform: DynamoPlatform }[] {
    return this.charts.flatMap((chart) =>
      chart.node.findAll().flatMap((c) => (c instanceof DynamoPlatform ? [{ name: chart.node.id, platform: c }] : [])),
    );
  }
}

/** The Namespace of a platform whose values do not set `platform.namespace.create`: a GitOps folder includes it by default. */
function namespacePart({ values, options }: DynamoPlatform): readonly PartObjects[] {
  if (atPath(values, 'platform.namespace.create') !== undefined) return [];
  const { byPart } = renderPlatform(mergeLayers([values, { platform: { namespace: { create: true } } }]), options);
  return byPart.filter(({ name }) => name === 'namespace');
}

/** Labels of the namespaces whose pods may reach the NATS and etcd of a platform. */
function clientsOf({ values, options, parts }: DynamoPlatform): Environment['clientLabels'] {
  return parts.some(({ name }) => name === 'nats' || name === 'etcd')
    ? clientLabels(platformContext(values, options))
    : undefined;
}

function contains(chart: Chart, kind: abstract new (...args: never[]) => object): boolean {
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
