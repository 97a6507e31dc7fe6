import { isJsonObject, objectAt, textAt } from '../../shared/json.ts'
import type { FieldProblem } from '../../shared/kubernetes/field-problem.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import { defaultPod } from '../../shared/kubernetes/pod-defaults.ts'
import { manifestRules } from '../../shared/kubernetes/pod-rules.ts'
import { podShapeProblems } from '../../shared/kubernetes/pod-shape.ts'
import { validatePod } from '../../shared/kubernetes/pod-validation.ts'
import { cutTexts } from '../../shared/outside-text.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { locate, parseText } from '../parsing/kubernetes-text.ts'
import type { ParsedText, TextPosition, TextProblem } from '../parsing/kubernetes-text.ts'
import { applyStaticDefaults } from '../kubelet/pod/static-pod.ts'
import type { StaticPodOrigin } from '../kubelet/pod/static-pod.ts'

/** What became of a manifest. */
export type ManifestReading =
  | { readonly kind: 'pod'; readonly pod: Pod; readonly warnings: readonly TextProblem[] }
  | { readonly kind: 'rejected'; readonly problem: TextProblem }

/** A value of a text, and where its fields stand there. */
export interface LocatedValue {
  readonly value: unknown
  readonly locate: (field: string) => TextPosition
}

/** `readStaticPodFrom` of a text that is parsed in place. */
export function readStaticPod(text: string, origin: StaticPodOrigin): ManifestReading {
  return readStaticPodFrom(parseText(text), origin)
}

/**
 * A static pod from the parsed text of its manifest (semantics 1.4): defaults, name, uid and the rest
 * of what the kubelet adds, validation. One file holds one Pod; a list or another kind is refused.
 */
export function readStaticPodFrom(
  parsed: Result<ParsedText, TextProblem>,
  origin: StaticPodOrigin,
): ManifestReading {
  const reading = wholeReading(parsed, origin)
  return reading.kind === 'rejected'
    ? { kind: 'rejected', problem: cutTexts(reading.problem) }
    : reading
}

function wholeReading(
  parsed: Result<ParsedText, TextProblem>,
  origin: StaticPodOrigin,
): ManifestReading {
  if (!parsed.ok) return { kind: 'rejected', problem: parsed.error }
  const { value, place, warnings } = parsed.value
  const located = { value, locate: (field: string) => locate(place, field) }
  const complaint = kindComplaint(value)
  if (complaint !== undefined)
    return {
      kind: 'rejected',
      problem: { ...located.locate(complaint.field), message: complaint.message },
    }
  const pod = staticPodOf(located, origin)
  return pod.ok
    ? { kind: 'pod', pod: pod.value, warnings }
    : { kind: 'rejected', problem: pod.error }
}

/** A static pod of a decoded object that is known to be a Pod. */
export function staticPodOf(
  manifest: LocatedValue,
  origin: StaticPodOrigin,
): Result<Pod, TextProblem> {
  const { value, locate: positionOf } = manifest
  const ofWrongType = podShapeProblems(value)
  if (ofWrongType.length > 0) return refused(manifest, ofWrongType)
  if (!isJsonObject(value) || textAt(objectAt(value, 'metadata'), 'name') === '') {
    const message = 'The pod has no name; metadata.name is required.'
    return err({ ...positionOf('metadata'), message })
  }
  // Its kind and the types of its fields were just checked.
  const defaulted = defaultPod(value as unknown as Pod)
  const asWritten = validatePod(defaulted, manifestRules)
  if (asWritten.length > 0) return refused(manifest, asWritten)
  const pod = applyStaticDefaults(defaulted, origin)
  if (!pod.ok) {
    const message = `This cannot be a static pod: ${pod.error.join('; ')}.`
    return err({ ...positionOf('spec'), message })
  }
  // Once more with the node's name behind its own, which can make it too long.
  const asNamed = validatePod(pod.value, manifestRules)
  return asNamed.length > 0 ? refused(manifest, asNamed) : ok(pod.value)
}

function kindComplaint(
  value: unknown,
): { readonly field: string; readonly message: string } | undefined {
  if (value === null) return { field: '', message: 'The first document of this file is empty.' }
  if (!isJsonObject(value)) return { field: '', message: 'This is not a Kubernetes object.' }
  const kind = textAt(value, 'kind')
  const apiVersion = textAt(value, 'apiVersion')
  if (kind === '') return { field: 'kind', message: 'The kind is missing; it should be Pod.' }
  if (kind !== 'Pod') {
    return {
      field: 'kind',
      message: `This is a ${kind}; only a Pod can be a static pod, one per file.`,
    }
  }
  if (apiVersion === '') {
    return { field: 'apiVersion', message: 'The apiVersion is missing; it should be v1.' }
  }
  if (apiVersion !== 'v1') {
    return {
      field: 'apiVersion',
      message: `The apiVersion of a Pod must be v1, not ${apiVersion}.`,
    }
  }
  return undefined
}

function refused(
  located: LocatedValue,
  problems: readonly FieldProblem[],
): Result<never, TextProblem> {
  const [first] = problems
  const texts = new Set(
    problems.map(({ field, message }) =>
      // Go's decoder names the field itself.
      field === '' || message.includes('struct field') ? message : `${field}: ${message}`,
    ),
  )
  const position = located.locate(first?.field ?? '')
  return err({ ...position, message: `The pod is invalid: ${[...texts].join('; ')}.` })
}
