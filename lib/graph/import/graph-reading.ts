import { valueAt, listAt } from '../../json/index.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Construct } from 'constructs';
import { isObject, type Json, type JsonObject } from '../../api/index.ts';
import { ModelCache, type CacheMountOptions } from '../model-cache.ts';
import { Model, type HuggingFaceOptions, type ModelPathOptions } from '../model.ts';
import type { Platform } from '../platform.ts';
import { Router, routerFlagOrder, type KvRouterOptions } from '../router.ts';
import { call, literal, name, print, type Code } from './code.ts';
import { commandLine, isPythonPath, type ServiceReading, type WorkerReading } from './component-plan.ts';
import { readEngineOptions } from './engine-args.ts';

/** A router read from a frontend, and the arguments it does not cover. */
interface RouterReading {
  readonly router: Code<Router> | undefined;
  readonly rest: readonly string[];
}

/** Reads the router from the arguments and environment variables of a frontend. */
export function readRouter(frontend: JsonObject): RouterReading {
  const [python = '', dash, module, ...args] = commandLine(frontend);
  const direct = isPythonPath(python) && dash === '-m' && module === 'dynamo.frontend';
  if (direct) {
    const options: Record<string, unknown> = {};
    let mode: string | undefined;
    const rest = readEngineOptions(
      routerFlagOrder,
      args,
      (_, left) => {
        if (left[0] !== '--router-mode' || left[1] === undefined) return 0;
        mode = left[1];
        return 2;
      },
      options,
    );
    // Without mode kv, `resetStates` is the only router option; other arguments are kept as arguments.
    const tuned = Object.keys(options).length > 0;
    if (mode === 'kv') return { router: kvRouter(tuned ? options : { modeInArgs: true }), rest };
    if (mode === undefined && isDeepStrictEqual(options, { resetStates: true })) {
      return { router: call('Router.roundRobin', (o: object) => Router.roundRobin(o), literal({ resetStates: true })), rest };
    }
    if (tuned || mode !== undefined) return { router: undefined, rest: args };
  }
  const mode = listAt(frontend, 'envs').find((e) => isDeepStrictEqual(e, { name: 'DYN_ROUTER_MODE', value: 'kv' }));
  const plain = direct || valueAt(frontend, 'extraPodSpec', 'mainContainer', 'args') === undefined;
  return { router: mode !== undefined && plain ? kvRouter({}) : undefined, rest: args };
}

function kvRouter(options: Readonly<Record<string, unknown>>): Code<Router> {
  return call('Router.kv', (o: KvRouterOptions) => Router.kv(o), literal(options));
}

/** A model cache read from a graph. */
export interface CacheReading {
  readonly claimName: string;
  readonly options: CacheMountOptions;
}

/** Reads the claims for weights and compiled kernels; undefined unless all components mount them alike. */
export function readCache(pvcs: Json | undefined, services: readonly ServiceReading[]): CacheReading | undefined {
  const claims = Array.isArray(pvcs) ? (pvcs as readonly Json[]) : [];
  const plain = claims.every(
    (c) => isObject(c) && Object.keys(c).length === 2 && c['create'] === false && typeof c['name'] === 'string',
  );
  const [claim, second] = claims.map((c) => valueAt(c, 'name'));
  if (!plain || typeof claim !== 'string' || claims.length > 2) return undefined;
  const mounted = services.map((s) => listAt(s.spec, 'volumeMounts')).filter((m) => m.length > 0);
  const path = valueAt(mounted[0]?.[0], 'mountPoint');
  const kernels = valueAt(mounted.find((m) => m.length > 1)?.[1], 'mountPoint');
  if (typeof path !== 'string' || (second !== undefined && typeof kernels !== 'string')) return undefined;
  const weights = { name: claim, mountPoint: path };
  const both = [weights, { name: second, mountPoint: kernels, useAsCompilationCache: true }];
  if (!mounted.every((m) => isDeepStrictEqual(m, [weights]) || (second !== undefined && isDeepStrictEqual(m, both))))
    return undefined;
  const hfHome = services.every(
    (s) =>
      listAt(s.spec, 'volumeMounts').length === 0 ||
      listAt(s.spec, 'envs').some((e) => isDeepStrictEqual(e, { name: 'HF_HOME', value: path })),
  );
  return {
    claimName: claim,
    options: {
      mountPath: path,
      ...(hfHome ? {} : { hfHome: false }),
      ...(typeof second === 'string' && typeof kernels === 'string'
        ? { compilationClaimName: second, compilationMountPath: kernels }
        : {}),
    },
  };
}

/** Code for a model cache. */
export function cacheCode(reading: CacheReading, chart: Construct, id: string): Code<ModelCache> {
  const make = (scope: Construct, ownId: string, claim: string, options: CacheMountOptions): ModelCache =>
    ModelCache.fromClaimName(scope, ownId, claim, options);
  return call(
    'ModelCache.fromClaimName',
    make,
    name('chart', chart),
    literal(id),
    literal(reading.claimName),
    literal(reading.options),
  );
}

/** Code for a worker's model; `secrets` are the token Secrets of all workers that serve it. */
export function modelCode(reading: WorkerReading, secrets: readonly (Json | undefined)[], platform: Platform): Code<Model> {
  const { source, servedName = source } = reading;
  if (source.startsWith('/')) {
    return call(
      'Model.path',
      (path: string, o: ModelPathOptions) => Model.path(path, o),
      literal(source),
      literal({ servedName }),
    );
  }
  const [secret] = secrets;
  const same = secrets.every((s) => s === secret);
  const token =
    !same || secret === platform.tokenSecretName ? undefined : typeof secret === 'string' ? { name: secret } : (false as const);
  const options: HuggingFaceOptions = {
    ...(reading.revision === undefined ? {} : { revision: reading.revision }),
    ...(servedName === source ? {} : { servedName }),
    ...(token === undefined ? {} : { token }),
  };
  return call(
    'Model.huggingFace',
    (id: string, o: HuggingFaceOptions) => Model.huggingFace(id, o),
    literal(source),
    literal(options),
  );
}

/** Splits options into those that all engines share and the others of each. */
export function splitOptions(all: readonly Readonly<Record<string, Code>>[]): {
  readonly common: Readonly<Record<string, Code>>;
  readonly own: readonly Readonly<Record<string, Code>>[];
} {
  const [first = {}, ...others] = all;
  const printed = (code: Code | undefined): string | undefined => code && print(code.source);
  const shared = (key: string): boolean => others.every((o) => printed(o[key]) === printed(first[key]));
  const common = Object.fromEntries(Object.entries(first).filter(([k]) => shared(k)));
  return { common, own: all.map((o) => Object.fromEntries(Object.entries(o).filter(([k]) => !Object.hasOwn(common, k)))) };
}
