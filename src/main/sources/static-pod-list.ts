import { isJsonObject, textAt } from '../../shared/json.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import { cutTexts } from '../../shared/untrusted-text.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { StaticPodOrigin } from '../kubelet/pod/static-pod.ts'
import { locate } from '../parsing/kubernetes-text.ts'
import type { ParsedText, TextProblem } from '../parsing/kubernetes-text.ts'
import { readStaticPodFrom, staticPodOf } from './static-pod-manifest.ts'
import type { LocatedValue, StaticPodReading } from './static-pod-manifest.ts'

/** The pods of a manifest URL. */
export interface PodsReading {
  readonly pods: readonly Pod[]
  readonly warnings: readonly TextProblem[]
}

/**
 * Static pods from the parsed text of one Pod or one PodList (sources#http-source). One invalid item makes the whole list
 * invalid; a list of another kind, even a `List` of pods, is refused.
 */
export function readStaticPods(
  parsed: Result<ParsedText, TextProblem>,
  origin: StaticPodOrigin,
): Result<PodsReading, TextProblem> {
  const reading = readPods(parsed, origin)
  return reading.ok ? reading : err(cutTexts(reading.error))
}

function readPods(
  parsed: Result<ParsedText, TextProblem>,
  origin: StaticPodOrigin,
): Result<PodsReading, TextProblem> {
  if (!parsed.ok) return parsed
  const { value, warnings, place } = parsed.value
  if (isJsonObject(value) && textAt(value, 'kind') === 'PodList') {
    const list = podsOfList({ value, locate: (field) => locate(place, field) }, origin)
    if (!list.ok) return list
    const { pods, warnings: ofPods } = list.value
    return ok({ pods, warnings: [...warnings, ...ofPods] })
  }
  const kind = isJsonObject(value) ? textAt(value, 'kind') : 'Pod'
  if (kind !== '' && kind !== 'Pod') {
    const message = `This is a ${kind}; only a Pod or a PodList is accepted.`
    return err({ ...locate(place, 'kind'), message })
  }
  const reading = readStaticPodFrom(parsed, origin)
  return reading.kind === 'pod'
    ? ok({ pods: [reading.pod], warnings: reading.warnings })
    : err(reading.problem)
}

function podsOfList(list: LocatedValue, origin: StaticPodOrigin): Result<PodsReading, TextProblem> {
  const { value } = list
  if (!isJsonObject(value) || textAt(value, 'apiVersion') !== 'v1')
    return err({ ...list.locate('apiVersion'), message: 'The apiVersion of a PodList must be v1.' })
  const items = value['items'] ?? []
  if (!Array.isArray(items))
    return err({ ...list.locate('items'), message: 'The items of a PodList must be a list.' })
  const readings: StaticPodReading[] = []
  for (const [index, item] of items.entries()) {
    const pod = podOfItem(item, index, { locate: list.locate, origin })
    if (!pod.ok) return pod
    readings.push(pod.value)
  }
  return ok({
    pods: readings.map(({ pod }) => pod),
    warnings: readings.flatMap(({ warnings }) => warnings),
  })
}

function podOfItem(
  item: unknown,
  index: number,
  list: { readonly locate: LocatedValue['locate']; readonly origin: StaticPodOrigin },
): Result<StaticPodReading, TextProblem> {
  const place = `items[${index}]`
  if (!isJsonObject(item))
    return err({
      ...list.locate(place),
      message: `Item ${index + 1} of the list is not an object.`,
    })
  const pod = staticPodOf(
    {
      // The items of a PodList may omit apiVersion and kind.
      value: { ...item, apiVersion: 'v1', kind: 'Pod' },
      locate: (field) => list.locate(field === '' ? place : `${place}.${field}`),
    },
    list.origin,
  )
  if (pod.ok) return pod
  const { message } = pod.error
  return err({ ...pod.error, message: `Item ${index + 1} of the list: ${message}` })
}
