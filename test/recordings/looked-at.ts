import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { VirtualClock } from '../../src/main/clock/virtual-clock.ts'
import { FakeSeenCluster } from '../../src/main/inspector/fake-seen-cluster.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { FakeRecordingFile } from '../../src/main/recorder/fake-recording-file.ts'
import { readRecording } from '../../src/main/recorder/read-recording.ts'
import { newClusterTrace } from '../../src/main/session/cluster/cluster-services.ts'
import { ClusterSession } from '../../src/main/session/cluster/cluster-session.ts'
import { RecordedSession } from '../../src/main/session/recorded/recorded-session.ts'
import { ClusterRecording } from '../../src/main/session/recording/cluster-recording.ts'
import { ClusterWatch } from '../../src/main/session/seen/cluster-watch.ts'
import { InspectedNodes } from '../../src/main/session/seen/inspected-nodes.ts'
import { SeenFlow } from '../../src/main/session/seen/seen-flow.ts'
import { SeenTrace } from '../../src/main/session/seen/seen-trace.ts'
import { Workloads } from '../../src/main/session/workloads/workloads.ts'
import { fakePodOf, readAt } from '../../src/shared/model/inspect/fake-evidence.ts'

export const secret = 'very-secret-value'
export const node = 'worker-3'

/** A cluster that is looked at, by the parts of its session, on a clock that the test moves. */
export async function look() {
  const server = new FakeSeenCluster()
  server.pods = [
    fakePodOf({
      spec: {
        nodeName: node,
        containers: [{ name: 'c', image: 'i', env: [{ name: 'TOKEN', value: secret }] }],
      },
      state: { waiting: { reason: `exec ${secret}: not found` } },
    }),
  ]
  const clock = new VirtualClock(nodeClockHost, { startAt: readAt })
  const log = new FakeLog()
  const trace = newClusterTrace('prod', clock, log)
  const watch = new ClusterWatch({
    transport: server,
    clock,
    random: seededRandom(1),
    log,
    onView: (name) => {
      session.touchView()
      if (name !== undefined && flow.isShown(name)) session.touchFlow(name)
    },
    onPodsStatus: () => undefined,
    skewMs: () => 0,
  })
  const inspected = new InspectedNodes({
    transport: server,
    credentials: { get: () => Promise.reject(new Error('not needed')), refused: () => undefined },
    clock,
    accepted: new Map(),
    keepAccepted: () => undefined,
    openObjects: (name, onChange) => watch.objectsOf(name, onChange),
    onStatics: () => undefined,
    onView: (name) => session.touchInspection(name),
    onInferred: (name, uid) => session.touchRow(name, uid),
  })
  const seenTrace = new SeenTrace({
    trace,
    clock,
    pod: (uid) => watch.apiPods.get(uid),
    inspected: (pod) => inspected.conclusion(pod),
  })
  watch.apiPods.listen(({ before, after }) => {
    seenTrace.podChanged(before, after)
  })
  watch.onEvent((event) => {
    seenTrace.eventRecorded(event)
  })
  const flow = new SeenFlow({
    cluster: 'prod',
    trace,
    podsOf: (name) => watch.podsOf(name),
    renewals: (name) => watch.renewals(name),
    now: clock.now,
  })
  const session: ClusterSession = new ClusterSession({
    identity: {
      id: 'prod',
      kind: 'seen',
      label: 'prod',
      server: 's',
      exportLine: '',
      manifestsPath: '',
    },
    clock,
    trace,
    readOnly: () => '',
    apiPods: watch.apiPods,
    clockFacts: () => ({ virtual: false, paused: false, speed: 1, achieved: null }),
    seen: {
      inferred: (pod) => inspected.inferred(pod),
      inspection: (name) => inspected.view(name),
      isNodeHeard: watch.isNodeHeard,
      flow,
      view: () => ({
        context: 'prod',
        user: 'me',
        namespace: 'default',
        version: '',
        skewMs: 0,
        nodes: watch.nodes().map((seen) => ({ ...seen, statics: inspected.statics(seen.name) })),
        watches: watch.watches(),
        color: 0,
        plugin: '',
        pluginRun: null,
        drains: [],
        changes: { kind: 'readOnly', isFixed: true },
      }),
    },
  })
  const file = new FakeRecordingFile()
  const recorder = new ClusterRecording({ file, trace, clock, log })
  watch.start()
  await clock.advance(100)
  const pod = (_: string, uid: string) => watch.apiPods.get(uid)
  const workloads = new Workloads({ transport: server, pods: watch.apiPods, now: clock.now, log })
  const recorded = {
    version: '1',
    session,
    nodes: [],
    seed: null,
    workloads: { of: workloads, isAlways: false },
    pod,
    folder: undefined,
  }
  await recorder.begin(recorded, clock.now())
  const replay = async (): Promise<RecordedSession> => {
    await recorder.stop()
    watch.stop()
    const recording = readRecording(file.text)
    if (!recording.ok) throw new Error(recording.error)
    return new RecordedSession({
      id: 'r',
      file: 'f',
      recording: recording.value,
      host: nodeClockHost,
    })
  }
  return { server, clock, session, inspected, workloads, file, replay }
}
