import { noRunOptions } from './fake-runtime-helper.ts'
import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { SimulatedRuntime } from '../../runtimes/simulated/simulated-runtime.ts'
import { generateApiPodStatus } from '../status/api-status.ts'
import { ClusterTrace } from '../trace.ts'
import { FakeEventRecorder } from './fake-event-recorder.ts'
import { FakeLog } from './fake-log.ts'
import { podOf } from './fake-pods.ts'
import { GenericPleg } from './pleg.ts'
import { PodStatusCache } from './pod-cache.ts'
import { ReasonCache } from './reason-cache.ts'
import { RuntimeManager } from '../kuberuntime/runtime-manager.ts'

const pod = podOf({
  containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 2; exit 3'] }],
  terminationGracePeriodSeconds: 30,
})

/** The kubelet's lower half on the simulated runtime, with a worker that syncs once a second. */
class Node {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly trace = new ClusterTrace({
    cluster: 'test',
    clock: this.clock,
    onError: (error) => {
      throw error
    },
  })
  readonly events = new FakeEventRecorder()
  readonly reasons = new ReasonCache()
  readonly cache = new PodStatusCache({ clock: this.clock })
  readonly runtime = new SimulatedRuntime({
    clock: this.clock,
    random: seededRandom(1),
    trace: this.trace.forNode('n'),
    log: new FakeLog(),
  })
  readonly manager = new RuntimeManager({
    runtimeHelper: noRunOptions,
    runtimeService: this.runtime,
    imageService: this.runtime,
    clock: this.clock,
    random: seededRandom(2),
    recorder: this.events,
    trace: this.trace.forNode('n'),
    log: new FakeLog(),
  })
  readonly pleg = new GenericPleg({
    runtime: this.manager,
    cache: this.cache,
    clock: this.clock,
    trace: this.trace.forNode('n'),
    log: new FakeLog(),
    causesOf: (id) => this.runtime.causesOf(id),
  })

  start(): void {
    this.manager.start()
    this.pleg.start(() => undefined)
    void this.#work()
  }

  apiStatus() {
    const status = this.cache.get('u')
    if (!status.ok) throw new Error(status.error.message)
    return generateApiPodStatus({
      pod,
      runtimeStatus: status.value,
      podIsTerminal: false,
      oldStatus: undefined,
      reasonCache: this.reasons,
    })
  }

  /** When the container started and ended, in ms. */
  times(kind: 'container.started' | 'container.exited'): readonly number[] {
    return this.trace
      .newest(10_000)
      .filter((event) => event.kind === kind)
      .map(({ at }) => at)
      .toReversed()
  }

  async #work(): Promise<void> {
    for (;;) {
      const since = this.clock.now()
      const status = await this.cache.getNewerThan('u', since)
      if (!status.ok) throw new Error(status.error.message)
      this.reasons.update('u', await this.manager.syncPod(pod, status.value, []))
    }
  }
}

describe('a crashing container on the simulated runtime', () => {
  it('is restarted after 0, 10, 20, 40, 80, 160 and 300 seconds, at the next sync', async () => {
    const node = new Node()
    node.start()
    await node.clock.advance(1_200_000)
    const started = node.times('container.started')
    const ended = node.times('container.exited')
    expect(started.length).toBeGreaterThanOrEqual(8)
    const waits = started.slice(1, 8).map((at, index) => at - (ended[index] ?? 0))
    const late = waits.map(
      (wait, index) => wait - ([0, 10, 20, 40, 80, 160, 300][index] ?? 0) * 1000,
    )
    // A sync waits for the next relist, and making a container takes a little.
    for (const ms of late) {
      expect(ms).toBeGreaterThanOrEqual(0)
      expect(ms).toBeLessThan(2500)
    }
  })

  it('shows each stage in the API status: creating, running, back-off with its last end', async () => {
    const node = new Node()
    node.start()
    expect(node.apiStatus().containerStatuses).toMatchObject([
      { state: { waiting: { reason: 'ContainerCreating' } }, restartCount: 0 },
    ])
    await node.clock.advance(5000)
    expect(node.apiStatus()).toMatchObject({
      phase: 'Running',
      podIP: expect.stringMatching(/^10\.244\./),
      containerStatuses: [{ ready: true, state: { running: {} } }],
    })
    await node.clock.advance(8000)
    expect(node.apiStatus()).toMatchObject({
      phase: 'Running',
      containerStatuses: [
        {
          ready: false,
          restartCount: 1,
          state: {
            waiting: {
              reason: 'CrashLoopBackOff',
              message: 'back-off 10s restarting failed container=c pod=p_n(u)',
            },
          },
          lastState: { terminated: { exitCode: 3, reason: 'Error' } },
          containerID: expect.stringMatching(/^simulated:\/\//),
        },
      ],
    })
  })

  it('leaves a chain of causes from its exit to the event that the PLEG sent', async () => {
    const node = new Node()
    node.start()
    await node.clock.advance(10_000)
    const events = node.trace.newest(10_000)
    const bySeq = new Map(events.map((event) => [event.seq, event]))
    const died = events.findLast(
      (event) => event.kind === 'pleg.event' && event.data.type === 'ContainerDied',
    )
    const kinds: string[] = []
    for (let event = died; event !== undefined; event = bySeq.get(event.causes[0] ?? 0)) {
      kinds.push(event.kind)
    }
    expect(kinds).toEqual([
      'pleg.event',
      'container.exited',
      'container.started',
      'image.pulled',
      'image.pulling',
    ])
  })
})
