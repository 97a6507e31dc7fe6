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
import {
  hasNodeStatusChanged,
  nodeConditionEvents,
  nodeStatus,
  nodeStatusPatch,
} from './node-status.ts'
import type { NodeDescription } from './node-status.ts'

const description: NodeDescription = {
  capacity: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '10Gi', pods: '110' },
  allocatable: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '9Gi', pods: '110' },
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
  const pressure = { memory: false, disk: false, pid: false }
  const lister = { isEmpty: false }
  const heartbeatFailures: number[] = []
  const refreshes: number[] = []
  const controller = new NodeController({
    nodeName: 'n',
    description,
    api,
    nodeLister: { get: () => (lister.isEmpty ? undefined : api.node('n')), hasSynced: () => true },
    readyErrors: () => errors,
    pressure: () => pressure,
    refreshRuntimeState: async () => {
      refreshes.push(clock.now())
    },
    onRepeatedHeartbeatFailure: () => {
      heartbeatFailures.push(clock.now())
    },
    events,
    clock,
    random: seededRandom(1),
    trace,
    log: new FakeLog(),
  })
  const condition = (type: string): NodeCondition | undefined =>
    api.node('n')?.status?.conditions?.find((one) => one.type === type)
  return {
    clock,
    api,
    trace,
    events,
    errors,
    pressure,
    lister,
    heartbeatFailures,
    refreshes,
    controller,
    condition,
  }
}

const unavailable = { kind: 'unavailable', message: 'connection refused' } as const

describe('NodeController', () => {
  it('registers the node with its taints, writes its status, and creates the lease it owns', async () => {
    const { clock, api, controller } = setUp()
    controller.start()
    await clock.advance(0)
    expect(api.writes()).toEqual(['create nodes/n ok', 'create leases/n ok', 'patch nodes/n ok'])
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

  it('adopts a node that it may not create', async () => {
    const { clock, api, trace, controller } = setUp()
    api.refuse = ({ verb, resource }) =>
      resource === 'nodes' && verb === 'create' ? { kind: 'forbidden', message: 'no' } : undefined
    controller.start()
    await clock.advance(150)
    expect(trace.data('node.registrationFailed')).toMatchObject([
      { message: 'no', retryMs: 100 },
      { message: 'no', retryMs: 200 },
    ])
    api.refuse = () => undefined
    await api.create({ resource: 'nodes' }, { metadata: { name: 'n', uid: '' } })
    api.refuse = ({ verb, resource }) =>
      resource === 'nodes' && verb === 'create' ? { kind: 'forbidden', message: 'no' } : undefined
    await clock.advance(200)
    expect(trace.data('node.registered')).toEqual([{ created: false }])
  })

  it('asks the runtime ten times a second until the node is ready, for two minutes at most', async () => {
    const { clock, controller, errors, refreshes } = setUp()
    errors.push('container runtime is down')
    controller.start()
    await clock.advance(1000)
    expect(refreshes).toHaveLength(11)
    await clock.advance(200_000)
    expect(refreshes).toHaveLength(1201)
  })

  it('writes only what differs: for a heartbeat the times of the conditions', async () => {
    const { clock, api, trace, controller } = setUp()
    controller.start()
    await clock.advance(1_000_000)
    const patches = api.calls.filter(
      ({ verb, resource }) => verb === 'patch' && resource === 'nodes',
    )
    expect(patches.length).toBeGreaterThan(2)
    expect(patches.at(-1)?.body).toEqual({
      status: {
        '$setElementOrder/conditions': [
          { type: 'MemoryPressure' },
          { type: 'DiskPressure' },
          { type: 'PIDPressure' },
          { type: 'Ready' },
        ],
        conditions: ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
          type,
          lastHeartbeatTime: expect.any(String),
        })),
      },
    })
    expect(trace.data('node.statusWritten').at(-1)).toEqual({ ready: true, changed: false })
  })

  it('shows pressure with its event, and its end', async () => {
    const { clock, controller, condition, events, pressure } = setUp()
    controller.start()
    await clock.advance(1000)
    events.take()
    pressure.memory = true
    await clock.advance(11_000)
    expect(condition('MemoryPressure')).toMatchObject({
      status: 'True',
      reason: 'KubeletHasInsufficientMemory',
      message: 'kubelet has insufficient memory available',
    })
    pressure.memory = false
    await clock.advance(11_000)
    expect(condition('MemoryPressure')).toMatchObject({ status: 'False' })
    expect(events.take()).toEqual([
      'Normal NodeHasInsufficientMemory Node n status is now: NodeHasInsufficientMemory',
      'Normal NodeHasSufficientMemory Node n status is now: NodeHasSufficientMemory',
    ])
  })

  it('tells when the node is cordoned and uncordoned', async () => {
    const { clock, api, controller, events } = setUp()
    controller.start()
    await clock.advance(1000)
    events.take()
    const cordon = async (unschedulable: boolean): Promise<void> => {
      const body = { spec: { unschedulable } }
      await api.patch({ resource: 'nodes', name: 'n' }, { type: 'strategic', body })
      await clock.advance(11_000)
    }
    await cordon(true)
    await cordon(false)
    expect(events.take()).toEqual([
      'Normal NodeNotSchedulable Node n status is now: NodeNotSchedulable',
      'Normal NodeSchedulable Node n status is now: NodeSchedulable',
    ])
  })

  it('tries a status five times at once, and has the connections closed from the second failure on', async () => {
    const { clock, api, controller, heartbeatFailures } = setUp()
    controller.start()
    await clock.advance(1000)
    await api.patch(
      { resource: 'nodes', name: 'n' },
      { type: 'strategic', body: { status: { nodeInfo: { kubeletVersion: 'v0' } } } },
    )
    api.refuse = ({ resource }) => (resource === 'nodes' ? unavailable : undefined)
    controller.notifyAgentReady()
    await clock.advance(0)
    expect(heartbeatFailures).toHaveLength(4)
  })

  it('gives a lease without an owner the node for one', async () => {
    const { clock, api, controller } = setUp()
    await api.create(
      { resource: 'leases', namespace: 'kube-node-lease' },
      { metadata: { name: 'n', uid: '' } },
    )
    controller.start()
    await clock.advance(0)
    const lease = await api.get({ resource: 'leases', namespace: 'kube-node-lease', name: 'n' })
    expect(lease).toMatchObject({
      value: { metadata: { ownerReferences: [{ kind: 'Node', name: 'n' }] } },
    })
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

  // Seen on 1.34.4: the first of the five tries of a round reads the informer's copy.
  it('asks the server four times in a round for a Node object that is gone', async () => {
    const { clock, api, trace, lister, controller } = setUp()
    controller.start()
    await clock.advance(1000)
    lister.isEmpty = true
    api.refuse = ({ resource }) =>
      resource === 'nodes' ? { kind: 'not-found', message: 'nodes "n" not found' } : undefined
    const before = api.calls.length
    expect(controller.view().status).toBe('Ready')
    await clock.advance(10_000)
    expect(controller.view()).toMatchObject({ registered: true, status: 'Deleted' })
    expect(
      api.calls.slice(before).filter((call) => call.resource === 'nodes' && call.verb === 'get'),
    ).toHaveLength(4)
    expect(trace.data('node.statusFailed')).toEqual(
      Array.from({ length: 5 }, () => ({ message: expect.stringContaining('"n" not found') })),
    )
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

describe('what others wrote on a node', () => {
  it('stays: conditions in their places, resources in both lists', () => {
    const first = nodeStatus(description, {}, [], 0)
    const { conditions = [] } = first
    const foreign = { type: 'NetworkUnavailable', status: 'False' } as const
    const shown = {
      ...first,
      conditions: [...conditions.slice(0, 2), foreign, ...conditions.slice(2)],
      capacity: { ...first.capacity, 'example.com/dongle': '4' },
    }
    const next = nodeStatus(description, shown, [], 0)
    expect(next.conditions?.map(({ type }) => type)).toEqual([
      'MemoryPressure',
      'DiskPressure',
      'NetworkUnavailable',
      'PIDPressure',
      'Ready',
    ])
    expect(next.capacity?.['example.com/dongle']).toBe('4')
    expect(next.allocatable).toEqual({ ...description.allocatable, 'example.com/dongle': '4' })
  })

  it('is no change where only the order of conditions or the spelling of quantities differs', () => {
    const status = nodeStatus(description, {}, [], 0)
    expect(
      hasNodeStatusChanged(status, {
        ...status,
        conditions: (status.conditions ?? []).toReversed(),
        capacity: { ...status.capacity, memory: '1024Mi', cpu: '2000m' },
      }),
    ).toBe(false)
    expect(
      hasNodeStatusChanged(status, { ...status, capacity: { ...status.capacity, cpu: '3' } }),
    ).toBe(true)
  })
})

describe('nodeStatusPatch', () => {
  const status = nodeStatus(description, {}, [], 0)

  it('is empty when nothing differs', () => {
    expect(nodeStatusPatch(status, status)).toEqual({ status: {} })
  })

  it('replaces addresses, which the API would merge by their type', () => {
    const addresses = [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'InternalIP', address: 'fd00::1' },
    ]
    expect(nodeStatusPatch(status, { ...status, addresses })).toEqual({
      status: { addresses: [...addresses, { $patch: 'replace' }] },
    })
    expect(nodeStatusPatch({}, { addresses })).toEqual({ status: { addresses } })
  })
})

describe('a node without its capacities', () => {
  it('is not ready, and says which are missing', () => {
    const bare = { ...description, capacity: { memory: '1Gi' }, allocatable: {} }
    expect(nodeStatus(bare, {}, ['x'], 0).conditions?.at(-1)).toMatchObject({
      status: 'False',
      message: '[x, missing node capacity for resources: cpu, pods]',
    })
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
