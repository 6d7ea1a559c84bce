import { checkServerAddress, type Target } from '../gitops/index.ts';

/** Options that describe environments, each as `NAME=...`. */
export interface EnvironmentOptions {
  readonly env?: readonly string[];
  readonly envNamespace?: readonly string[];
  readonly envServer?: readonly string[];
  readonly envKubeconfig?: readonly string[];
}

/** One environment as the user described it. */
interface GivenEnvironment {
  readonly name: string;
  /** Values to layer over those of all environments. */
  readonly files: readonly string[];
  readonly namespace?: string;
  readonly target?: Target;
}

const nameForm = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
/** Controllers put names made from it into labels, which hold 63 characters. */
const longestName = 40;

/** Reads `NAME=VALUE` options of one kind; a name given twice keeps both values. */
function pairs(
  option: string,
  what: string,
  example: string,
  given: readonly string[],
  errors: string[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const text of given) {
    const cut = text.indexOf('=');
    const [name, value] = [text.slice(0, Math.max(0, cut)), text.slice(cut + 1)];
    if (cut < 0 || !nameForm.test(name) || value === '')
      errors.push(`${option} ${text}: write NAME=${what}, such as production=${example}`);
    else if (name.length > longestName)
      errors.push(`${option} ${text}: a name must have at most ${longestName} characters, got ${name.length}; shorten it`);
    else found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

/** The environments that options describe, in the order in which `--env` names them, and what is wrong with the options. */
export function readEnvironmentOptions(options: EnvironmentOptions): {
  readonly environments: readonly GivenEnvironment[];
  readonly errors: readonly string[];
} {
  const errors: string[] = [];
  const files = pairs('--env', 'VALUES', 'prod.yaml', options.env ?? [], errors);
  const about = (option: string, what: string, example: string, given: readonly string[] = []): ReadonlyMap<string, string> => {
    const found = pairs(option, what, example, given, errors);
    for (const [name, values] of found) {
      if (!files.has(name)) errors.push(`${option} ${name}=${values[0] ?? ''}: there is no --env ${name}`);
      if (values.length > 1) errors.push(`${option} ${name}: is given ${values.length} times, once is enough`);
    }
    return new Map([...found].map(([name, values]) => [name, values[0] ?? '']));
  };
  const namespaces = about('--env-namespace', 'NAMESPACE', 'dynamo-production', options.envNamespace);
  const servers = about('--env-server', 'URL', 'https://api.example.com:6443', options.envServer);
  const kubeConfigs = about('--env-kubeconfig', 'SECRET', 'production-kubeconfig', options.envKubeconfig);
  for (const [name, server] of servers) {
    const wrong = checkServerAddress(server);
    if (wrong !== undefined) errors.push(`--env-server ${name}: ${wrong}`);
  }
  const environments = [...files].map(([name, values]): GivenEnvironment => {
    const [namespace, server, kubeConfig] = [namespaces.get(name), servers.get(name), kubeConfigs.get(name)];
    const target = { ...(server === undefined ? {} : { server }), ...(kubeConfig === undefined ? {} : { kubeConfig }) };
    return {
      name,
      files: values,
      ...(namespace === undefined ? {} : { namespace }),
      ...(Object.keys(target).length === 0 ? {} : { target }),
    };
  });
  return { environments, errors };
}
