import { describe, expect, it } from 'vitest'
import type { TraceEvent, TraceInput } from '../../src/shared/model/trace-event.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { runtimeContainerId } from '../../src/main/kubelet/status/container-statuses.ts'
import { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import { ApiHistory } from './api-history.ts'
import type { Violation } from './invariants.ts'
import { TraceWatch } from './trace-watch.ts'

const startAt = Date.UTC(2026, 0, 1)

/** A watch on a cluster with one static pod at work, and events that are made up. */
class Fixture {
  readonly violations: Violation[] = []
  readonly cluster = new MemorySandbox({ seed: 1, startAt, nodeNames: ['n1'], log: new FakeLog() })
  readonly watch: TraceWatch
  #seq = 0

  constructor(api: Partial<ApiHistory> = {}) {
    const { cluster } = this
    const report = (invariant: Violation['invariant'], what: string): void => {
      this.violations.push({ invariant, what })
    }
    const history = new ApiHistory({
      watch: () => cluster.send({ method: 'GET', path: '/api/v1/pods', query: { watch: 'true' } }),
      runs: () => false,
      report,
    })
    this.watch = new TraceWatch({ cluster, api: Object.assign(history, api), report })
    this.#seq = cluster.trace.lastSeq
  }

  async work(): Promise<this> {
    const { cluster } = this
    cluster.trace.listen((event) => {
      this.#seq = event.seq
      this.watch.take(event)
    })
    cluster.start()
    cluster.putManifests([
      {
        metadata: { name: 's', uid: 'static-uid' },
        spec: {
          containers: [
            {
              name: 'c',
              image: 'busybox:1',
              command: ['sleep', '100000'],
              readinessProbe: { exec: { command: ['true'] } },
            },
          ],
        },
      },
    ])
    await cluster.clock.advance(60_000)
    return this
  }

  /** The next event, or one with a number, a time or causes of its own. */
  tell(input: TraceInput, more: { readonly seq?: number; readonly at?: number } = {}): void {
    const { seq = this.#seq + 1, at = this.cluster.clock.now() } = more
    this.#seq = seq
    this.watch.take({ ...input, seq, at, cluster: 'sandbox', node: 'n1' } as TraceEvent)
  }

  get numbers(): readonly number[] {
    return this.violations.map(({ invariant }) => invariant)
  }
}

const loop: TraceInput = {
  kind: 'loop.sync',
  subject: { kind: 'node' },
  causes: [],
  data: { pods: 1 },
}

function started(uid: string): TraceInput {
  return {
    kind: 'container.started',
    subject: { kind: 'pod', uid, namespace: 'default', name: 's-n1' },
    causes: [],
    data: { container: 'c', containerId: 'another' },
  }
}

function written(
  resource: string,
  data: Partial<Extract<TraceInput, { kind: 'object.written' }>['data']>,
): TraceInput {
  return {
    kind: 'object.written',
    subject: { kind: 'object', resource, namespace: 'default', name: 'n1', uid: 'static-uid' },
    causes: [],
    data: {
      change: 'MODIFIED',
      resourceVersion: '1000000',
      user: 'system:node:n1',
      subresource: '',
      ...data,
    },
  }
}

describe('TraceWatch', () => {
  it('finds no violation in a running cluster, and returns the running containers', async () => {
    const fixture = await new Fixture().work()
    fixture.watch.lookAt(fixture.cluster.node())
    expect(fixture.violations).toEqual([])
    expect(fixture.watch.running).toEqual([{ node: 'n1', podUid: 'static-uid', container: 'c' }])
    fixture.cluster.powerOff()
    fixture.cluster.bringUp()
    await fixture.cluster.clock.advance(0)
    expect(fixture.watch.running).toEqual([])
  })

  it('reports (1) a gap, a decreasing time, and a cause after its effect', () => {
    const fixture = new Fixture()
    fixture.tell(loop)
    expect(fixture.numbers).toEqual([])
    fixture.tell(loop, { seq: fixture.cluster.trace.lastSeq + 5 })
    fixture.tell(loop, { at: startAt - 1 })
    fixture.tell({ ...loop, causes: [99_999] })
    fixture.tell({ ...loop, causes: [0] })
    expect(fixture.numbers).toEqual([1, 1, 1, 1])
  })

  it('reports (3) a container of a pod without a worker, or with a terminating one', async () => {
    const fixture = await new Fixture().work()
    fixture.tell(started('unknown'))
    const { table } = fixture.cluster.node().kubelet.podWorkers
    const record = table.records.get('static-uid')
    if (record !== undefined) record.startedTerminating = true
    fixture.tell(started('static-uid'))
    expect(fixture.numbers).toEqual([3, 3])
  })

  it('reports (2) a worker record that moves backward', async () => {
    const fixture = await new Fixture().work()
    const node = fixture.cluster.node()
    fixture.watch.lookAt(node)
    const record = node.kubelet.podWorkers.table.records.get('static-uid')
    if (record !== undefined) record.startedAt = 1
    fixture.watch.lookAt(node)
    expect(fixture.numbers).toEqual([2])
  })

  it('reports (6) a resource version that does not increase', async () => {
    const fixture = await new Fixture().work()
    fixture.tell(written('pods', { resourceVersion: '1' }))
    expect(fixture.numbers).toEqual([6])
  })

  it('reports (10) a running pod that its kubelet deletes, but not one that another user deletes', async () => {
    const fixture = await new Fixture().work()
    fixture.tell(written('pods', { change: 'DELETED', user: 'admin' }))
    expect(fixture.numbers).toEqual([])
    fixture.tell(written('pods', { change: 'DELETED', resourceVersion: '1000001' }))
    expect(fixture.numbers).toEqual([10])
  })

  it('reports (11) a lease that another node writes', async () => {
    const fixture = await new Fixture().work()
    fixture.tell(written('leases', { user: 'system:node:n2' }))
    expect(fixture.numbers).toEqual([11])
  })

  it('reports (12) a container on a node that its pod is not bound to', async () => {
    const fixture = await new Fixture({ nodeOf: () => 'n2' }).work()
    // Its own pod is static, and this history takes it for one of the other node.
    expect(new Set(fixture.numbers)).toEqual(new Set([12]))
  })

  it('reports (25) a pod that is Ready although its readiness probe fails', async () => {
    const fixture = await new Fixture().work()
    const node = fixture.cluster.node()
    fixture.watch.checkReadiness(node)
    expect(fixture.numbers).toEqual([])
    const status = node.kubelet.statusManager.getPodStatus('static-uid')?.containerStatuses?.[0]
    const containerId = runtimeContainerId(status?.containerID ?? '')
    fixture.tell({
      kind: 'probe.resultChanged',
      subject: { kind: 'pod', uid: 'static-uid', namespace: 'default', name: 's-n1' },
      causes: [],
      data: { container: 'c', containerId, probe: 'readiness', result: 'failure', probed: true },
    })
    fixture.watch.checkReadiness(node)
    expect(fixture.numbers).toEqual([25])
  })
})
