import { describe, expect, it } from 'vitest'
import { reconciledNode } from '../../../src/main/kubelet/node/node-registration.ts'
import { nodeStatus } from '../../../src/main/kubelet/node/node-status.ts'
import type { ApiErrorKind } from '../../../src/main/kubelet/ports.ts'
import type { Node, NodeCondition } from '../../../src/shared/kubernetes/objects.ts'
import { description, NodeFixture, startAt, unavailable, withoutTimes } from './node-fixture.ts'

const own = 'volumes.kubernetes.io/controller-managed-attach-detach'

function verbsOf(calls: readonly string[]): readonly string[] {
  return withoutTimes(calls).map((call) => call.split(' ')[0] ?? '')
}

describe('node#registration', () => {
  it('creates the Node with labels, taints, annotation and a first status', async () => {
    const fixture = new NodeFixture()
    fixture.controller.start()
    await fixture.clock.advance(99)
    expect(fixture.take('nodes').filter((call) => call.includes('create'))).toEqual([])
    await fixture.clock.advance(1)
    expect(fixture.node()).toMatchObject({
      metadata: { name: 'n', labels: description.labels, annotations: { [own]: 'true' } },
      spec: { taints: description.taints },
    })
    expect(fixture.take('nodes')).toEqual(['0.1 create ok', '0.1 patch ok'])
    expect(fixture.trace.data('node.registered')).toEqual([{ created: true, corrected: [] }])
  })

  it('retries without end: first after 100 ms, then in pauses that double up to seven seconds', async () => {
    const fixture = new NodeFixture()
    fixture.api.refuse = ({ resource }) => (resource === 'nodes' ? unavailable : undefined)
    fixture.controller.start()
    await fixture.clock.advance(34_000)
    const creations = fixture.take('nodes').filter((call) => call.includes('create'))
    expect(creations.map((call) => call.split(' ')[0])).toEqual([
      '0.1',
      '0.3',
      '0.7',
      '1.5',
      '3.1',
      '6.3',
      '12.7',
      '19.7',
      '26.7',
      '33.7',
    ])
    expect(fixture.trace.data('node.registrationFailed').map(({ retryMs }) => retryMs)).toEqual([
      200, 400, 800, 1600, 3200, 6400, 7000, 7000, 7000, 7000,
    ])
    expect(fixture.controller.view().registered).toBe(false)
    fixture.api.refuse = () => undefined
    await fixture.clock.advance(7000)
    expect(fixture.controller.view().registered).toBe(true)
  })

  it.each<[ApiErrorKind, 'read' | 'tried again']>([
    ['already-exists', 'read'],
    // A kubelet that may not create nodes can use a Node that exists.
    ['forbidden', 'read'],
    ['conflict', 'tried again'],
    ['invalid', 'tried again'],
    ['unavailable', 'tried again'],
    ['unauthorized', 'tried again'],
  ])('after a creation that is refused as %s the Node is %s', async (kind, what) => {
    const fixture = new NodeFixture()
    await fixture.put({})
    fixture.api.refuse = ({ verb, resource }) =>
      resource === 'nodes' && verb === 'create' ? { kind, message: 'no' } : undefined
    fixture.controller.start()
    await fixture.clock.advance(250)
    const reads = verbsOf(fixture.take('nodes')).filter((verb) => verb === 'get')
    // One more comes of the lease, which wants an owner.
    expect(reads).toHaveLength(what === 'read' ? 2 : 1)
    expect(fixture.controller.view().registered).toBe(what === 'read')
  })

  it('keeps waiting for a Node that it may not create and that does not exist', async () => {
    const fixture = new NodeFixture()
    fixture.api.refuse = ({ verb, resource }) =>
      resource === 'nodes' && verb === 'create' ? { kind: 'forbidden', message: 'no' } : undefined
    fixture.controller.start()
    await fixture.clock.advance(350)
    expect(fixture.trace.data('node.registrationFailed')).toEqual([
      { message: 'no', retryMs: 200 },
      { message: 'no', retryMs: 400 },
    ])
  })

  it('writes labels and status of a Node that was there in one patch of its status', async () => {
    const fixture = new NodeFixture()
    await fixture.put({
      metadata: { name: 'n', uid: '', labels: { mine: 'yes', 'kubernetes.io/os': 'plan9' } },
      spec: { taints: [{ key: 'theirs', effect: 'NoSchedule' }] },
    })
    fixture.controller.start()
    await fixture.clock.advance(150)
    const [patch] = fixture.api.calls.filter(({ verb }) => verb === 'patch')
    expect(patch?.body).toMatchObject({ metadata: { labels: { 'kubernetes.io/os': 'linux' } } })
    expect(fixture.node()?.spec?.taints).toEqual([{ key: 'theirs', effect: 'NoSchedule' }])
    expect(fixture.trace.data('node.registered')).toEqual([
      { created: false, corrected: ['labels', 'annotations', 'resources'] },
    ])
  })

  it('sends nothing for a Node that is as it should be', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    const node = fixture.node()
    fixture.controller.stop()
    const again = new NodeFixture()
    await again.put(node ?? {})
    again.controller.start()
    await again.clock.advance(150)
    expect(verbsOf(again.take('nodes')).slice(0, 4)).toEqual(['get', 'create', 'get', 'patch'])
    expect(again.trace.data('node.registered')).toEqual([{ created: false, corrected: [] }])
  })

  const bare: Node = {
    metadata: { name: 'n', uid: '', labels: {}, annotations: { [own]: 'true' } },
    status: { capacity: { cpu: '2' }, allocatable: { cpu: '2' } },
  }
  const labelled = (labels: Readonly<Record<string, string>>): Node => ({
    ...bare,
    metadata: { ...bare.metadata, labels },
  })
  const annotated = (annotations: Readonly<Record<string, string>>): Node => ({
    ...bare,
    metadata: { ...bare.metadata, annotations },
  })
  const sized = (
    capacity: Readonly<Record<string, string>>,
    allocatable: Readonly<Record<string, string>> = capacity,
  ): Node => ({ ...bare, status: { capacity, allocatable } })

  it.each<[title: string, initial: Node, existing: Node, expected: Node, corrected: string[]]>([
    ['as it should be', bare, bare, bare, []],
    [
      'a default label that is missing',
      labelled({ 'kubernetes.io/os': 'linux' }),
      bare,
      labelled({ 'kubernetes.io/os': 'linux' }),
      ['labels'],
    ],
    [
      'a default label with another value, next to a foreign one',
      labelled({ 'topology.kubernetes.io/zone': 'a' }),
      labelled({ 'topology.kubernetes.io/zone': 'b', theirs: 'yes' }),
      labelled({ 'topology.kubernetes.io/zone': 'a', theirs: 'yes' }),
      ['labels'],
    ],
    [
      'a default label that is empty now',
      labelled({ 'node.kubernetes.io/instance-type': '' }),
      labelled({ 'node.kubernetes.io/instance-type': 'large' }),
      labelled({}),
      ['labels'],
    ],
    [
      'a label of its own, which is its administrator’s once it is there',
      labelled({ 'example.com/rack': 'a' }),
      labelled({ 'example.com/rack': 'b' }),
      labelled({ 'example.com/rack': 'b' }),
      [],
    ],
    [
      'a label of keptLabels',
      labelled({ 'example.com/ours': 'yes' }),
      bare,
      labelled({ 'example.com/ours': 'yes' }),
      ['labels'],
    ],
    [
      'no annotation of attachments',
      bare,
      annotated({ theirs: 'kept' }),
      annotated({ theirs: 'kept', [own]: 'true' }),
      ['annotations'],
    ],
    [
      'an annotation of attachments that is no longer wanted',
      annotated({}),
      annotated({ theirs: 'kept', [own]: 'true' }),
      annotated({ theirs: 'kept' }),
      ['annotations'],
    ],
    [
      'extended resources: zero until a device says otherwise',
      bare,
      sized({ cpu: '2', 'example.com/gpu': '2' }),
      sized({ cpu: '2', 'example.com/gpu': '0' }),
      ['resources'],
    ],
    [
      'huge pages of a size that the machine no longer has',
      bare,
      sized({ cpu: '2', 'hugepages-2Mi': '4Mi' }),
      sized({ cpu: '2' }),
      ['resources'],
    ],
    [
      'huge pages of a size that is new',
      sized({ cpu: '2', 'hugepages-2Mi': '4Mi' }),
      sized({ cpu: '2' }),
      sized({ cpu: '2', 'hugepages-2Mi': '4Mi' }),
      ['resources'],
    ],
    ['native resources: with the next status', sized({ cpu: '4' }), bare, bare, []],
    [
      'no resources at all',
      sized({ cpu: '4', memory: '1Gi' }),
      { ...bare, status: {} },
      sized({ cpu: '4', memory: '1Gi' }),
      ['resources'],
    ],
  ])('corrects: %s', (_, initial, existing, node, corrected) => {
    expect(reconciledNode(initial, existing, ['example.com/ours'])).toEqual({ node, corrected })
  })

  it('restores removed labels of operating system and architecture with the next status', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    await fixture.patch({
      metadata: {
        labels: { 'kubernetes.io/os': 'plan9', 'kubernetes.io/arch': null, theirs: '1' },
      },
    })
    await fixture.clock.advance(11_000)
    expect(fixture.node()?.metadata.labels).toEqual({ ...description.labels, theirs: '1' })
  })

  it('is not created again when its Node object is deleted: four reads of a round get 404', async () => {
    const fixture = new NodeFixture()
    // A lease that has an owner needs no Node.
    await fixture.put({})
    await fixture.start()
    await fixture.api.delete({ resource: 'nodes', name: 'n' }, {})
    fixture.take('nodes')
    await fixture.clock.advance(10_000)
    expect(withoutTimes(fixture.take('nodes'))).toEqual(
      Array.from({ length: 4 }, () => 'get not-found'),
    )
    expect(fixture.controller.view()).toMatchObject({ registered: true, status: 'Deleted' })
    await fixture.clock.advance(500_000)
    expect(verbsOf(fixture.take('nodes'))).not.toContain('create')
    expect(fixture.trace.data('node.registered')).toHaveLength(1)
  })

  it('resolves ready for those who wait', async () => {
    const fixture = new NodeFixture()
    let isReady = false
    void fixture.controller.ready().then(() => {
      isReady = true
    })
    await fixture.clock.advance(1000)
    expect([isReady, fixture.controller.getNode()]).toEqual([false, undefined])
    await fixture.start()
    expect(isReady).toBe(true)
    expect(fixture.controller.getNode()?.metadata.name).toBe('n')
    await expect(fixture.controller.ready()).resolves.toBeUndefined()
  })

  it('checks the runtime before it registers, so that the first status is right', async () => {
    const fixture = new NodeFixture()
    fixture.controller.start()
    await fixture.clock.advance(100)
    expect(fixture.refreshes[0]).toBe(startAt)
  })
})

describe('node#node-conditions', () => {
  it.each<[NodeCondition['type'], 'True' | 'False', string, string, string]>([
    [
      'MemoryPressure',
      'True',
      'KubeletHasInsufficientMemory',
      'kubelet has insufficient memory available',
      'NodeHasInsufficientMemory',
    ],
    [
      'MemoryPressure',
      'False',
      'KubeletHasSufficientMemory',
      'kubelet has sufficient memory available',
      'NodeHasSufficientMemory',
    ],
    [
      'DiskPressure',
      'True',
      'KubeletHasDiskPressure',
      'kubelet has disk pressure',
      'NodeHasDiskPressure',
    ],
    [
      'DiskPressure',
      'False',
      'KubeletHasNoDiskPressure',
      'kubelet has no disk pressure',
      'NodeHasNoDiskPressure',
    ],
    [
      'PIDPressure',
      'True',
      'KubeletHasInsufficientPID',
      'kubelet has insufficient PID available',
      'NodeHasInsufficientPID',
    ],
    [
      'PIDPressure',
      'False',
      'KubeletHasSufficientPID',
      'kubelet has sufficient PID available',
      'NodeHasSufficientPID',
    ],
    ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status', 'NodeReady'],
    ['Ready', 'False', 'KubeletNotReady', 'container runtime is down', 'NodeNotReady'],
  ])('%s %s: %s, "%s", event %s', async (type, status, reason, message, event) => {
    const fixture = new NodeFixture()
    const set = (is: boolean): void => {
      fixture.errors.splice(0)
      if (type === 'Ready' && !is) fixture.errors.push('container runtime is down')
      fixture.pressure.memory = type === 'MemoryPressure' && is
      fixture.pressure.disk = type === 'DiskPressure' && is
      fixture.pressure.pid = type === 'PIDPressure' && is
    }
    set(status !== 'True')
    await fixture.start()
    set(status === 'True')
    await fixture.clock.advance(11_000)
    expect(fixture.condition(type)).toMatchObject({ status, reason, message })
    expect(fixture.events.take()).toEqual([`Normal ${event} Node n status is now: ${event}`])
  })

  it.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['one reason', ['PLEG is not healthy'], description.capacity, 'PLEG is not healthy'],
    [
      'several',
      ['a', 'b', 'node is shutting down'],
      description.capacity,
      '[a, b, node is shutting down]',
    ],
    ['one twice', ['a', 'a'], description.capacity, 'a'],
    [
      'no capacity',
      [],
      {},
      'missing node capacity for resources: cpu, memory, pods, ephemeral-storage',
    ],
    [
      'a reason, and a capacity that is missing',
      ['a'],
      { cpu: '1', memory: '1Gi', pods: '1' },
      '[a, missing node capacity for resources: ephemeral-storage]',
    ],
  ])('Ready False aggregates what is wrong: %s', (_, errors, capacity, message) => {
    const { conditions } = nodeStatus({ ...description, capacity }, {}, errors, 0)
    expect(conditions?.at(-1)).toMatchObject({
      type: 'Ready',
      status: 'False',
      reason: 'KubeletNotReady',
      message,
    })
  })

  it('moves lastTransitionTime when a status flips, and lastHeartbeatTime with each computation', () => {
    const first = nodeStatus(description, {}, ['down'], 1000)
    const second = nodeStatus(description, first, [], 5000)
    const third = nodeStatus(description, second, [], 9000)
    expect(third.conditions?.find(({ type }) => type === 'Ready')).toEqual({
      type: 'Ready',
      status: 'True',
      lastHeartbeatTime: '1970-01-01T00:00:09Z',
      lastTransitionTime: '1970-01-01T00:00:05Z',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
    })
  })

  it('writes the words of a pressure when it flips, those of Ready each time', () => {
    const conditions = ['MemoryPressure', 'Ready'].map((type) => ({
      type,
      status: type === 'Ready' ? ('True' as const) : ('False' as const),
      lastTransitionTime: '1970-01-01T00:00:00Z',
      reason: 'Theirs',
      message: 'their words',
    }))
    const after = nodeStatus(description, { conditions }, [], 1000).conditions ?? []
    expect(after.slice(0, 2).map(({ reason }) => reason)).toEqual(['Theirs', 'KubeletReady'])
  })

  it('overwrites conditions that the control plane set to Unknown, with an event', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    const unknown = { status: 'Unknown', reason: 'NodeStatusUnknown' }
    await fixture.patch({
      status: { conditions: ['Ready', 'DiskPressure'].map((type) => ({ type, ...unknown })) },
    })
    await fixture.clock.advance(11_000)
    expect(fixture.condition('Ready')).toMatchObject({ status: 'True', reason: 'KubeletReady' })
    expect(fixture.events.take()).toEqual([
      'Normal NodeHasNoDiskPressure Node n status is now: NodeHasNoDiskPressure',
      'Normal NodeReady Node n status is now: NodeReady',
    ])
  })

  it('keeps conditions of others in their places, and Ready last of its own', () => {
    const foreign = { type: 'NetworkUnavailable', status: 'False' } as const
    const { conditions = [] } = nodeStatus(description, { conditions: [foreign] }, [], 0)
    expect(conditions.map(({ type }) => type)).toEqual([
      'NetworkUnavailable',
      'MemoryPressure',
      'DiskPressure',
      'PIDPressure',
      'Ready',
    ])
  })

  it('records at the start that it starts, and which resources a new node has enough of', async () => {
    const fixture = new NodeFixture()
    fixture.controller.start()
    await fixture.clock.advance(1000)
    expect(fixture.events.take()).toEqual([
      'Normal Starting Starting kubelet.',
      'Normal NodeHasSufficientMemory Node n status is now: NodeHasSufficientMemory',
      'Normal NodeHasNoDiskPressure Node n status is now: NodeHasNoDiskPressure',
      'Normal NodeHasSufficientPID Node n status is now: NodeHasSufficientPID',
    ])
  })

  it('records when the node is cordoned and uncordoned', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    for (const unschedulable of [true, false]) {
      await fixture.patch({ spec: { unschedulable } })
      await fixture.clock.advance(11_000)
    }
    expect(fixture.events.take()).toEqual([
      'Normal NodeNotSchedulable Node n status is now: NodeNotSchedulable',
      'Normal NodeSchedulable Node n status is now: NodeSchedulable',
    ])
  })

  it.each<[known: string, recorded: readonly string[]]>([
    ['', []],
    ['first', []],
    ['before', ['Warning Rebooted Node n has been rebooted, boot id: first']],
  ])(
    'records once that the machine was booted, when the API shows boot id "%s"',
    async (bootID, recorded) => {
      const fixture = new NodeFixture()
      await fixture.put({ status: { nodeInfo: { bootID } } })
      fixture.api.refuse = ({ verb }) => (verb === 'patch' ? unavailable : undefined)
      fixture.controller.start()
      await fixture.clock.advance(30_000)
      fixture.api.refuse = () => undefined
      await fixture.clock.advance(30_000)
      expect(fixture.events.lines.filter((line) => line.includes('Rebooted'))).toEqual(recorded)
      expect(fixture.node()?.status?.nodeInfo?.['bootID']).toBe('first')
    },
  )

  it('records changed conditions with each computation, also when it cannot be written', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    fixture.errors.push('down')
    fixture.api.refuse = ({ verb }) => (verb === 'patch' ? unavailable : undefined)
    await fixture.clock.advance(11_000)
    expect(fixture.events.take()).toEqual(
      Array.from({ length: 5 }, () => 'Normal NodeNotReady Node n status is now: NodeNotReady'),
    )
  })
})

describe('node#status-updates', () => {
  it('computes every ten seconds with at most four per cent more, and writes what has changed', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    const times: number[] = []
    for (let round = 0; round < 30; round++) {
      if (fixture.errors.pop() === undefined) fixture.errors.push('down')
      const before = fixture.trace.data('node.statusWritten').length
      const from = fixture.clock.now()
      while (fixture.trace.data('node.statusWritten').length === before)
        await fixture.clock.advance(10)
      times.push(fixture.clock.now() - from)
    }
    for (const time of times.slice(1)) {
      expect(time).toBeGreaterThan(9980)
      expect(time).toBeLessThanOrEqual(10_420)
    }
    expect(new Set(times).size).toBeGreaterThan(5)
  })

  it('writes nothing but times when nothing has changed, and that only when the report is due', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    await fixture.clock.advance(1_000_000)
    const patches = fixture.api.calls.filter(
      ({ verb, resource }) => verb === 'patch' && resource === 'nodes',
    )
    const types = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready']
    for (const { body } of patches)
      expect(body).toEqual({
        status: {
          '$setElementOrder/conditions': types.map((type) => ({ type })),
          conditions: types.map((type) => ({ type, lastHeartbeatTime: expect.any(String) })),
        },
      })
    const gaps = patches.slice(1).map(({ at }, index) => at - (patches[index]?.at ?? 0))
    // The first is moved by up to half of it, the others are not.
    expect(patches[0]?.at).toBeGreaterThan(150_000)
    expect(patches[0]?.at).toBeLessThan(461_000)
    for (const gap of gaps) {
      expect(gap).toBeGreaterThanOrEqual(300_000)
      expect(gap).toBeLessThanOrEqual(310_800)
    }
    expect(gaps.length).toBeGreaterThan(0)
    expect(fixture.trace.data('node.statusWritten').slice(-2)).toEqual([
      { ready: true, changed: false },
      { ready: true, changed: false },
    ])
  })

  it('shifts the report after a change by up to half of its period, either way, and only once', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    const waits: number[] = []
    for (let round = 0; round < 24; round++) {
      if (fixture.errors.pop() === undefined) fixture.errors.push('down')
      await fixture.clock.advance(12_000)
      const since = fixture.api.calls.filter(({ verb }) => verb === 'patch').at(-1)?.at ?? 0
      await fixture.clock.advance(470_000)
      const next = fixture.api.calls.find(({ verb, at }) => verb === 'patch' && at > since)
      waits.push((next?.at ?? 0) - since)
    }
    for (const wait of waits) {
      expect(wait).toBeGreaterThanOrEqual(150_000)
      expect(wait).toBeLessThanOrEqual(450_000 + 10_400)
    }
    expect(Math.min(...waits)).toBeLessThan(250_000)
    expect(Math.max(...waits)).toBeGreaterThan(350_000)
  })

  it('tries five times at once, first with the copy it has, and has connections closed from the second failure on', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    await fixture.clock.advance(8000)
    fixture.errors.push('down')
    fixture.api.refuse = ({ resource }) => (resource === 'nodes' ? unavailable : undefined)
    fixture.take('nodes')
    fixture.controller.notifyAgentReady()
    await fixture.clock.advance(0)
    expect(withoutTimes(fixture.take('nodes'))).toEqual([
      'patch unavailable',
      ...Array.from({ length: 4 }, () => 'get unavailable'),
    ])
    expect(fixture.closedConnections).toBe(4)
    expect(fixture.trace.data('node.statusFailed')).toHaveLength(5)
  })

  it('reads the Node of the server when the watch has not brought it yet', async () => {
    const fixture = new NodeFixture()
    fixture.isListed = false
    fixture.controller.start()
    await fixture.clock.advance(100)
    expect(withoutTimes(fixture.take('nodes')).slice(-3)).toEqual([
      'create ok',
      'get ok',
      'patch ok',
    ])
    expect(fixture.trace.data('node.statusFailed')).toEqual([{ message: 'node "n" not found' }])
  })

  it('checks ten times a second until the node is ready, and writes it at once', async () => {
    const fixture = new NodeFixture()
    fixture.errors.push('container runtime is down')
    fixture.controller.start()
    await fixture.clock.advance(1100)
    // Once before the registration.
    expect(fixture.refreshes.slice(0, 4).map((at) => at - startAt)).toEqual([0, 100, 200, 300])
    expect(fixture.refreshes).toHaveLength(12)
    expect(fixture.condition('Ready')).toMatchObject({ status: 'False' })
    fixture.events.take()
    fixture.errors.length = 0
    await fixture.clock.advance(100)
    expect(fixture.condition('Ready')).toMatchObject({ status: 'True', reason: 'KubeletReady' })
    expect(fixture.events.take()).toEqual(['Normal NodeReady Node n status is now: NodeReady'])
    await fixture.clock.advance(5000)
    expect(fixture.refreshes).toHaveLength(13)
  })

  it('stops being fast two minutes after the start', async () => {
    const fixture = new NodeFixture()
    fixture.errors.push('container runtime is down')
    fixture.controller.start()
    await fixture.clock.advance(300_000)
    expect((fixture.refreshes.at(-1) ?? 0) - startAt).toBe(119_900)
  })

  it('reads the Node again when its first write is refused', async () => {
    const fixture = new NodeFixture()
    fixture.errors.push('container runtime is down')
    await fixture.start()
    fixture.errors.length = 0
    let refusals = 1
    fixture.api.refuse = ({ verb, resource }) =>
      verb === 'patch' && resource === 'nodes' && refusals-- > 0
        ? { kind: 'conflict', message: 'changed' }
        : undefined
    await fixture.clock.advance(100)
    expect(fixture.condition('Ready')?.status).toBe('True')
  })

  it('resolves for those who wait when the API server has a Node that is ready', async () => {
    const fixture = new NodeFixture()
    fixture.errors.push('container runtime is down')
    let isReady = false
    void fixture.controller.waitAgentReady().then(() => {
      isReady = true
    })
    await fixture.start()
    expect(isReady).toBe(false)
    fixture.errors.length = 0
    await fixture.clock.advance(100)
    expect(isReady).toBe(true)
    await expect(fixture.controller.waitAgentReady()).resolves.toBeUndefined()
  })

  it('computes at once after a change of readiness, after the sync under way', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    fixture.errors.push('node is shutting down')
    fixture.controller.notifyAgentReady()
    fixture.controller.notifyAgentReady()
    await fixture.clock.advance(0)
    expect(fixture.condition('Ready')?.message).toBe('node is shutting down')
    expect(withoutTimes(fixture.take('nodes'))).toEqual(['patch ok'])
  })

  it('has nothing to compute before the registration', async () => {
    const fixture = new NodeFixture()
    fixture.controller.notifyAgentReady()
    await fixture.clock.advance(1000)
    expect(fixture.take('nodes')).toEqual([])
  })
})

describe('node#lease', () => {
  const lease = { metadata: { name: 'n', uid: '' } }
  const scope = { resource: 'leases', namespace: 'kube-node-lease' } as const

  it('is made for 40 s, held by the name of the node and owned by its Node', async () => {
    const fixture = new NodeFixture()
    await fixture.put({})
    fixture.controller.start()
    await fixture.clock.advance(0)
    expect(await fixture.lease()).toMatchObject({
      metadata: {
        name: 'n',
        namespace: 'kube-node-lease',
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Node', name: 'n', uid: fixture.node()?.metadata.uid },
        ],
      },
      spec: {
        holderIdentity: 'n',
        leaseDurationSeconds: 40,
        renewTime: '1970-01-01T00:16:40.000000Z',
      },
    })
    expect(fixture.controller.view()).toMatchObject({
      leaseRenewedAt: startAt,
      leaseDurationSeconds: 40,
    })
  })

  it('is renewed by an update of the copy that it knows, every ten seconds with at most four per cent more', async () => {
    const fixture = new NodeFixture()
    await fixture.put({})
    fixture.controller.start()
    await fixture.clock.advance(600_000)
    const calls = fixture.api.calls.filter(({ resource }) => resource === 'leases')
    expect(calls.slice(0, 4).map(({ verb }) => verb)).toEqual(['get', 'create', 'update', 'update'])
    expect(new Set(calls.slice(2).map(({ verb }) => verb))).toEqual(new Set(['update']))
    const gaps = calls.slice(2).map(({ at }, index) => at - (calls[index + 1]?.at ?? 0))
    for (const gap of gaps) {
      expect(gap).toBeGreaterThanOrEqual(10_000)
      expect(gap).toBeLessThanOrEqual(10_401)
    }
    expect(new Set(gaps).size).toBeGreaterThan(10)
  })

  it('of a node that is new is made with the second tick: the first finds no Node to own it', async () => {
    const fixture = new NodeFixture()
    fixture.controller.start()
    await fixture.clock.advance(9000)
    expect(withoutTimes(fixture.take('leases'))).toEqual(['get not-found'])
    expect(fixture.trace.data('lease.failed')).toEqual([{ message: 'n not found' }])
    await fixture.clock.advance(2000)
    expect(withoutTimes(fixture.take('leases'))).toEqual(['get not-found', 'create ok'])
  })

  it('that was there before is updated at once', async () => {
    const fixture = new NodeFixture()
    await fixture.put({})
    await fixture.api.create(scope, lease)
    fixture.take('leases')
    fixture.controller.start()
    await fixture.clock.advance(0)
    expect(fixture.take('leases')).toEqual(['0.0 get ok', '0.0 update ok'])
    expect(fixture.controller.view().leaseRenewedAt).toBe(startAt)
  })

  it('keeps its holder, and gets an owner', async () => {
    const fixture = new NodeFixture()
    await fixture.put({})
    await fixture.api.create(scope, { ...lease, spec: { holderIdentity: 'else' } })
    fixture.controller.start()
    await fixture.clock.advance(0)
    expect(await fixture.lease()).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'Node', name: 'n' }] },
      spec: { holderIdentity: 'else' },
    })
  })

  it('without an owner is not renewed while the Node cannot be read', async () => {
    const fixture = new NodeFixture()
    await fixture.api.create(scope, lease)
    fixture.api.refuse = ({ resource }) => (resource === 'nodes' ? unavailable : undefined)
    fixture.take('leases')
    fixture.controller.start()
    await fixture.clock.advance(0)
    expect(withoutTimes(fixture.take('leases'))).toEqual(['get ok'])
    expect(fixture.trace.data('lease.failed')).toHaveLength(5)
    expect(fixture.closedConnections).toBe(4)
  })

  it('waits 200 ms and then twice as long, up to seven seconds, while the server is away', async () => {
    const fixture = new NodeFixture()
    fixture.api.refuse = () => unavailable
    fixture.controller.start()
    await fixture.clock.advance(30_000)
    const times = fixture.take('leases').map((call) => call.split(' ')[0])
    expect(times).toEqual(['0.0', '0.2', '0.6', '1.4', '3.0', '6.2', '12.6', '19.6', '26.6'])
  })

  it('backs off in the same way when it cannot be created', async () => {
    const fixture = new NodeFixture()
    await fixture.put({})
    fixture.api.refuse = ({ verb, resource }) =>
      verb === 'create' && resource === 'leases' ? { kind: 'forbidden', message: 'no' } : undefined
    fixture.controller.start()
    await fixture.clock.advance(1000)
    expect(fixture.take('leases').filter((call) => call.includes('create'))).toEqual([
      '0.0 create forbidden',
      '0.2 create forbidden',
      '0.6 create forbidden',
    ])
  })

  it('is tried five times at once, then read and tried five times more, closing connections', async () => {
    const fixture = new NodeFixture()
    await fixture.put({})
    fixture.controller.start()
    await fixture.clock.advance(0)
    fixture.take('leases')
    fixture.api.refuse = ({ verb }) => (verb === 'update' ? unavailable : undefined)
    await fixture.clock.advance(11_000)
    expect(verbsOf(fixture.take('leases'))).toEqual([
      ...Array.from({ length: 5 }, () => 'update'),
      'get',
      ...Array.from({ length: 5 }, () => 'update'),
    ])
    expect(fixture.closedConnections).toBe(8)
  })

  it('is read again after a conflict, and renewed from that', async () => {
    const fixture = new NodeFixture()
    await fixture.put({})
    fixture.controller.start()
    await fixture.clock.advance(0)
    fixture.take('leases')
    let conflicts = 1
    fixture.api.refuse = ({ verb }) =>
      verb === 'update' && conflicts-- > 0 ? { kind: 'conflict', message: 'changed' } : undefined
    await fixture.clock.advance(11_000)
    expect(withoutTimes(fixture.take('leases'))).toEqual(['update conflict', 'get ok', 'update ok'])
    expect(fixture.closedConnections).toBe(0)
  })

  it('is created again after it was deleted', async () => {
    const fixture = new NodeFixture()
    await fixture.put({})
    fixture.controller.start()
    await fixture.clock.advance(0)
    await fixture.api.delete({ ...scope, name: 'n' }, {})
    fixture.take('leases')
    await fixture.clock.advance(11_000)
    expect(withoutTimes(fixture.take('leases'))).toEqual([
      ...Array.from({ length: 5 }, () => 'update not-found'),
      'get not-found',
      'create ok',
    ])
  })

  it('is renewed whether the node is ready or not, and when its Node is gone', async () => {
    const fixture = new NodeFixture()
    await fixture.put({})
    fixture.errors.push('down')
    await fixture.start()
    await fixture.api.delete({ resource: 'nodes', name: 'n' }, {})
    fixture.take('leases')
    await fixture.clock.advance(32_000)
    expect(withoutTimes(fixture.take('leases'))).toEqual(['update ok', 'update ok', 'update ok'])
  })

  it('expires: nothing is written on exit, and no timer is left', async () => {
    const fixture = new NodeFixture()
    await fixture.start()
    fixture.controller.stop()
    fixture.controller.notifyAgentReady()
    await fixture.clock.advance(60_000)
    expect(fixture.api.calls).toEqual([])
    expect(fixture.clock.pendingTimers).toBe(0)
  })

  it('leaves no timer when it is stopped in the middle of a pause', async () => {
    const fixture = new NodeFixture()
    fixture.api.refuse = () => unavailable
    fixture.controller.start()
    await fixture.clock.advance(1000)
    fixture.controller.stop()
    expect(fixture.clock.pendingTimers).toBe(0)
  })
})

describe('node#exit', () => {
  const exit = { agentExitCondition: false, deleteNode: false }

  it.each<[string, Partial<typeof exit> | undefined, readonly string[]]>([
    ['nothing, as a kubelet', undefined, []],
    ['nothing, where nothing is asked for', {}, []],
    [
      'Ready False AgentExit, and a cordon',
      { agentExitCondition: true },
      ['get ok', 'patch ok', 'patch ok'],
    ],
    ['the Node’s deletion', { deleteNode: true }, ['delete ok']],
    [
      'all of it',
      { agentExitCondition: true, deleteNode: true },
      ['get ok', 'patch ok', 'patch ok', 'delete ok'],
    ],
  ])('writes %s', async (_, options, calls) => {
    const fixture = new NodeFixture(options === undefined ? {} : { exit: { ...exit, ...options } })
    await fixture.start()
    await Promise.all([fixture.controller.leave(), fixture.clock.advance(60_000)])
    expect(withoutTimes(fixture.take('nodes'))).toEqual(calls)
    expect(fixture.clock.pendingTimers).toBe(0)
  })

  it('writes the reason and message of the seed, with the transition time, and traces it', async () => {
    const fixture = new NodeFixture({ exit: { ...exit, agentExitCondition: true } })
    await fixture.start()
    await fixture.controller.leave()
    expect(fixture.condition('Ready')).toEqual({
      type: 'Ready',
      status: 'False',
      lastHeartbeatTime: '1970-01-01T00:16:41Z',
      lastTransitionTime: '1970-01-01T00:16:41Z',
      reason: 'AgentExit',
      message: 'Node not ready due to agent exited',
    })
    expect(fixture.node()?.spec?.unschedulable).toBe(true)
    expect(fixture.trace.data('node.left')).toEqual([{ act: 'condition' }, { act: 'cordon' }])
  })

  it('waits for a status under way, which would set Ready again', async () => {
    const fixture = new NodeFixture({ exit: { ...exit, agentExitCondition: true } })
    await fixture.start()
    fixture.errors.push('down')
    fixture.controller.notifyAgentReady()
    await fixture.controller.leave()
    expect(fixture.condition('Ready')?.reason).toBe('AgentExit')
  })

  it('tries again while the server is away, and gives up after three seconds', async () => {
    const fixture = new NodeFixture({ exit: { ...exit, deleteNode: true } })
    await fixture.start()
    fixture.api.refuse = () => unavailable
    let hasLeftAt = 0
    void fixture.controller.leave().then(() => {
      hasLeftAt = fixture.clock.now()
    })
    await fixture.clock.advance(60_000)
    expect(hasLeftAt - startAt).toBe(4000)
    expect(fixture.trace.data('node.leaveFailed')).toHaveLength(15)
    expect(fixture.trace.data('node.left')).toEqual([])
  })

  it('does not hang on a server that takes a minute to answer', async () => {
    const fixture = new NodeFixture({ exit: { ...exit, deleteNode: true } }, { answerMs: 60_000 })
    fixture.controller.start()
    await fixture.clock.advance(300_000)
    let hasLeft = false
    void fixture.controller.leave().then(() => {
      hasLeft = true
    })
    await fixture.clock.advance(2999)
    expect(hasLeft).toBe(false)
    await fixture.clock.advance(1)
    expect(hasLeft).toBe(true)
  })

  it.each<[ApiErrorKind, number]>([
    ['forbidden', 1],
    ['not-found', 0],
  ])('does not try again what is refused as %s', async (kind, failures) => {
    const fixture = new NodeFixture({ exit: { ...exit, deleteNode: true } })
    await fixture.start()
    fixture.api.refuse = () => ({ kind, message: 'no' })
    await fixture.controller.leave()
    expect(withoutTimes(fixture.take('nodes'))).toEqual([`delete ${kind}`])
    expect(fixture.trace.data('node.leaveFailed')).toHaveLength(failures)
  })

  it('waits for a registration under way, and marks that Node', async () => {
    const fixture = new NodeFixture({ exit: { ...exit, deleteNode: true } }, { answerMs: 500 })
    fixture.controller.start()
    await fixture.clock.advance(200)
    expect(fixture.node()).toBeDefined()
    await Promise.all([fixture.controller.leave(), fixture.clock.advance(3000)])
    expect(fixture.node()).toBeUndefined()
    expect(fixture.clock.pendingTimers).toBe(0)
  })

  it('does not wait for a registration that is to be tried again', async () => {
    const fixture = new NodeFixture({ exit: { ...exit, deleteNode: true } })
    fixture.api.refuse = () => unavailable
    fixture.controller.start()
    await fixture.clock.advance(10_000)
    fixture.take('nodes')
    await fixture.controller.leave()
    expect(fixture.take('nodes')).toEqual([])
    expect(fixture.clock.pendingTimers).toBe(0)
  })

  it('has nothing to leave before it is registered', async () => {
    const fixture = new NodeFixture({ exit: { agentExitCondition: true, deleteNode: true } })
    fixture.controller.start()
    await fixture.controller.leave()
    expect(fixture.take('nodes').filter((call) => !call.includes('get'))).toEqual([])
  })
})
