import { isJsonObject, textAt } from '../../shared/json.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import { cutTexts } from '../../shared/outside-text.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { StaticPodOrigin } from '../kubelet/pod/static-pod.ts'
import { decodeManifest } from './manifest-text.ts'
import type { DecodedManifest, ManifestProblem } from './manifest-text.ts'
import { readStaticPod, staticPodOf } from './static-pod-manifest.ts'

/** What became of the answer of a manifest URL. */
export interface PodsReading {
  readonly pods: readonly Pod[]
  readonly warnings: readonly ManifestProblem[]
}

/**
 * Static pods from one Pod or one PodList (semantics 1.6). One item that is not good spoils the whole
 * list; a list of any other kind, also a `List` of pods, is none.
 */
export function readStaticPods(
  text: string,
  origin: StaticPodOrigin,
): Result<PodsReading, ManifestProblem> {
  const reading = wholeReading(text, origin)
  return reading.ok ? reading : err(cutTexts(reading.error))
}

function wholeReading(text: string, origin: StaticPodOrigin): Result<PodsReading, ManifestProblem> {
  const decoded = decodeManifest(text)
  if (!decoded.ok) return decoded
  const { value, warnings, locate } = decoded.value
  if (isJsonObject(value) && textAt(value, 'kind') === 'PodList') {
    const pods = podsOfList(decoded.value, origin)
    return pods.ok ? ok({ pods: pods.value, warnings }) : pods
  }
  const kind = isJsonObject(value) ? textAt(value, 'kind') : 'Pod'
  if (kind !== '' && kind !== 'Pod')
    return err({
      ...locate('kind'),
      message: `This is a ${kind}; only a Pod or a PodList is taken.`,
    })
  const reading = readStaticPod(text, origin)
  return reading.kind === 'pod' ? ok({ pods: [reading.pod], warnings }) : err(reading.problem)
}

function podsOfList(
  { value, locate }: DecodedManifest,
  origin: StaticPodOrigin,
): Result<readonly Pod[], ManifestProblem> {
  if (!isJsonObject(value) || textAt(value, 'apiVersion') !== 'v1')
    return err({ ...locate('apiVersion'), message: 'A PodList has the apiVersion v1.' })
  const items = value['items'] ?? []
  if (!Array.isArray(items))
    return err({ ...locate('items'), message: 'The items of a PodList are a list.' })
  const pods: Pod[] = []
  for (const [index, item] of items.entries()) {
    const pod = podOfItem(item, index, { locate, origin })
    if (!pod.ok) return pod
    pods.push(pod.value)
  }
  return ok(pods)
}

function podOfItem(
  item: unknown,
  index: number,
  list: { readonly locate: DecodedManifest['locate']; readonly origin: StaticPodOrigin },
): Result<Pod, ManifestProblem> {
  const place = `items[${index}]`
  if (!isJsonObject(item))
    return err({ ...list.locate(place), message: `Item ${index + 1} of the list is no object.` })
  const pod = staticPodOf(
    {
      // Within a list each item is a Pod, whether or not it says so.
      value: { ...item, apiVersion: 'v1', kind: 'Pod' },
      warnings: [],
      locate: (field) => list.locate(field === '' ? place : `${place}.${field}`),
    },
    list.origin,
  )
  if (pod.ok) return pod
  const { message } = pod.error
  return err({ ...pod.error, message: `Item ${index + 1} of the list: ${message}` })
}
