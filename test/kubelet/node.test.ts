import { describe, expect, it } from 'vitest'
import { reconciledNode } from '../../src/main/kubelet/node/node-registration.ts'
import { nodeStatus } from '../../src/main/kubelet/node/node-status.ts'
import type { ApiErrorKind } from '../../src/main/kubelet/ports.ts'
import type { Node, NodeCondition } from '../../src/shared/kubernetes/objects.ts'
import { description, NodeStage, startAt, unavailable, withoutTimes } from './node-stage.ts'

const own = 'volumes.kubernetes.io/controller-managed-attach-detach'

function verbsOf(calls: readonly string[]): readonly string[] {
  return withoutTimes(calls).map((call) => call.split(' ')[0] ?? '')
}

describe('node#registration', () => {
  it('creates the Node with labels, taints, annotation and a first status', async () => {
    const stage = new NodeStage()
    stage.controller.start()
    await stage.clock.advance(99)
    expect(stage.take('nodes').filter((call) => call.includes('create'))).toEqual([])
    await stage.clock.advance(1)
    expect(stage.node()).toMatchObject({
      metadata: { name: 'n', labels: description.labels, annotations: { [own]: 'true' } },
      spec: { taints: description.taints },
    })
    expect(stage.take('nodes')).toEqual(['0.1 create ok', '0.1 patch ok'])
    expect(stage.trace.data('node.registered')).toEqual([{ created: true, corrected: [] }])
  })

  it('tries for ever: first after 100 ms, then in pauses that double up to seven seconds', async () => {
    const stage = new NodeStage()
    stage.api.refuse = ({ resource }) => (resource === 'nodes' ? unavailable : undefined)
    stage.controller.start()
    await stage.clock.advance(34_000)
    const creations = stage.take('nodes').filter((call) => call.includes('create'))
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
    expect(stage.trace.data('node.registrationFailed').map(({ retryMs }) => retryMs)).toEqual([
      200, 400, 800, 1600, 3200, 6400, 7000, 7000, 7000, 7000,
    ])
    expect(stage.controller.view().registered).toBe(false)
    stage.api.refuse = () => undefined
    await stage.clock.advance(7000)
    expect(stage.controller.view().registered).toBe(true)
  })

  it.each<[ApiErrorKind, 'read' | 'tried again']>([
    ['already-exists', 'read'],
    // Whoever may not create nodes may be one that somebody else has created.
    ['forbidden', 'read'],
    ['conflict', 'tried again'],
    ['invalid', 'tried again'],
    ['unavailable', 'tried again'],
    ['unauthorized', 'tried again'],
  ])('after a creation that is refused as %s the Node is %s', async (kind, what) => {
    const stage = new NodeStage()
    await stage.put({})
    stage.api.refuse = ({ verb, resource }) =>
      resource === 'nodes' && verb === 'create' ? { kind, message: 'no' } : undefined
    stage.controller.start()
    await stage.clock.advance(250)
    const reads = verbsOf(stage.take('nodes')).filter((verb) => verb === 'get')
    // One more comes of the lease, which wants an owner.
    expect(reads).toHaveLength(what === 'read' ? 2 : 1)
    expect(stage.controller.view().registered).toBe(what === 'read')
  })

  it('waits in vain for a Node that it may not create and nobody else has', async () => {
    const stage = new NodeStage()
    stage.api.refuse = ({ verb, resource }) =>
      resource === 'nodes' && verb === 'create' ? { kind: 'forbidden', message: 'no' } : undefined
    stage.controller.start()
    await stage.clock.advance(350)
    expect(stage.trace.data('node.registrationFailed')).toEqual([
      { message: 'no', retryMs: 200 },
      { message: 'no', retryMs: 400 },
    ])
  })

  it('writes labels and status of a Node that was there in one patch of its status', async () => {
    const stage = new NodeStage()
    await stage.put({
      metadata: { name: 'n', uid: '', labels: { mine: 'yes', 'kubernetes.io/os': 'plan9' } },
      spec: { taints: [{ key: 'theirs', effect: 'NoSchedule' }] },
    })
    stage.controller.start()
    await stage.clock.advance(150)
    const [patch] = stage.api.calls.filter(({ verb }) => verb === 'patch')
    expect(patch?.body).toMatchObject({ metadata: { labels: { 'kubernetes.io/os': 'linux' } } })
    expect(stage.node()?.spec?.taints).toEqual([{ key: 'theirs', effect: 'NoSchedule' }])
    expect(stage.trace.data('node.registered')).toEqual([
      { created: false, corrected: ['labels', 'annotations', 'resources'] },
    ])
  })

  it('sends nothing for a Node that is as it should be', async () => {
    const stage = new NodeStage()
    await stage.start()
    const node = stage.node()
    stage.controller.stop()
    const again = new NodeStage()
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
      'a default label with another value, beside one of somebody else',
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
      'a label that is told to be kept',
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
      'an annotation of attachments that is not wanted any more',
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
      'huge pages of a size that the machine has no more',
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
  ])('puts right: %s', (_, initial, existing, node, corrected) => {
    expect(reconciledNode(initial, existing, ['example.com/ours'])).toEqual({ node, corrected })
  })

  it('gives back labels of operating system and processor that were taken away, with the next status', async () => {
    const stage = new NodeStage()
    await stage.start()
    await stage.patch({
      metadata: {
        labels: { 'kubernetes.io/os': 'plan9', 'kubernetes.io/arch': null, theirs: '1' },
      },
    })
    await stage.clock.advance(11_000)
    expect(stage.node()?.metadata.labels).toEqual({ ...description.labels, theirs: '1' })
  })

  it('does not come back when its Node object is deleted: four reads in a round are answered 404', async () => {
    const stage = new NodeStage()
    // A lease that has an owner needs no Node.
    await stage.put({})
    await stage.start()
    await stage.api.delete({ resource: 'nodes', name: 'n' }, {})
    stage.take('nodes')
    await stage.clock.advance(10_000)
    expect(withoutTimes(stage.take('nodes'))).toEqual(
      Array.from({ length: 4 }, () => 'get not-found'),
    )
    expect(stage.controller.view()).toMatchObject({ registered: true, status: 'Deleted' })
    await stage.clock.advance(500_000)
    expect(verbsOf(stage.take('nodes'))).not.toContain('create')
    expect(stage.trace.data('node.registered')).toHaveLength(1)
  })

  it('is told to those who wait for it', async () => {
    const stage = new NodeStage()
    let isReady = false
    void stage.controller.ready().then(() => {
      isReady = true
    })
    await stage.clock.advance(1000)
    expect([isReady, stage.controller.getNode()]).toEqual([false, undefined])
    await stage.start()
    expect(isReady).toBe(true)
    expect(stage.controller.getNode()?.metadata.name).toBe('n')
    await expect(stage.controller.ready()).resolves.toBeUndefined()
  })

  it('looks at the runtime before it registers, so that the first status tells how it is', async () => {
    const stage = new NodeStage()
    stage.controller.start()
    await stage.clock.advance(100)
    expect(stage.refreshes[0]).toBe(startAt)
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
    const stage = new NodeStage()
    const set = (is: boolean): void => {
      stage.errors.splice(0)
      if (type === 'Ready' && !is) stage.errors.push('container runtime is down')
      stage.pressure.memory = type === 'MemoryPressure' && is
      stage.pressure.disk = type === 'DiskPressure' && is
      stage.pressure.pid = type === 'PIDPressure' && is
    }
    set(status !== 'True')
    await stage.start()
    set(status === 'True')
    await stage.clock.advance(11_000)
    expect(stage.condition(type)).toMatchObject({ status, reason, message })
    expect(stage.events.take()).toEqual([`Normal ${event} Node n status is now: ${event}`])
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

  it('turns what the control plane made Unknown into its own again, with an event', async () => {
    const stage = new NodeStage()
    await stage.start()
    const unknown = { status: 'Unknown', reason: 'NodeStatusUnknown' }
    await stage.patch({
      status: { conditions: ['Ready', 'DiskPressure'].map((type) => ({ type, ...unknown })) },
    })
    await stage.clock.advance(11_000)
    expect(stage.condition('Ready')).toMatchObject({ status: 'True', reason: 'KubeletReady' })
    expect(stage.events.take()).toEqual([
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

  it('tells at the start that it starts, and what a new node has enough of', async () => {
    const stage = new NodeStage()
    stage.controller.start()
    await stage.clock.advance(1000)
    expect(stage.events.take()).toEqual([
      'Normal Starting Starting kubelet.',
      'Normal NodeHasSufficientMemory Node n status is now: NodeHasSufficientMemory',
      'Normal NodeHasNoDiskPressure Node n status is now: NodeHasNoDiskPressure',
      'Normal NodeHasSufficientPID Node n status is now: NodeHasSufficientPID',
    ])
  })

  it('tells when the node is cordoned and uncordoned', async () => {
    const stage = new NodeStage()
    await stage.start()
    for (const unschedulable of [true, false]) {
      await stage.patch({ spec: { unschedulable } })
      await stage.clock.advance(11_000)
    }
    expect(stage.events.take()).toEqual([
      'Normal NodeNotSchedulable Node n status is now: NodeNotSchedulable',
      'Normal NodeSchedulable Node n status is now: NodeSchedulable',
    ])
  })

  it.each<[known: string, told: readonly string[]]>([
    ['', []],
    ['first', []],
    ['before', ['Warning Rebooted Node n has been rebooted, boot id: first']],
  ])(
    'tells once that the machine was booted, when the API shows boot id "%s"',
    async (bootID, told) => {
      const stage = new NodeStage()
      await stage.put({ status: { nodeInfo: { bootID } } })
      stage.api.refuse = ({ verb }) => (verb === 'patch' ? unavailable : undefined)
      stage.controller.start()
      await stage.clock.advance(30_000)
      stage.api.refuse = () => undefined
      await stage.clock.advance(30_000)
      expect(stage.events.lines.filter((line) => line.includes('Rebooted'))).toEqual(told)
      expect(stage.node()?.status?.nodeInfo?.['bootID']).toBe('first')
    },
  )

  it('tells what has flipped with each computation, also when it cannot be written', async () => {
    const stage = new NodeStage()
    await stage.start()
    stage.errors.push('down')
    stage.api.refuse = ({ verb }) => (verb === 'patch' ? unavailable : undefined)
    await stage.clock.advance(11_000)
    expect(stage.events.take()).toEqual(
      Array.from({ length: 5 }, () => 'Normal NodeNotReady Node n status is now: NodeNotReady'),
    )
  })
})

describe('node#status-updates', () => {
  it('computes every ten seconds with at most four per cent more, and writes what has changed', async () => {
    const stage = new NodeStage()
    await stage.start()
    const times: number[] = []
    for (let round = 0; round < 30; round++) {
      if (stage.errors.pop() === undefined) stage.errors.push('down')
      const before = stage.trace.data('node.statusWritten').length
      const from = stage.clock.now()
      while (stage.trace.data('node.statusWritten').length === before) await stage.clock.advance(10)
      times.push(stage.clock.now() - from)
    }
    for (const time of times.slice(1)) {
      expect(time).toBeGreaterThan(9980)
      expect(time).toBeLessThanOrEqual(10_420)
    }
    expect(new Set(times).size).toBeGreaterThan(5)
  })

  it('writes nothing but times when nothing has changed, and that only when the report is due', async () => {
    const stage = new NodeStage()
    await stage.start()
    await stage.clock.advance(1_000_000)
    const patches = stage.api.calls.filter(
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
    expect(stage.trace.data('node.statusWritten').slice(-2)).toEqual([
      { ready: true, changed: false },
      { ready: true, changed: false },
    ])
  })

  it('moves the report after a change by up to half of its time, either way, and only once', async () => {
    const stage = new NodeStage()
    await stage.start()
    const waits: number[] = []
    for (let round = 0; round < 24; round++) {
      if (stage.errors.pop() === undefined) stage.errors.push('down')
      await stage.clock.advance(12_000)
      const since = stage.api.calls.filter(({ verb }) => verb === 'patch').at(-1)?.at ?? 0
      await stage.clock.advance(470_000)
      const next = stage.api.calls.find(({ verb, at }) => verb === 'patch' && at > since)
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
    const stage = new NodeStage()
    await stage.start()
    await stage.clock.advance(8000)
    stage.errors.push('down')
    stage.api.refuse = ({ resource }) => (resource === 'nodes' ? unavailable : undefined)
    stage.take('nodes')
    stage.controller.notifyAgentReady()
    await stage.clock.advance(0)
    expect(withoutTimes(stage.take('nodes'))).toEqual([
      'patch unavailable',
      ...Array.from({ length: 4 }, () => 'get unavailable'),
    ])
    expect(stage.closedConnections).toBe(4)
    expect(stage.trace.data('node.statusFailed')).toHaveLength(5)
  })

  it('reads the Node of the server when the watch has not brought it yet', async () => {
    const stage = new NodeStage()
    stage.isListed = false
    stage.controller.start()
    await stage.clock.advance(100)
    expect(withoutTimes(stage.take('nodes')).slice(-3)).toEqual(['create ok', 'get ok', 'patch ok'])
    expect(stage.trace.data('node.statusFailed')).toEqual([{ message: 'node "n" not found' }])
  })

  it('looks ten times a second until the node is ready, and writes it as soon as it is', async () => {
    const stage = new NodeStage()
    stage.errors.push('container runtime is down')
    stage.controller.start()
    await stage.clock.advance(1100)
    // Once before the registration.
    expect(stage.refreshes.slice(0, 4).map((at) => at - startAt)).toEqual([0, 100, 200, 300])
    expect(stage.refreshes).toHaveLength(12)
    expect(stage.condition('Ready')).toMatchObject({ status: 'False' })
    stage.events.take()
    stage.errors.length = 0
    await stage.clock.advance(100)
    expect(stage.condition('Ready')).toMatchObject({ status: 'True', reason: 'KubeletReady' })
    expect(stage.events.take()).toEqual(['Normal NodeReady Node n status is now: NodeReady'])
    await stage.clock.advance(5000)
    expect(stage.refreshes).toHaveLength(13)
  })

  it('stops being fast two minutes after the start', async () => {
    const stage = new NodeStage()
    stage.errors.push('container runtime is down')
    stage.controller.start()
    await stage.clock.advance(300_000)
    expect((stage.refreshes.at(-1) ?? 0) - startAt).toBe(119_900)
  })

  it('reads the Node anew when what it writes first is refused', async () => {
    const stage = new NodeStage()
    stage.errors.push('container runtime is down')
    await stage.start()
    stage.errors.length = 0
    let refusals = 1
    stage.api.refuse = ({ verb, resource }) =>
      verb === 'patch' && resource === 'nodes' && refusals-- > 0
        ? { kind: 'conflict', message: 'changed' }
        : undefined
    await stage.clock.advance(100)
    expect(stage.condition('Ready')?.status).toBe('True')
  })

  it('tells those who wait for it when the API server has a Node that is ready', async () => {
    const stage = new NodeStage()
    stage.errors.push('container runtime is down')
    let isReady = false
    void stage.controller.waitAgentReady().then(() => {
      isReady = true
    })
    await stage.start()
    expect(isReady).toBe(false)
    stage.errors.length = 0
    await stage.clock.advance(100)
    expect(isReady).toBe(true)
    await expect(stage.controller.waitAgentReady()).resolves.toBeUndefined()
  })

  it('computes at once when it is told that readiness has changed, after what is under way', async () => {
    const stage = new NodeStage()
    await stage.start()
    stage.errors.push('node is shutting down')
    stage.controller.notifyAgentReady()
    stage.controller.notifyAgentReady()
    await stage.clock.advance(0)
    expect(stage.condition('Ready')?.message).toBe('node is shutting down')
    expect(withoutTimes(stage.take('nodes'))).toEqual(['patch ok'])
  })

  it('has nothing to compute before the registration', async () => {
    const stage = new NodeStage()
    stage.controller.notifyAgentReady()
    await stage.clock.advance(1000)
    expect(stage.take('nodes')).toEqual([])
  })
})

describe('node#lease', () => {
  const lease = { metadata: { name: 'n', uid: '' } }
  const scope = { resource: 'leases', namespace: 'kube-node-lease' } as const

  it('is made for 40 s, held by the name of the node and owned by its Node', async () => {
    const stage = new NodeStage()
    await stage.put({})
    stage.controller.start()
    await stage.clock.advance(0)
    expect(await stage.lease()).toMatchObject({
      metadata: {
        name: 'n',
        namespace: 'kube-node-lease',
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Node', name: 'n', uid: stage.node()?.metadata.uid },
        ],
      },
      spec: {
        holderIdentity: 'n',
        leaseDurationSeconds: 40,
        renewTime: '1970-01-01T00:16:40.000000Z',
      },
    })
    expect(stage.controller.view()).toMatchObject({
      leaseRenewedAt: startAt,
      leaseDurationSeconds: 40,
    })
  })

  it('is renewed by an update of the copy that it knows, every ten seconds with at most four per cent more', async () => {
    const stage = new NodeStage()
    await stage.put({})
    stage.controller.start()
    await stage.clock.advance(600_000)
    const calls = stage.api.calls.filter(({ resource }) => resource === 'leases')
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
    const stage = new NodeStage()
    stage.controller.start()
    await stage.clock.advance(9000)
    expect(withoutTimes(stage.take('leases'))).toEqual(['get not-found'])
    expect(stage.trace.data('lease.failed')).toEqual([{ message: 'n not found' }])
    await stage.clock.advance(2000)
    expect(withoutTimes(stage.take('leases'))).toEqual(['get not-found', 'create ok'])
  })

  it('that was there before is updated at once', async () => {
    const stage = new NodeStage()
    await stage.put({})
    await stage.api.create(scope, lease)
    stage.take('leases')
    stage.controller.start()
    await stage.clock.advance(0)
    expect(stage.take('leases')).toEqual(['0.0 get ok', '0.0 update ok'])
    expect(stage.controller.view().leaseRenewedAt).toBe(startAt)
  })

  it('goes on being held by whom it was held, and gets an owner', async () => {
    const stage = new NodeStage()
    await stage.put({})
    await stage.api.create(scope, { ...lease, spec: { holderIdentity: 'else' } })
    stage.controller.start()
    await stage.clock.advance(0)
    expect(await stage.lease()).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'Node', name: 'n' }] },
      spec: { holderIdentity: 'else' },
    })
  })

  it('without an owner is not renewed while the Node cannot be read', async () => {
    const stage = new NodeStage()
    await stage.api.create(scope, lease)
    stage.api.refuse = ({ resource }) => (resource === 'nodes' ? unavailable : undefined)
    stage.take('leases')
    stage.controller.start()
    await stage.clock.advance(0)
    expect(withoutTimes(stage.take('leases'))).toEqual(['get ok'])
    expect(stage.trace.data('lease.failed')).toHaveLength(5)
    expect(stage.closedConnections).toBe(4)
  })

  it('waits 200 ms and then twice as long, up to seven seconds, while the server is away', async () => {
    const stage = new NodeStage()
    stage.api.refuse = () => unavailable
    stage.controller.start()
    await stage.clock.advance(30_000)
    const times = stage.take('leases').map((call) => call.split(' ')[0])
    expect(times).toEqual(['0.0', '0.2', '0.6', '1.4', '3.0', '6.2', '12.6', '19.6', '26.6'])
  })

  it('waits in the same way when it cannot be made', async () => {
    const stage = new NodeStage()
    await stage.put({})
    stage.api.refuse = ({ verb, resource }) =>
      verb === 'create' && resource === 'leases' ? { kind: 'forbidden', message: 'no' } : undefined
    stage.controller.start()
    await stage.clock.advance(1000)
    expect(stage.take('leases').filter((call) => call.includes('create'))).toEqual([
      '0.0 create forbidden',
      '0.2 create forbidden',
      '0.6 create forbidden',
    ])
  })

  it('is tried five times at once, then read and tried five times more, closing connections', async () => {
    const stage = new NodeStage()
    await stage.put({})
    stage.controller.start()
    await stage.clock.advance(0)
    stage.take('leases')
    stage.api.refuse = ({ verb }) => (verb === 'update' ? unavailable : undefined)
    await stage.clock.advance(11_000)
    expect(verbsOf(stage.take('leases'))).toEqual([
      ...Array.from({ length: 5 }, () => 'update'),
      'get',
      ...Array.from({ length: 5 }, () => 'update'),
    ])
    expect(stage.closedConnections).toBe(8)
  })

  it('is read anew after a conflict, and goes on with that', async () => {
    const stage = new NodeStage()
    await stage.put({})
    stage.controller.start()
    await stage.clock.advance(0)
    stage.take('leases')
    let conflicts = 1
    stage.api.refuse = ({ verb }) =>
      verb === 'update' && conflicts-- > 0 ? { kind: 'conflict', message: 'changed' } : undefined
    await stage.clock.advance(11_000)
    expect(withoutTimes(stage.take('leases'))).toEqual(['update conflict', 'get ok', 'update ok'])
    expect(stage.closedConnections).toBe(0)
  })

  it('is made anew when somebody deleted it', async () => {
    const stage = new NodeStage()
    await stage.put({})
    stage.controller.start()
    await stage.clock.advance(0)
    await stage.api.delete({ ...scope, name: 'n' }, {})
    stage.take('leases')
    await stage.clock.advance(11_000)
    expect(withoutTimes(stage.take('leases'))).toEqual([
      ...Array.from({ length: 5 }, () => 'update not-found'),
      'get not-found',
      'create ok',
    ])
  })

  it('is renewed whether the node is ready or not, and when its Node is gone', async () => {
    const stage = new NodeStage()
    await stage.put({})
    stage.errors.push('down')
    await stage.start()
    await stage.api.delete({ resource: 'nodes', name: 'n' }, {})
    stage.take('leases')
    await stage.clock.advance(32_000)
    expect(withoutTimes(stage.take('leases'))).toEqual(['update ok', 'update ok', 'update ok'])
  })

  it('is left to run out: nothing is written on the way out, and no timer is left', async () => {
    const stage = new NodeStage()
    await stage.start()
    stage.controller.stop()
    stage.controller.notifyAgentReady()
    await stage.clock.advance(60_000)
    expect(stage.api.calls).toEqual([])
    expect(stage.clock.pendingTimers).toBe(0)
  })

  it('leaves no timer when it is stopped in the middle of a pause', async () => {
    const stage = new NodeStage()
    stage.api.refuse = () => unavailable
    stage.controller.start()
    await stage.clock.advance(1000)
    stage.controller.stop()
    expect(stage.clock.pendingTimers).toBe(0)
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
    const stage = new NodeStage(options === undefined ? {} : { exit: { ...exit, ...options } })
    await stage.start()
    await Promise.all([stage.controller.leave(), stage.clock.advance(60_000)])
    expect(withoutTimes(stage.take('nodes'))).toEqual(calls)
    expect(stage.clock.pendingTimers).toBe(0)
  })

  it('says so in the words of the seed, with the time of the transition, and in the trace', async () => {
    const stage = new NodeStage({ exit: { ...exit, agentExitCondition: true } })
    await stage.start()
    await stage.controller.leave()
    expect(stage.condition('Ready')).toEqual({
      type: 'Ready',
      status: 'False',
      lastHeartbeatTime: '1970-01-01T00:16:41Z',
      lastTransitionTime: '1970-01-01T00:16:41Z',
      reason: 'AgentExit',
      message: 'Node not ready due to agent exited',
    })
    expect(stage.node()?.spec?.unschedulable).toBe(true)
    expect(stage.trace.data('node.left')).toEqual([{ act: 'condition' }, { act: 'cordon' }])
  })

  it('waits for a status that is on its way, which would say Ready again', async () => {
    const stage = new NodeStage({ exit: { ...exit, agentExitCondition: true } })
    await stage.start()
    stage.errors.push('down')
    stage.controller.notifyAgentReady()
    await stage.controller.leave()
    expect(stage.condition('Ready')?.reason).toBe('AgentExit')
  })

  it('tries again while the server is away, and gives up after three seconds', async () => {
    const stage = new NodeStage({ exit: { ...exit, deleteNode: true } })
    await stage.start()
    stage.api.refuse = () => unavailable
    let hasLeftAt = 0
    void stage.controller.leave().then(() => {
      hasLeftAt = stage.clock.now()
    })
    await stage.clock.advance(60_000)
    expect(hasLeftAt - startAt).toBe(4000)
    expect(stage.trace.data('node.leaveFailed')).toHaveLength(15)
    expect(stage.trace.data('node.left')).toEqual([])
  })

  it('does not hang on a server that takes a minute to answer', async () => {
    const stage = new NodeStage({ exit: { ...exit, deleteNode: true } }, { answerMs: 60_000 })
    stage.controller.start()
    await stage.clock.advance(300_000)
    let hasLeft = false
    void stage.controller.leave().then(() => {
      hasLeft = true
    })
    await stage.clock.advance(2999)
    expect(hasLeft).toBe(false)
    await stage.clock.advance(1)
    expect(hasLeft).toBe(true)
  })

  it.each<[ApiErrorKind, number]>([
    ['forbidden', 1],
    ['not-found', 0],
  ])('does not try again what is refused as %s', async (kind, failures) => {
    const stage = new NodeStage({ exit: { ...exit, deleteNode: true } })
    await stage.start()
    stage.api.refuse = () => ({ kind, message: 'no' })
    await stage.controller.leave()
    expect(withoutTimes(stage.take('nodes'))).toEqual([`delete ${kind}`])
    expect(stage.trace.data('node.leaveFailed')).toHaveLength(failures)
  })

  it('waits for a registration that is on its way, and leaves what it made', async () => {
    const stage = new NodeStage({ exit: { ...exit, deleteNode: true } }, { answerMs: 500 })
    stage.controller.start()
    await stage.clock.advance(200)
    expect(stage.node()).toBeDefined()
    await Promise.all([stage.controller.leave(), stage.clock.advance(3000)])
    expect(stage.node()).toBeUndefined()
    expect(stage.clock.pendingTimers).toBe(0)
  })

  it('does not wait for a registration that is to be tried again', async () => {
    const stage = new NodeStage({ exit: { ...exit, deleteNode: true } })
    stage.api.refuse = () => unavailable
    stage.controller.start()
    await stage.clock.advance(10_000)
    stage.take('nodes')
    await stage.controller.leave()
    expect(stage.take('nodes')).toEqual([])
    expect(stage.clock.pendingTimers).toBe(0)
  })

  it('has nothing to leave before it is registered', async () => {
    const stage = new NodeStage({ exit: { agentExitCondition: true, deleteNode: true } })
    stage.controller.start()
    await stage.controller.leave()
    expect(stage.take('nodes').filter((call) => !call.includes('get'))).toEqual([])
  })
})
