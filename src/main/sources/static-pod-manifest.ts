import { isJsonObject, objectAt, textAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import type { FieldProblem } from '../../shared/kubernetes/validation/field-problem.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import { defaultPod } from '../../shared/kubernetes/pod-defaults.ts'
import { manifestRules } from '../../shared/kubernetes/pod-rules.ts'
import { schemaNamed } from '../../shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../shared/kubernetes/schema/decode.ts'
import { validatePod } from '../../shared/kubernetes/validation/pod-validation.ts'
import { cutTexts } from '../../shared/untrusted-text.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { locate, parseText } from '../parsing/kubernetes-text.ts'
import type { ParsedText, TextPosition, TextProblem } from '../parsing/kubernetes-text.ts'
import { applyStaticDefaults } from '../kubelet/pod/static-pod.ts'
import type { StaticPodOrigin } from '../kubelet/pod/static-pod.ts'

/** The limit of an API server. */
const warningsShown = 100

/** The result of reading a manifest. */
export type ManifestReading =
  | { readonly kind: 'pod'; readonly pod: Pod; readonly warnings: readonly TextProblem[] }
  | { readonly kind: 'rejected'; readonly problem: TextProblem }

/** A parsed value, and the positions of its fields in the text. */
export interface LocatedValue {
  readonly value: unknown
  readonly locate: (field: string) => TextPosition
}

/** `readStaticPodFrom` for a text, parsed on the calling thread. */
export function readStaticPod(text: string, origin: StaticPodOrigin): ManifestReading {
  return readStaticPodFrom(parseText(text), origin)
}

/**
 * A static pod from the parsed text of its manifest (identity#static-pods), with defaults, name, uid and the other fields that
 * the kubelet adds, validated. A file holds one Pod; a list or another kind is refused.
 */
export function readStaticPodFrom(
  parsed: Result<ParsedText, TextProblem>,
  origin: StaticPodOrigin,
): ManifestReading {
  const reading = readPod(parsed, origin)
  return reading.kind === 'rejected'
    ? { kind: 'rejected', problem: cutTexts(reading.problem) }
    : reading
}

function readPod(
  parsed: Result<ParsedText, TextProblem>,
  origin: StaticPodOrigin,
): ManifestReading {
  if (!parsed.ok) return { kind: 'rejected', problem: parsed.error }
  const { value, place, warnings } = parsed.value
  const located = { value, locate: (field: string) => locate(place, field) }
  const wrongKind = kindProblem(value)
  if (wrongKind !== undefined) {
    const [field, message] = wrongKind
    return { kind: 'rejected', problem: { ...located.locate(field), message } }
  }
  const pod = staticPodOf(located, origin)
  return pod.ok
    ? { kind: 'pod', pod: pod.value.pod, warnings: [...warnings, ...pod.value.warnings] }
    : { kind: 'rejected', problem: pod.error }
}

/** A static pod, and warnings for the fields that the kubelet ignores. */
export interface StaticPodReading {
  readonly pod: Pod
  readonly warnings: readonly TextProblem[]
}

/** A static pod from a parsed object whose kind is Pod. */
export function staticPodOf(
  manifest: LocatedValue,
  origin: StaticPodOrigin,
): Result<StaticPodReading, TextProblem> {
  const { object, problems, unknownFields } = decodeAs(schemaNamed('core.v1.Pod'), manifest.value)
  if (problems.length > 0) return refused(manifest, problems)
  const pod = acceptedPod(object, manifest, origin)
  const warnings = unknownFields.slice(0, warningsShown).map((field) =>
    cutTexts({
      ...manifest.locate(field),
      message: `A pod has no field ${field}; the kubelet ignores it.`,
    }),
  )
  return pod.ok ? ok({ pod: pod.value, warnings }) : pod
}

function acceptedPod(
  value: JsonObject,
  manifest: LocatedValue,
  origin: StaticPodOrigin,
): Result<Pod, TextProblem> {
  const { locate: positionOf } = manifest
  if (textAt(objectAt(value, 'metadata'), 'name') === '') {
    const message = 'The pod has no name; metadata.name is required.'
    return err({ ...positionOf('metadata'), message })
  }
  // Its kind was checked, and it was decoded as a pod.
  const defaulted = defaultPod(value as unknown as Pod)
  const asWritten = validatePod(defaulted, manifestRules)
  if (asWritten.length > 0) return refused(manifest, asWritten)
  const pod = applyStaticDefaults(defaulted, origin)
  if (!pod.ok) {
    const message = `This cannot be a static pod: ${pod.error.join('; ')}.`
    return err({ ...positionOf('spec'), message })
  }
  // Again, because the node's name as a suffix can make the name too long.
  const asNamed = validatePod(pod.value, manifestRules)
  return asNamed.length > 0 ? refused(manifest, asNamed) : ok(pod.value)
}

function kindProblem(value: unknown): readonly [field: string, message: string] | undefined {
  if (value === null) return ['', 'The first document of this file is empty.']
  if (!isJsonObject(value)) return ['', 'This is not a Kubernetes object.']
  const kind = textAt(value, 'kind')
  if (kind === '') return ['kind', 'The kind is missing; it should be Pod.']
  if (kind !== 'Pod')
    return ['kind', `This is a ${kind}; only a Pod can be a static pod, one per file.`]
  const apiVersion = textAt(value, 'apiVersion')
  if (apiVersion === '') return ['apiVersion', 'The apiVersion is missing; it should be v1.']
  if (apiVersion !== 'v1')
    return ['apiVersion', `The apiVersion of a Pod must be v1, not ${apiVersion}.`]
  return undefined
}

function refused(
  located: LocatedValue,
  problems: readonly FieldProblem[],
): Result<never, TextProblem> {
  const [first] = problems
  const texts = new Set(
    problems.map(({ field, message }) =>
      // The messages of Go's decoder name the field.
      field === '' || message.includes('struct field') ? message : `${field}: ${message}`,
    ),
  )
  const position = located.locate(first?.field ?? '')
  return err({ ...position, message: `The pod is invalid: ${[...texts].join('; ')}.` })
}
