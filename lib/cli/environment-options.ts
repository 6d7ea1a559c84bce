import { checkServerAddress, type Target } from '../gitops/index.ts';

/** Options that describe environments, each as `NAME=...`. */
export interface EnvironmentOptions {
  readonly env?: readonly string[];
  readonly envNamespace?: readonly string[];
  readonly envServer?: readonly string[];
  readonly envKubeconfig?: readonly string[];
}

/** One environment, as the options describe it. */
interface GivenEnvironment {
  readonly name: string;
  /** Values files that override the values common to all environments. */
  readonly files: readonly string[];
  readonly namespace?: string;
  readonly target?: Target;
}

const namePattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
/**
 * Controllers put names derived from it into label values, which have at most 63 characters:
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set
 */
const maxNameLength = 40;

/** Parses the `NAME=VALUE` arguments of one option; a name given twice keeps both values. */
function parsePairs(
  option: string,
  placeholder: string,
  example: string,
  given: readonly string[],
  errors: string[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const argument of given) {
    const separator = argument.indexOf('=');
    const [name, value] = [argument.slice(0, Math.max(0, separator)), argument.slice(separator + 1)];
    if (separator < 0 || !namePattern.test(name) || value === '')
      errors.push(`${option} ${argument}: must be NAME=${placeholder}, such as production=${example}`);
    else if (name.length > maxNameLength)
      errors.push(`${option} ${argument}: a name must have at most ${maxNameLength} characters, got ${name.length}; shorten it`);
    else found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

/** The environments that the options describe, in the order of `--env`, and the errors in the options. */
export function readEnvironmentOptions(options: EnvironmentOptions): {
  readonly environments: readonly GivenEnvironment[];
  readonly errors: readonly string[];
} {
  const errors: string[] = [];
  const files = parsePairs('--env', 'VALUES', 'prod.yaml', options.env ?? [], errors);
  const parseSingle = (
    option: string,
    placeholder: string,
    example: string,
    given: readonly string[] = [],
  ): ReadonlyMap<string, string> => {
    const found = parsePairs(option, placeholder, example, given, errors);
    for (const [name, values] of found) {
      if (!files.has(name)) errors.push(`${option} ${name}=${values[0] ?? ''}: there is no --env ${name}`);
      if (values.length > 1) errors.push(`${option} ${name}: must be given at most once, got ${values.length} values`);
    }
    return new Map([...found].map(([name, values]) => [name, values[0] ?? '']));
  };
  const namespaces = parseSingle('--env-namespace', 'NAMESPACE', 'dynamo-production', options.envNamespace);
  const servers = parseSingle('--env-server', 'URL', 'https://api.example.com:6443', options.envServer);
  const kubeConfigs = parseSingle('--env-kubeconfig', 'SECRET', 'production-kubeconfig', options.envKubeconfig);
  for (const [name, server] of servers) {
    const problem = checkServerAddress(server);
    if (problem !== undefined) errors.push(`--env-server ${name}: ${problem}`);
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
