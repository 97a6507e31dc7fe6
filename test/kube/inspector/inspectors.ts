import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { systemClock } from '../../../src/main/clock/system-clock.ts'
import { NodeInspector } from '../../../src/main/inspector/node-inspector.ts'
import { ClusterWatch } from '../../../src/main/session/seen/cluster-watch.ts'
import { newClusterTrace } from '../../../src/main/session/cluster/cluster-services.ts'
import { SeenTrace } from '../../../src/main/session/seen/seen-trace.ts'
import { waysToKubelet } from '../../../src/main/inspector/ways-to-kubelet.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { InspectView } from '../../../src/shared/model/inspect/inspect-view.ts'
import type { Sample } from './agreement.ts'
import { moveOf, type Move } from './moves.ts'
import { nodeName, viewerWith, type InspectedNode } from './inspected-node.ts'

/** One inspector for each set of rights, over one set of watches. */
export interface Inspectors {
  readonly direct: NodeInspector
  readonly proxy: NodeInspector
  readonly none: NodeInspector
  /** What Flow draws with `direct`, as it comes. */
  readonly moves: readonly Move[]
  /** What `direct` showed before its kubelet's certificate was accepted. */
  readonly beforeAccepted: InspectView
  /** Samples `direct` each 250 ms, the others each second. */
  readonly sample: (into: Sample[]) => { readonly stop: () => Promise<void> }
  readonly close: () => Promise<void>
}

export const narrowRights = ['pods', 'configz', 'healthz', 'metrics', 'stats'].map(
  (one) => `nodes/${one}`,
)

export async function inspectorsOf(node: InspectedNode): Promise<Inspectors> {
  const watch = new ClusterWatch({
    transport: node.administrator.transport,
    clock: systemClock,
    random: seededRandom(1),
    log: new FakeLog(),
    onView: () => undefined,
    onPodsStatus: () => undefined,
    skewMs: () => 0,
  })
  const trace = newClusterTrace('inspected', systemClock, new FakeLog())
  const seenTrace = new SeenTrace({
    trace,
    clock: systemClock,
    pod: (uid) => watch.apiPods.get(uid),
    inspected: ({ metadata }) =>
      inspectors.direct.view().rows.find(({ apiUid }) => apiUid === metadata.uid),
  })
  watch.start()
  const objects = watch.objectsOf(nodeName, () => {
    for (const inspector of made) inspector.objectsChanged()
  })
  const made: NodeInspector[] = []
  objects.start()
  while ((objects.node()?.status?.addresses ?? []).length === 0) await sleep(100)
  const viewers = {
    direct: await viewerWith(node, 'narrow', narrowRights),
    proxy: await viewerWith(node, 'broad', ['nodes/proxy']),
    none: await viewerWith(node, 'without', []),
  }
  let accepted: string | undefined
  const inspectorOf = (way: keyof typeof viewers): NodeInspector => {
    const inspector = new NodeInspector({
      nodeName,
      objects,
      clock: systemClock,
      address: () => null,
      ways: () =>
        waysToKubelet({
          node: objects.node(),
          ...viewers[way],
          acceptedFingerprint: accepted,
          wanted: way === 'none' ? undefined : way,
        }),
    })
    made.push(inspector)
    return inspector
  }
  const direct = inspectorOf('direct')
  await direct.read(['/pods'])
  // A kubelet's certificate is its own by default: the user accepts it.
  const beforeAccepted = direct.view()
  accepted = beforeAccepted.kubelet.certificate?.fingerprint
  await direct.reset()
  const inspectors = { direct, proxy: inspectorOf('proxy'), none: inspectorOf('none') }
  const moves: Move[] = []
  trace.listen((event) => {
    const move = moveOf(event)
    if (move !== undefined) moves.push(move)
  })
  watch.apiPods.listen(({ before, after }) => seenTrace.podChanged(before, after))
  watch.onEvent((event) => seenTrace.eventRecorded(event))

  const sampleOne = async (way: keyof typeof inspectors, into: Sample[]): Promise<void> => {
    const from = Date.now()
    await inspectors[way].read(['/pods', '/runningpods/'])
    const to = Date.now()
    for (const row of inspectors[way].view().rows) {
      const { uid, apiUid, name, worker, certainty, because, status, told, running } = row
      const seen = `API ${status}, /pods ${told}, /runningpods ${running?.map((brick) => brick.name).join('+')}`
      into.push({ way, uid, name, from, to, worker, certainty, because, seen })
      const pod = way === 'direct' && apiUid !== null ? watch.apiPods.get(apiUid) : undefined
      if (pod !== undefined) seenTrace.conclude(pod)
    }
  }
  const sample = (into: Sample[]) => {
    let isRunning = true
    const every = async (way: keyof typeof inspectors, ms: number): Promise<void> => {
      while (isRunning) {
        await sampleOne(way, into)
        await sleep(ms)
      }
    }
    const running = Promise.all([every('direct', 250), every('proxy', 1000), every('none', 1000)])
    return {
      stop: async () => {
        isRunning = false
        await running
      },
    }
  }
  const close = async (): Promise<void> => {
    for (const inspector of Object.values(inspectors)) await inspector.reset()
    objects.stop()
    watch.stop()
    for (const { transport } of Object.values(viewers)) await transport.close()
  }
  return { ...inspectors, moves, beforeAccepted, sample, close }
}
