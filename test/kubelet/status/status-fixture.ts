import type { ContainerStatus, Pod, PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { FakeApiClient } from '../../../src/main/kubelet/fake-api-client.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { PodManager } from '../../../src/main/kubelet/pod/pod-manager.ts'
import { StatusManager } from '../../../src/main/kubelet/status/status-manager.ts'

/** The moment of a minute in 1970. */
export const seconds = (text: string): string => `1970-01-01T00:00:${text}Z`

/** The status of a container that says little. */
export function containerStatus(
  name: string,
  rest: Partial<ContainerStatus> = {},
): ContainerStatus {
  return { name, ready: false, restartCount: 0, image: 'i', imageID: '', lastState: {}, ...rest }
}

/** Statuses of a pod with one container. */
export const pending: PodStatus = {
  phase: 'Pending',
  conditions: [
    { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
    { type: 'ContainersReady', status: 'False', reason: 'ContainersNotReady' },
  ],
  containerStatuses: [
    containerStatus('c', { state: { waiting: { reason: 'ContainerCreating' } } }),
  ],
  qosClass: 'BestEffort',
}
export const running: PodStatus = {
  ...pending,
  phase: 'Running',
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'ContainersReady', status: 'True' },
  ],
  containerStatuses: [
    containerStatus('c', { state: { running: {} }, ready: true, containerID: 'fake://c-0' }),
  ],
}
export const failed: PodStatus = {
  ...running,
  phase: 'Failed',
  conditions: [
    { type: 'Ready', status: 'False', reason: 'PodFailed' },
    { type: 'ContainersReady', status: 'False', reason: 'PodFailed' },
  ],
  containerStatuses: [containerStatus('c', { state: { terminated: { exitCode: 137 } } })],
}

/** A manager on a clock that stands at one second, whose API and pod manager know the pods that were put. */
export class Bench {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
  readonly api: FakeApiClient
  readonly trace = new FakeTrace()
  readonly log = new FakeLog()
  readonly podManager = new PodManager({ trace: { emit: () => 0 } })
  readonly running = new Set<string>()
  readonly manager: StatusManager

  constructor(latencyMs = 0, writesAtOnce?: number) {
    this.api = new FakeApiClient({ clock: this.clock, latencyMs })
    this.manager = new StatusManager({
      api: this.api,
      podManager: this.podManager,
      podDeletionSafety: { couldHaveRunningContainers: (uid) => this.running.has(uid) },
      clock: this.clock,
      trace: this.trace,
      log: this.log,
      writesAtOnce,
    })
    this.manager.start()
  }

  /** Creates the pod in the API and hands the kubelet the object that came back. */
  async put(shape: Parameters<typeof fakePod>[0] = {}): Promise<Pod> {
    const created = await this.api.create(
      { resource: 'pods', namespace: 'default' },
      fakePod(shape),
    )
    if (!created.ok) throw new Error(created.error.message)
    this.podManager.addPod(created.value, [])
    this.api.calls.length = 0
    return created.value
  }

  /** The same where every call takes time. */
  async putSlow(shape: Parameters<typeof fakePod>[0] = {}): Promise<Pod> {
    const put = this.put(shape)
    await this.clock.advance(1000)
    return put
  }

  /** A static pod whose mirror is in the API and known. */
  async putStatic(): Promise<{ readonly pod: Pod; readonly mirror: Pod }> {
    const pod = fakeStaticPod()
    const created = await this.api.create(
      { resource: 'pods', namespace: 'default' },
      fakeMirrorOf(pod),
    )
    if (!created.ok) throw new Error(created.error.message)
    this.podManager.addPod(pod, [])
    this.podManager.addPod(created.value, [])
    this.api.calls.length = 0
    return { pod, mirror: created.value }
  }

  /** The API source: what the API has now becomes what the kubelet knows. */
  refresh(name = 'web'): Pod {
    const pod = this.api.pod(name)
    if (pod === undefined) throw new Error(`no pod ${name}`)
    this.podManager.updatePod(pod, [])
    return pod
  }

  async settle(): Promise<void> {
    await this.clock.advance(0)
  }

  /** Verbs since the last call. */
  verbs(): readonly string[] {
    return this.api.calls.splice(0).map(({ verb, name }) => `${verb} ${name}`)
  }

  patches(): readonly unknown[] {
    return this.api.calls.filter(({ verb }) => verb === 'patch').map(({ body }) => body)
  }
}

/** A running pod with a deletionTimestamp. */
export async function deletedPod(bench: Bench): Promise<Pod> {
  const pod = await bench.put()
  bench.manager.setPodStatus(pod, running, [])
  await bench.settle()
  bench.api.deletePod('web')
  return bench.refresh()
}
