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

function history(presence: Presence): string {
  return presence.is === 'later'
    ? `it came with ${presence.came}`
    : presence.is === 'earlier'
      ? `it is gone since ${presence.gone}`
      : '';
}

function* other(
  span: Span | undefined,
  around: LintIndex,
  draft: (history: string) => Pick<Draft, 'path' | 'problem' | 'found' | 'change'>,
): Iterable<Draft> {
  const presence = span && presenceIn(span, around.context.release ?? targetRelease);
  if (presence === undefined || presence.is === 'there') return;
  const certain = presence.is === 'earlier' || around.context.release !== undefined;
  yield { ...draft(history(presence)), ...(certain ? {} : { severity: 'warning' as const }) };
}

function* annotations(path: Path, values: unknown, around: LintIndex): Iterable<Draft> {
  const release = around.context.release ?? targetRelease;
  for (const name of isObject(values) ? Object.keys(values) : [])
    for (const draft of other(annotationSpan(name), around, (when) => ({
      path: [...path, name],
      problem: `the operator of release ${release} does not read this annotation, ${when}`,
      found: quote(name),
      change: 'remove it, or judge by another release with --release',
    })))
      yield { ...draft, severity: 'warning' };
}

function* modules(c: ComponentView, around: LintIndex): Iterable<Draft> {
  const { module } = c.command;
  if (module === undefined) return;
  const release = around.context.release ?? targetRelease;
  const successor = moduleSuccessor(module);
  yield* other(moduleSpan(module), around, (when) => ({
    path: [...c.containerPath],
    problem: `release ${release} has no module ${module}, ${when}`,
    found: quote(module),
    change: successor === undefined ? 'run an image of a release that has it' : `use ${successor}`,
  }));
}

function* check(g: GraphView, around: LintIndex): Iterable<Draft> {
  yield* annotations(['metadata', 'annotations'], objectAt(g.resource, 'metadata', 'annotations'), around);
  for (const c of g.components) {
    yield* annotations([...c.path, 'annotations'], objectAt(c.spec, 'annotations'), around);
    yield* modules(c, around);
  }
}

/** Rules about names that come and go with releases. */
export const releaseRules: readonly Rule[] = [
  {
    id: 'DYN-VER-002',
    severity: 'error',
    on: 'graph',
    check,
    title: 'module or annotation of another release',
    why: 'Python ends at once when it does not find the module, and the pod restarts for ever. An annotation that nobody reads changes nothing.',
    allowed:
      'Modules and annotations of the target release, 0.9 unless --release says another. An annotation, and a module of a later release when no release is given, is a warning.',
    fix: 'Use what the target release has, or lint with --release.',
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
