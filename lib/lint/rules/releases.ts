import { isObject, objectAt, type Path } from '../../json/index.ts';
import type { ComponentView } from '../component-view.ts';
import { quote, type Draft } from '../finding.ts';
import type { GraphView } from '../graph-view.ts';
import type { LintIndex } from '../lint-index.ts';
import { annotationSpan, moduleSpan, targetRelease } from '../releases/lookup.ts';
import { presenceIn, type Presence, type Span } from '../../api/index.ts';
import { moduleSuccessor } from '../releases/successors.ts';
import type { Rule } from '../rule.ts';
import { frontend, graph, vllmModel, worker } from '../sample.ts';

/** States the release that added or removed a name. */
function history(presence: Presence): string {
  return presence.is === 'later' ? `added in ${presence.came}` : presence.is === 'earlier' ? `removed in ${presence.gone}` : '';
}

/** Reports a name that the target release does not have. */
function* outsideRelease(
  span: Span | undefined,
  lintIndex: LintIndex,
  draft: (history: string) => Pick<Draft, 'path' | 'problem' | 'found' | 'change'>,
): Iterable<Draft> {
  const presence = span && presenceIn(span, lintIndex.context.release ?? targetRelease);
  if (presence === undefined || presence.is === 'there') return;
  const certain = presence.is === 'earlier' || lintIndex.context.release !== undefined;
  yield { ...draft(history(presence)), ...(certain ? {} : { severity: 'warning' as const }) };
}

function* annotations(path: Path, values: unknown, lintIndex: LintIndex): Iterable<Draft> {
  const release = lintIndex.context.release ?? targetRelease;
  for (const name of isObject(values) ? Object.keys(values) : [])
    for (const draft of outsideRelease(annotationSpan(name), lintIndex, (when) => ({
      path: [...path, name],
      problem: `the operator of release ${release} does not read this annotation, ${when}`,
      found: quote(name),
      change: 'remove it, or lint for another release with --release',
    })))
      yield { ...draft, severity: 'warning' };
}

function* modules(c: ComponentView, lintIndex: LintIndex): Iterable<Draft> {
  const { module } = c.command;
  if (module === undefined) return;
  const release = lintIndex.context.release ?? targetRelease;
  const successor = moduleSuccessor(module);
  yield* outsideRelease(moduleSpan(module), lintIndex, (when) => ({
    path: [...c.containerPath],
    problem: `release ${release} has no module ${module}, ${when}`,
    found: quote(module),
    change: successor === undefined ? 'use an image of a release that has it' : `use ${successor}`,
  }));
}

function* check(g: GraphView, lintIndex: LintIndex): Iterable<Draft> {
  yield* annotations(['metadata', 'annotations'], objectAt(g.resource, 'metadata', 'annotations'), lintIndex);
  for (const c of g.components) {
    yield* annotations([...c.path, 'annotations'], objectAt(c.spec, 'annotations'), lintIndex);
    yield* modules(c, lintIndex);
  }
}

/** Rules about names that exist only in some releases. */
export const releaseRules: readonly Rule[] = [
  {
    id: 'DYN-VER-002',
    severity: 'error',
    on: 'graph',
    check,
    title: 'module or annotation of another release',
    why: 'Python exits when it does not find the module, and the pod restarts forever. An annotation that the operator does not read has no effect.',
    allowed:
      'Modules and annotations of the target release, which is 0.9 unless --release sets another. An annotation is a warning, as is a module of a later release unless --release is set.',
    fix: 'Use a module or annotation of the target release, or set --release.',
    example: () => ({
      bad: [
        graph({
          Frontend: frontend(),
          Worker: worker('vllm', vllmModel, {}, { command: ['python3', '-m', 'dynamo.llama_cpp'] }),
        }),
      ],
      good: [graph({ Frontend: frontend(), Worker: worker('vllm', vllmModel) })],
    }),
  },
];
