import type { ISecret } from 'cdk8s-plus-28';

/** Options of `Model.huggingFace`. */
export interface HuggingFaceOptions {
  /**
   * Commit, branch or tag to download.
   * @default - the repository's main branch
   */
  readonly revision?: string;
  /**
   * Name that clients use in requests.
   * @default - the repository id
   */
  readonly servedName?: string;
  /**
   * Secret with the key `HF_TOKEN`; `false` for a public model.
   * @default - the platform's token Secret, `hf-token-secret`
   */
  readonly token?: string | Pick<ISecret, 'name'> | false;
}

/** Options of `Model.path`. */
export interface ModelPathOptions {
  /** Name that clients use in requests. */
  readonly servedName: string;
  /**
   * Hugging Face repository that a model cache downloads into the folder.
   * @default - the served name
   */
  readonly repository?: string;
}

/** The model that a graph serves: where engines load it from, and the name that clients use. */
export class Model {
  /** A model from Hugging Face by its repository id, such as `Qwen/Qwen3-0.6B`. */
  static huggingFace(id: string, options: HuggingFaceOptions = {}): Model {
    return new Model('huggingFace', id, options.servedName ?? id, id, options);
  }

  /** A model in a folder that every worker can read, such as a path in a model cache. */
  static path(path: string, options: ModelPathOptions): Model {
    return new Model('path', path, options.servedName, options.repository ?? options.servedName, {});
  }

  /** Whether engines load it from Hugging Face (or its cache) or from a folder. */
  readonly kind: 'huggingFace' | 'path';
  /** What engines load: a repository id or a path. */
  readonly source: string;
  /** Name that clients use in requests. */
  readonly servedName: string;
  /** Hugging Face repository of the weights. */
  readonly repository: string;
  /** Commit, branch or tag of the repository. */
  readonly revision: string | undefined;
  /** Secret with the token; `false` for none, `undefined` for the platform's. */
  readonly token: Pick<ISecret, 'name'> | false | undefined;

  private constructor(kind: Model['kind'], source: string, servedName: string, repository: string, options: HuggingFaceOptions) {
    this.kind = kind;
    this.source = source;
    this.servedName = servedName;
    this.repository = repository;
    this.revision = options.revision;
    this.token = typeof options.token === 'string' ? { name: options.token } : options.token;
  }
}
