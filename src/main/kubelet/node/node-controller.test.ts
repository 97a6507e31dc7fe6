import { describe, expect, it } from 'vitest'
import type { NodeCondition } from '../../../shared/kubernetes/objects.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeEventRecorder } from '../container/fake-event-recorder.ts'
import { FakeLog } from '../container/fake-log.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { FakeApiClient } from '../fake-api-client.ts'
import { NodeController } from './node-controller.ts'
import { hasNodeStatusChanged, nodeConditionEvents, nodeStatus } from './node-status.ts'
import type { NodeDescription } from './node-status.ts'

const description: NodeDescription = {
  capacity: { cpu: '2', memory: '1Gi', pods: '110' },
  allocatable: { cpu: '2', memory: '1Gi', pods: '110' },
  addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
  nodeInfo: { kubeletVersion: 'v1.34.0' },
  labels: { 'kubernetes.io/hostname': 'n' },
  taints: [{ key: 'nodescope.dev/agent', value: 'true', effect: 'NoSchedule' }],
}

function setUp() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 1_000_000 })
  const api = new FakeApiClient({ clock })
  const trace = new FakeTrace()
  const events = new FakeEventRecorder()
  const errors: string[] = []
  const controller = new NodeController({
    nodeName: 'n',
    description,
    api,
    nodeLister: { get: () => api.node('n'), hasSynced: () => true },
    readyErrors: () => errors,
    events,
    clock,
    random: seededRandom(1),
    trace,
    log: new FakeLog(),
  })
  const condition = (type: string): NodeCondition | undefined =>
    api.node('n')?.status?.conditions?.find((one) => one.type === type)
  return { clock, api, trace, events, errors, controller, condition }
}

const unavailable = { kind: 'unavailable', message: 'connection refused' } as const

describe('NodeController', () => {
  it('registers the node with its taints, writes its status, and creates the lease it owns', async () => {
    const { clock, api, controller } = setUp()
    controller.start()
    await clock.advance(0)
    expect(api.writes()).toEqual(['create nodes/n ok', 'patch nodes/n ok', 'create leases/n ok'])
    expect(api.node('n')?.spec?.taints).toEqual(description.taints)
    expect(
      await api.get({ resource: 'leases', namespace: 'kube-node-lease', name: 'n' }),
    ).toMatchObject({
      value: {
        metadata: {
          ownerReferences: [{ kind: 'Node', name: 'n', uid: api.node('n')?.metadata.uid }],
        },
        spec: {
          holderIdentity: 'n',
          leaseDurationSeconds: 40,
          renewTime: '1970-01-01T00:16:40.000000Z',
        },
      },
    })
    expect(controller.view()).toEqual({
      registered: true,
      status: 'Ready',
      leaseRenewedAt: 1_000_000,
      leaseDurationSeconds: 40,
    })
  })

  it('tries registration again for ever, with pauses that double up to seven seconds', async () => {
    const { clock, api, trace, controller } = setUp()
    api.refuse = ({ resource }) => (resource === 'nodes' ? unavailable : undefined)
    controller.start()
    await clock.advance(30_000)
    expect(trace.data('node.registrationFailed').map((one) => one.retryMs)).toEqual([
      100, 200, 400, 800, 1600, 3200, 6400, 7000, 7000, 7000,
    ])
    expect(controller.view().registered).toBe(false)
    api.refuse = () => undefined
    await clock.advance(7000)
    expect(controller.view().registered).toBe(true)
  })

  it('takes over a node that exists, with its labels put right and its taints left alone', async () => {
    const { clock, api, trace, controller } = setUp()
    await api.create(
      { resource: 'nodes' },
      { metadata: { name: 'n', uid: '', labels: { mine: 'yes' } } },
    )
    controller.start()
    await clock.advance(0)
    expect(api.node('n')?.metadata.labels).toEqual({ mine: 'yes', 'kubernetes.io/hostname': 'n' })
    expect(api.node('n')?.spec?.taints).toBeUndefined()
    expect(trace.data('node.registered')).toEqual([{ created: false }])
  })

  it('turns Ready within a tenth of a second after the runtime is up, with an event', async () => {
    const { clock, controller, errors, condition, events } = setUp()
    errors.push('container runtime is down')
    controller.start()
    await clock.advance(500)
    expect(condition('Ready')).toMatchObject({
      status: 'False',
      reason: 'KubeletNotReady',
      message: 'container runtime is down',
    })
    expect(events.take()).toEqual([
      'Normal Starting Starting kubelet.',
      'Normal NodeHasSufficientMemory Node n status is now: NodeHasSufficientMemory',
      'Normal NodeHasNoDiskPressure Node n status is now: NodeHasNoDiskPressure',
      'Normal NodeHasSufficientPID Node n status is now: NodeHasSufficientPID',
    ])
    errors.length = 0
    await clock.advance(100)
    expect(condition('Ready')).toMatchObject({ status: 'True', reason: 'KubeletReady' })
    expect(events.take()).toEqual(['Normal NodeReady Node n status is now: NodeReady'])
  })

  it('writes status only when something changed, or every five minutes', async () => {
    const { clock, trace, controller } = setUp()
    controller.start()
    await clock.advance(290_000)
    const written = trace.data('node.statusWritten').length
    expect(written).toBeLessThanOrEqual(2)
    await clock.advance(180_000)
    expect(trace.data('node.statusWritten').length).toBeGreaterThan(written)
  })

  it('renews the lease about every ten seconds by an update of the last one', async () => {
    const { clock, api, trace, controller } = setUp()
    controller.start()
    await clock.advance(60_000)
    expect(api.writes(1).filter((write) => write.includes('leases'))).toEqual(
      Array.from({ length: 5 }, () => 'update leases/n ok'),
    )
    expect(trace.data('lease.renewed')).toHaveLength(6)
  })

  it('makes the lease anew when somebody deleted it', async () => {
    const { clock, api, controller } = setUp()
    controller.start()
    await clock.advance(5000)
    api.refuse = ({ verb, resource }) =>
      resource === 'leases' && verb === 'update'
        ? { kind: 'not-found', message: 'gone' }
        : undefined
    await clock.advance(6000)
    api.refuse = () => undefined
    await clock.advance(11_000)
    expect(controller.view().leaseRenewedAt).toBeGreaterThan(1_015_000)
  })

  it('does not come back when its Node object is deleted, and says so in the trace', async () => {
    const { clock, api, trace, controller } = setUp()
    controller.start()
    await clock.advance(1000)
    api.refuse = ({ verb, resource }) =>
      resource === 'nodes' && verb !== 'create'
        ? { kind: 'not-found', message: 'nodes "n" not found' }
        : undefined
    await clock.advance(300_000 * 1.6)
    expect(trace.data('node.statusFailed').length).toBeGreaterThanOrEqual(4)
    expect(trace.data('node.registered')).toHaveLength(1)
  })

  it('writes nothing on the way out, and leaves no timer', async () => {
    const { clock, api, controller } = setUp()
    controller.start()
    await clock.advance(100)
    const before = api.calls.length
    controller.stop()
    await clock.advance(60_000)
    expect(api.calls.length).toBe(before)
    expect(clock.pendingTimers).toBe(0)
  })

  it('is ready for those who wait for registration', async () => {
    const { clock, controller } = setUp()
    let isReady = false
    void controller.ready().then(() => {
      isReady = true
    })
    await clock.advance(10)
    expect(isReady).toBe(false)
    controller.start()
    await clock.advance(10)
    expect(isReady).toBe(true)
    expect(controller.getNode()?.metadata.name).toBe('n')
  })
})

describe('nodeStatus', () => {
  it('keeps the time of a transition until the status flips, and moves heartbeats', () => {
    const first = nodeStatus(description, {}, ['down'], 1000)
    const second = nodeStatus(description, first, [], 5000)
    const third = nodeStatus(description, second, [], 9000)
    const ready = third.conditions?.find((one) => one.type === 'Ready')
    expect(ready).toEqual({
      type: 'Ready',
      status: 'True',
      lastHeartbeatTime: '1970-01-01T00:00:09Z',
      lastTransitionTime: '1970-01-01T00:00:05Z',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
    })
    expect(third.conditions?.map((one) => one.type)).toEqual([
      'MemoryPressure',
      'DiskPressure',
      'PIDPressure',
      'Ready',
    ])
    expect(hasNodeStatusChanged(second, third)).toBe(false)
    expect(hasNodeStatusChanged(first, second)).toBe(true)
  })

  it('keeps conditions of others, and joins several reasons', () => {
    const foreign = { type: 'NetworkUnavailable', status: 'False' } as const
    const status = nodeStatus(description, { conditions: [foreign] }, ['a', 'b'], 0)
    expect(status.conditions?.[0]).toEqual(foreign)
    expect(status.conditions?.at(-1)?.message).toBe('[a, b]')
  })
})

describe('nodeConditionEvents', () => {
  it('says nothing where nothing flipped', () => {
    const { conditions = [] } = nodeStatus(description, {}, [], 0)
    expect(nodeConditionEvents(conditions, conditions)).toEqual([])
  })

  it('tells a node that stops being ready', () => {
    const { conditions: before = [] } = nodeStatus(description, {}, [], 0)
    const { conditions: after = [] } = nodeStatus(description, { conditions: before }, ['x'], 0)
    expect(nodeConditionEvents(before, after)).toEqual(['NodeNotReady'])
  })
})
