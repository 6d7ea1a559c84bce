import type { ISecret } from 'cdk8s-plus-28';
import { secretKey } from './secret.ts';
import type { Env } from './plain.ts';

/** Options of `LoraStore.s3`. */
export interface S3LoraStoreOptions {
  /** Bucket that holds the adapters. */
  readonly bucket: string;
  /** Secret with the keys `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. */
  readonly credentials: string | Pick<ISecret, 'name'>;
  /**
   * URL of an S3-compatible store.
   * @default - AWS
   */
  readonly endpoint?: string;
  /**
   * Region of the bucket.
   * @default 'us-east-1'
   */
  readonly region?: string;
  /**
   * Whether the store may be accessed without TLS.
   * @default false
   */
  readonly allowHttp?: boolean;
}

/** Where workers download LoRA adapters from. */
export class LoraStore {
  /** An S3 bucket or an S3-compatible store such as MinIO. */
  static s3(options: S3LoraStoreOptions): LoraStore {
    return new LoraStore({
      AWS_ACCESS_KEY_ID: secretKey(options.credentials, 'AWS_ACCESS_KEY_ID'),
      AWS_SECRET_ACCESS_KEY: secretKey(options.credentials, 'AWS_SECRET_ACCESS_KEY'),
      AWS_REGION: options.region ?? 'us-east-1',
      BUCKET_NAME: options.bucket,
      ...(options.endpoint === undefined ? {} : { AWS_ENDPOINT: options.endpoint }),
      ...(options.allowHttp === true ? { AWS_ALLOW_HTTP: 'true' } : {}),
    });
  }

  /** Hugging Face; adapters have `hf://` URIs. */
  static huggingFace(): LoraStore {
    return new LoraStore({});
  }

  /** Environment variables for access to the store. */
  readonly env: Env;

  private constructor(env: Env) {
    this.env = env;
  }
}

/** Options of LoRA adapters on a vLLM worker. */
export interface LoraOptions {
  /** Largest rank of any adapter. */
  readonly maxRank: number;
  /**
   * Maximum adapters in GPU memory at once.
   * @default - vLLM's default, 1
   */
  readonly maxLoras?: number;
  /** Where adapters are downloaded from. */
  readonly store: LoraStore;
  /**
   * Folder that adapters are downloaded to.
   * @default '/tmp/dynamo_loras'
   */
  readonly path?: string;
}

/** Environment variables of a worker that serves adapters. */
export function loraEnv(lora: LoraOptions): Env {
  return {
    DYN_LORA_ENABLED: 'true',
    DYN_LORA_PATH: lora.path ?? '/tmp/dynamo_loras',
    DYN_SYSTEM_ENABLED: 'true',
    DYN_SYSTEM_PORT: '9090',
    ...lora.store.env,
  };
}

/** Arguments of a worker that serves adapters. */
export function loraArgs(lora: LoraOptions): string[] {
  const maxLoras = lora.maxLoras === undefined ? [] : ['--max-loras', String(lora.maxLoras)];
  return ['--enable-lora', '--max-lora-rank', String(lora.maxRank), ...maxLoras];
}
