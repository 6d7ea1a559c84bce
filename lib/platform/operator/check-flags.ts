import { didYouMean, type Issue, knownRelease } from '../../api/index.ts';
import { listAt } from '../../json/index.ts';
import { atPath, templateString } from '../go-values.ts';
import { managerArguments } from './arguments.ts';
import { platformVersion } from './defaults.ts';
import { flagOf, knownFlags, laterRelease, ownFlagNames, releaseOfTag, takesConfigFile } from './published-releases.ts';
import type { OperatorRelease } from './release.ts';

const tagPath = ['dynamo-operator', 'controllerManager', 'manager', 'image', 'tag'];
const argumentsPath = ['dynamo-operator', 'controllerManager', 'manager', 'args'];
const alternatives = `use ${platformVersion}, or the operator of this package: platform.operator.kind dynamo-cdk8s`;

/** The value that turns off a flag that an older release does not know. */
const turnsOff: Readonly<Record<string, string>> = { 'enable-webhooks': 'dynamo-operator.webhook.enabled=false' };

function adviceFor(flag: string, known: readonly string[]): string {
  const later = laterRelease(flag);
  return later === undefined ? (didYouMean(flag, known) ?? 'remove it') : `it came with release ${later}; remove it`;
}

/** Errors about flags that the operator of the image does not know: it exits at an unknown flag. */
export function checkFlags(scope: OperatorRelease): { readonly issues: readonly Issue[]; readonly warnings: readonly Issue[] } {
  const { kind, published, version, context } = scope;
  const given = listAt(atPath(scope.values, 'controllerManager.manager.args')).map((arg) => flagOf(templateString(arg)));
  const flags = [...new Set(managerArguments(scope).flatMap((argument) => flagOf(argument) ?? []))];
  if (published !== undefined && takesConfigFile(published)) {
    const message = `release ${published} of the operator takes a configuration file instead of flags, which is not rendered; ${alternatives}`;
    return { issues: [{ path: tagPath, code: 'operator_release', message }], warnings: [] };
  }
  const known = knownFlags(kind, published ?? '');
  const unknown = flags.filter((flag) => !known.includes(flag));
  const who = published === undefined ? 'the operator' : `release ${published} of the operator`;
  const written = unknown.filter((flag) => given.includes(flag));
  // checks.ts reports that the original cannot manage its own certificate.
  const rendered = unknown.filter((flag) => !given.includes(flag) && !ownFlagNames.includes(flag));
  const off = rendered.flatMap((flag) => turnsOff[flag] ?? []);
  return {
    issues: [
      ...written.map((flag) => ({
        path: [...argumentsPath, given.indexOf(flag)],
        code: 'unknown_flag',
        message: `${who} does not know --${flag} and would not start; ${adviceFor(flag, known)}`,
      })),
      ...(rendered.length === 0
        ? []
        : [
            {
              path: tagPath,
              code: 'operator_release',
              message: `${who} does not know ${rendered.map((flag) => `--${flag}`).join(', ')} and would not start; ${
                context.switches['release-flags']
                  ? `${off.length === rendered.length ? `set ${off.join(', ')}, ` : ''}${alternatives}`
                  : `for an operator that starts set tag ${platformVersion} and use --switch release-flags=on`
              }`,
            },
          ]),
    ],
    warnings: kind === 'original' ? unknownRelease(version) : [],
  };
}

/** A warning if the image tag does not name a release with known flags. */
function unknownRelease(tag: string): readonly Issue[] {
  const release = releaseOfTag(tag);
  const known = release === undefined ? platformVersion : knownRelease(release);
  if (known === undefined || known === release) return [];
  const message = `'${tag}' names no known release of the operator; the flags of ${known} are rendered`;
  return [{ path: tagPath, code: 'unknown_release', message }];
}
