import { isJsonObject, textAt } from '../../shared/json.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import { cutTexts } from '../../shared/outside-text.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { StaticPodOrigin } from '../kubelet/pod/static-pod.ts'
import { locate } from '../parsing/kubernetes-text.ts'
import type { ParsedText, TextProblem } from '../parsing/kubernetes-text.ts'
import { readStaticPodFrom, staticPodOf } from './static-pod-manifest.ts'
import type { LocatedValue, StaticPodReading } from './static-pod-manifest.ts'

/** What became of the answer of a manifest URL. */
export interface PodsReading {
  readonly pods: readonly Pod[]
  readonly warnings: readonly TextProblem[]
}

/**
 * Static pods from the parsed text of one Pod or one PodList (sources#http-source). One item that is not good spoils the whole
 * list; a list of any other kind, also a `List` of pods, is none.
 */
export function readStaticPods(
  parsed: Result<ParsedText, TextProblem>,
  origin: StaticPodOrigin,
): Result<PodsReading, TextProblem> {
  const reading = wholeReading(parsed, origin)
  return reading.ok ? reading : err(cutTexts(reading.error))
}

function wholeReading(
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
  if (kind !== '' && kind !== 'Pod')
    return err({
      ...locate(place, 'kind'),
      message: `This is a ${kind}; only a Pod or a PodList is accepted.`,
    })
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
      // Within a list each item is a Pod, whether or not it says so.
      value: { ...item, apiVersion: 'v1', kind: 'Pod' },
      locate: (field) => list.locate(field === '' ? place : `${place}.${field}`),
    },
    list.origin,
  )
  if (pod.ok) return pod
  const { message } = pod.error
  return err({ ...pod.error, message: `Item ${index + 1} of the list: ${message}` })
}
