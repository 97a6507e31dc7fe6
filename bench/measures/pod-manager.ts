// The cost of the pod manager with many pods, a third of them static with mirrors: each operation in ns, called for
// pods all over the list. The Go pod manager's figures are taken the same way by `npm run bench:pod-manager`.
import { PodManager } from '../../src/main/kubelet/pod/pod-manager.ts'
import { buildPodFullName, fullNameOf, isMirrorPod } from '../../src/main/kubelet/pod/identity.ts'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import { report } from './quiet.ts'

const count = Number(process.argv[2] ?? 10_000)
const windows = 40
const windowMs = 20
const batchSize = 16
const source = 'kubernetes.io/config.source'

function pod(name: string, uid: string, annotations: Readonly<Record<string, string>>): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid, annotations },
    spec: { containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }] },
  }
}

/** Like from a watch: flat strings, not concatenations. */
function podsAndMirrors(): Pod[] {
  const pods = Array.from({ length: count }, (_, index) => {
    const name = `pod-${String(index).padStart(5, '0')}-node`
    const uid = `6fa459ea-ee8a-3ca4-894e-${String(index).padStart(12, '0')}`
    if (index % 3 !== 0) return [pod(name, uid, { [source]: 'api' })]
    const hash = { 'kubernetes.io/config.hash': uid }
    const mirror = { ...hash, 'kubernetes.io/config.mirror': uid, [source]: 'api' }
    return [pod(name, uid, { ...hash, [source]: 'file' }), pod(name, `mirror-${uid}`, mirror)]
  })
  // Parsed from pods.
  return JSON.parse(JSON.stringify(pods.flat())) as Pod[]
}

/** Prevents the removal of measured calls as unused. */
let sink = 0

/** Nanoseconds of one call: the median of many short windows, which reduces noise. */
function nanosOf(operation: (at: number) => unknown): number {
  let calls = 0
  const windowNanos = (): number => {
    const startedAt = performance.now()
    let elapsedMs = 0
    let done = 0
    while (elapsedMs < windowMs) {
      for (let batch = 0; batch < batchSize; batch++) if (operation(calls++) === undefined) sink++
      done += batchSize
      elapsedMs = performance.now() - startedAt
    }
    return (elapsedMs * 1e6) / done
  }
  for (let warmUp = 0; warmUp < windows / 2; warmUp++) windowNanos()
  const taken = Array.from({ length: windows }, windowNanos).toSorted((one, other) => one - other)
  return taken[windows / 2] ?? Number.NaN
}

const all = podsAndMirrors()
const mirrors = all.filter(isMirrorPod)
const others = all.filter((one) => !isMirrorPod(one))
const manager = new PodManager({ trace: { emit: () => 0 } })
manager.setPods(all, [])

const at = <T>(list: readonly T[], call: number): T => {
  const found = list[call % list.length]
  if (found === undefined) throw new Error('nothing to ask about')
  return found
}
const uids = others.map((one) => one.metadata.uid)
const mirrorUids = mirrors.map((one) => one.metadata.uid)
const fullNames = others.map(fullNameOf)

report({
  translatePodUID: nanosOf((call) => manager.translatePodUID(at(mirrorUids, call))),
  getPodByUID: nanosOf((call) => manager.getPodByUID(at(uids, call))),
  getPodByFullName: nanosOf((call) => manager.getPodByFullName(at(fullNames, call))),
  getPodByMirrorPod: nanosOf((call) => manager.getPodByMirrorPod(at(mirrors, call))),
  getMirrorPodByPod: nanosOf((call) => manager.getMirrorPodByPod(at(others, call))),
  updatePod: nanosOf((call) => {
    manager.updatePod(at(others, call), [])
  }),
  removeAndAddPod: nanosOf((call) => {
    const one = at(others, call)
    manager.removePod(one, [])
    manager.addPod(one, [])
  }),
  getPods: nanosOf(() => manager.getPods()),
  getPodsAfterUpdate: nanosOf((call) => {
    manager.updatePod(at(others, call), [])
    return manager.getPods()
  }),
  getPodsAndMirrorPods: nanosOf(() => manager.getPodsAndMirrorPods()),
  getPodsAndMirrorPodsAfterUpdate: nanosOf((call) => {
    manager.updatePod(at(others, call), [])
    return manager.getPodsAndMirrorPods()
  }),
  getUIDTranslations: nanosOf(() => manager.getUIDTranslations()),
  getUIDTranslationsAfterRemoval: nanosOf((call) => {
    const one = at(others, call)
    manager.removePod(one, [])
    manager.addPod(one, [])
    return manager.getUIDTranslations()
  }),
  setPods: nanosOf(() => {
    manager.setPods(all, [])
  }),
})
if (sink < 0) throw new Error(buildPodFullName('never', 'default'))
