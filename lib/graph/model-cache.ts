import { ApiObject, type Size } from 'cdk8s';
import type { IPersistentVolumeClaim } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import type { Model } from './model.ts';
import { downloadJob } from './model-download.ts';
import { platformOf } from './chart.ts';
import { plusConstruct, referencedName } from '../plus/index.ts';

/** One claim mounted into a component. */
export interface CacheMount {
  readonly claimName: string;
  readonly mountPath: string;
  /** Whether vLLM stores compiled kernels in it. */
  readonly compilation: boolean;
  /** Whether `HF_HOME` is set to the mount path. */
  readonly hfHome: boolean;
}

/** How a model cache is mounted. */
export interface CacheMountOptions {
  /**
   * Mount path of the weights.
   * @default '/home/dynamo/.cache/huggingface'
   */
  readonly mountPath?: string;
  /**
   * Whether `HF_HOME` of the components is set to the mount path; disable it if the weights are in plain folders.
   * @default - true, false for components that serve a model given by path
   */
  readonly hfHome?: boolean;
  /**
   * Claim in which vLLM stores compiled kernels.
   * @default - none
   */
  readonly compilationClaimName?: string | Pick<IPersistentVolumeClaim, 'name'>;
  /**
   * Mount path of the compiled kernels.
   * @default '/home/dynamo/.cache/vllm'
   */
  readonly compilationMountPath?: string;
}

/** Properties of `ModelCache`. */
export interface ModelCacheProps extends CacheMountOptions {
  /** The model to download. */
  readonly model: Model;
  /** Size of the claim. */
  readonly size: Size;
  /**
   * Storage class; it must support `ReadWriteMany` if pods on several nodes read the weights.
   * @default - the cluster's default class
   */
  readonly storageClass?: string;
  /**
   * Access mode of the claims.
   * @default 'ReadWriteMany'
   */
  readonly accessMode?: 'ReadWriteMany' | 'ReadWriteOnce';
  /**
   * Size of a second claim, for compiled kernels of vLLM.
   * @default - no second claim
   */
  readonly compilation?: Size;
  /**
   * Whether a Job downloads the weights.
   * @default true
   */
  readonly download?: boolean;
}

const defaultMountPath = '/home/dynamo/.cache/huggingface';
const defaultCompilationPath = '/home/dynamo/.cache/vllm';

/** A shared volume with model weights: the claim, the Job that downloads the weights, and the mounts of frontends and workers. */
export class ModelCache extends Construct {
  /** An existing claim by its name. */
  static fromClaimName(scope: Construct, id: string, claimName: string, options: CacheMountOptions = {}): ModelCache {
    return new ModelCache(scope, id, { claimName, ...options });
  }

  /** An existing cdk8s-plus claim. */
  static fromClaim(scope: Construct, id: string, claim: IPersistentVolumeClaim, options: CacheMountOptions = {}): ModelCache {
    return new ModelCache(scope, id, { claimName: claim.name, ...options });
  }

  /** Name of the claim with the weights. */
  readonly claimName: string;
  /** Name of the claim with compiled kernels. */
  readonly compilationClaimName: string | undefined;
  /** Mount path of the weights. */
  readonly mountPath: string;
  private readonly hfHome: boolean | undefined;
  private readonly compilationMountPath: string;

  constructor(scope: Construct, id: string, props: ModelCacheProps | (CacheMountOptions & { readonly claimName: string })) {
    super(scope, id);
    const owned = 'model' in props ? props : undefined;
    this.claimName = 'claimName' in props ? props.claimName : id;
    this.mountPath = props.mountPath ?? defaultMountPath;
    this.hfHome = props.hfHome ?? (owned === undefined ? undefined : owned.model.kind !== 'path');
    this.compilationMountPath = props.compilationMountPath ?? defaultCompilationPath;
    const compilation = props.compilationClaimName ?? (owned?.compilation === undefined ? undefined : `${id}-compilation`);
    this.compilationClaimName = compilation === undefined ? undefined : referencedName(compilation);
    if (owned === undefined) return;
    this.addClaim('claim', this.claimName, owned.size, owned);
    if (owned.compilation !== undefined && this.compilationClaimName !== undefined)
      this.addClaim('compilation', this.compilationClaimName, owned.compilation, owned);
    if (owned.download !== false) {
      const { tokenSecretName } = platformOf(this);
      new ApiObject(
        this,
        'download',
        downloadJob({
          name: `${id}-download`,
          claimName: this.claimName,
          mountPath: this.mountPath,
          model: owned.model,
          tokenSecretName,
        }),
      );
    }
  }

  /** The claim with the weights, as a cdk8s-plus construct, for example to mount it in other pods. */
  get claim(): IPersistentVolumeClaim {
    return plusClaim(this, this.claimName);
  }

  /** The claim with compiled kernels, as a cdk8s-plus construct. */
  get compilationClaim(): IPersistentVolumeClaim | undefined {
    return this.compilationClaimName === undefined ? undefined : plusClaim(this, this.compilationClaimName);
  }

  /** The mounts in a component that serves a model, with or without the compiled kernels. */
  mounts(compilation: boolean, model: Model | undefined): readonly CacheMount[] {
    const hfHome = this.hfHome ?? model?.kind !== 'path';
    const weights: CacheMount = { claimName: this.claimName, mountPath: this.mountPath, compilation: false, hfHome };
    if (!compilation || this.compilationClaimName === undefined) return [weights];
    return [
      weights,
      { claimName: this.compilationClaimName, mountPath: this.compilationMountPath, compilation: true, hfHome: false },
    ];
  }

  private addClaim(id: string, name: string, size: Size, props: ModelCacheProps): void {
    new ApiObject(this, id, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec: {
        accessModes: [props.accessMode ?? 'ReadWriteMany'],
        resources: { requests: { storage: size.asString() } },
        ...(props.storageClass === undefined ? {} : { storageClassName: props.storageClass }),
      },
    });
  }
}

function plusClaim(cache: ModelCache, name: string): IPersistentVolumeClaim {
  return plusConstruct(cache, `claim-${name}`, (plus, scope, id) => plus.PersistentVolumeClaim.fromClaimName(scope, id, name));
}
