import { describe, expect, it } from 'vitest'
import type { Node, Pod } from '../../src/shared/kubernetes/objects.ts'
import type { NodeAct, NodeActEffect, NodeActFacts } from '../../src/shared/model/node-act.ts'
import { forecastNodeAct, nodeActs } from '../../src/shared/model/node-act.ts'
import type { CallFault } from '../../src/shared/model/node/node-faults.ts'
import { noFaults, runtimeCallNames } from '../../src/shared/model/node/node-faults.ts'
import { afterLastLease } from '../../src/shared/model/node/node-loss.ts'
import type { Span } from '../../src/shared/model/span.ts'
import type { TraceEvent } from '../../src/shared/model/trace-event.ts'
import { ActScenario } from './act-scenario.ts'

const facts: NodeActFacts = {
  node: 'n',
  agent: 'running',
  machine: 'on',
  isShuttingDown: false,
  isCutOff: false,
  faults: noFaults,
  hasOtherNodes: false,
  sandbox: true,
  readOnly: false,
}

/** How the node comes to where the act makes sense, beyond being at work. */
const before: Readonly<Partial<Record<NodeAct, (scenario: ActScenario) => Promise<void>>>> = {
  startAgent: async (scenario) => {
    scenario.actOnNode('stopAgent')
    await scenario.seconds(80)
  },
  cancelShutDown: async (scenario) => {
    scenario.actOnNode('shutDown')
    await scenario.seconds(3)
  },
  boot: async (scenario) => {
    scenario.actOnNode('powerOff')
    await scenario.seconds(80)
  },
  reconnect: async (scenario) => {
    scenario.actOnNode('cutOff')
    await scenario.seconds(80)
  },
  runtimeAnswers: async (scenario) => {
    scenario.actOnNode('runtimeDown')
    await scenario.seconds(80)
  },
  callsAnswer: async (scenario) => {
    scenario.actOnNode('failCall', { call: 'StopContainer', how: 'hangs', pod: null })
    await scenario.seconds(10)
  },
  freeDisk: async (scenario) => {
    scenario.actOnNode('fillDisk')
    // Until the evictions are over: one that has begun goes on after the act.
    await scenario.seconds(80)
  },
  usualMounts: async (scenario) => {
    scenario.actOnNode('slowMounts')
    await scenario.seconds(10)
  },
}

interface Seen {
  readonly atSeconds: number
  readonly ready: string
  readonly pods: readonly (Pod | null)[]
}

const names = ['handles', 'ignores'] as const

async function makePods(scenario: ActScenario): Promise<void> {
  const image = 'busybox:1.36'
  const handles = {
    name: 'c',
    image,
    command: ['sh', '-c', "trap 'exit 0' TERM; while true; do sleep 1; done"],
  }
  await scenario.create('handles', { spec: { containers: [handles] } })
  await scenario.create('ignores', {
    spec: {
      containers: [{ name: 'c', image, command: ['sleep', '1000000'] }],
      terminationGracePeriodSeconds: 5,
    },
  })
  await scenario.seconds(30)
}

async function look(scenario: ActScenario, atSeconds: number): Promise<Seen> {
  const answer = await scenario.cluster.request('GET', '/api/v1/nodes/n')
  if (answer.kind !== 'object') throw new Error('no node')
  // What is asked for is a Node.
  const { status } = answer.body as unknown as Node
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? ''
  const pods = await Promise.all(names.map((name) => scenario.object(name)))
  return { atSeconds, ready, pods }
}

function within(
  what: string,
  at: number | undefined,
  { earliest, latest }: Span,
): readonly string[] {
  if (at === undefined) return [`${what}: never, forecast ${earliest} to ${String(latest)} s`]
  return at < earliest - 1 || at > (latest ?? Infinity) + 1
    ? [`${what}: at ${at} s, forecast ${earliest} to ${String(latest)} s`]
    : []
}

function readyDifferences({ ready }: NodeActEffect, seen: readonly Seen[]): readonly string[] {
  const before = seen[0]?.ready
  if (ready === null)
    return seen.every((one) => one.ready === before) ? [] : ['Ready changed, forecast: it stays']
  // A status that it has already is kept, but for one that comes later.
  const at = seen.find((one) => one.ready === ready.status && one !== seen[0])?.atSeconds
  return [
    ...within(`Ready ${ready.status}`, at, ready.after),
    ...(seen.at(-1)?.ready === ready.status ? [] : [`Ready ${String(seen.at(-1)?.ready)} at last`]),
  ]
}

function podDifferences(effect: NodeActEffect, seen: readonly Seen[]): readonly string[] {
  const { podsDeleted, podEnds } = effect
  return names.flatMap((name, index) => {
    const deletedAt = seen.find(({ pods }) => {
      const pod = pods[index] ?? null
      return pod === null || pod.metadata.deletionTimestamp !== undefined
    })?.atSeconds
    const status = seen.at(-1)?.pods[index]?.status
    const wanted = podEnds[name === 'handles' ? 1 : 0]
    return [
      ...(podsDeleted === null
        ? deletedAt === undefined
          ? []
          : [`${name}: deleted at ${deletedAt} s, forecast: not`]
        : within(`${name} deleted`, deletedAt, podsDeleted)),
      ...(wanted === undefined ||
      (status?.phase === wanted.phase && (status.reason ?? '') === wanted.reason)
        ? []
        : [`${name}: ends ${status?.phase ?? ''} ${status?.reason ?? ''}`]),
    ]
  })
}

function containerDifferences(
  { containers }: NodeActEffect,
  events: readonly TraceEvent[],
): readonly string[] {
  const count = (kind: TraceEvent['kind']): number =>
    events.filter((event) => event.kind === kind).length
  const found = {
    signalled: count('container.signalled') > 0,
    exited: count('container.exited') > 0,
    started: count('container.started') > 0,
  }
  const wanted = {
    keepRunning: { signalled: false, exited: false, started: false },
    stop: { signalled: true, exited: true, started: false },
    gone: { signalled: false, exited: false, started: false },
    restart: { signalled: false, exited: true, started: true },
  }[containers]
  return JSON.stringify(found) === JSON.stringify(wanted)
    ? []
    : [`containers: ${JSON.stringify(found)}, forecast ${containers}`]
}

function watchedSeconds({ ready, podsDeleted, containers }: NodeActEffect): number {
  const ends = [ready?.after.latest ?? 60, podsDeleted?.latest ?? 0, containers === 'stop' ? 40 : 0]
  return Math.max(...ends) + 10
}

async function sweep(
  act: NodeAct,
  phaseSeconds: number,
  call: CallFault | null = null,
): Promise<readonly string[]> {
  const scenario = await ActScenario.open()
  // The kubelet renews its lease in its own rhythm, the control plane looks in another.
  scenario.node.stopKubelet()
  await scenario.seconds(phaseSeconds)
  scenario.node.startKubelet()
  await makePods(scenario)
  await before[act]?.(scenario)
  const { effect } = forecastNodeAct(act, facts, call)
  const from = scenario.events.length
  const seen = [await look(scenario, 0)]
  scenario.actOnNode(act, call)
  for (let second = 1; second <= watchedSeconds(effect); second++) {
    await scenario.seconds(1)
    seen.push(await look(scenario, second))
  }
  scenario.cluster.stop()
  return [
    ...readyDifferences(effect, seen),
    ...podDifferences(effect, seen),
    // A canceled shutdown continues through all groups.
    ...(act === 'cancelShutDown' ? [] : containerDifferences(effect, scenario.events.slice(from))),
  ]
}

describe.each(nodeActs.filter((act) => act !== 'failCall'))('%s', (act) => {
  it.each([0, 2.5, 5, 7.5])('does what the forecast says, %d s later', async (phaseSeconds) => {
    expect(await sweep(act, phaseSeconds)).toEqual([])
  })
})

describe.each(runtimeCallNames)('%s', (call) => {
  it.each(['fails', 'hangs'] as const)('that %s does what the forecast says', async (how) => {
    for (const phaseSeconds of [0, 5])
      expect(await sweep('failCall', phaseSeconds, { call, how, pod: null })).toEqual([])
  })
})

function isOwnRenewal({ kind, node }: TraceEvent): boolean {
  return kind === 'lease.renewed' && node === 'n'
}

it('a lost node becomes Unknown, and its pods are deleted, at the times that the panel shows', async () => {
  const unknown: number[] = []
  const deleted: number[] = []
  for (let phase = 0; phase < 10; phase += 1.25) {
    // Without another node, the pods stay.
    const scenario = await ActScenario.open(['other'])
    // The kubelet renews in its own rhythm, the control plane looks in another.
    scenario.node.stopKubelet()
    await scenario.seconds(phase)
    scenario.node.startKubelet()
    await makePods(scenario)
    scenario.actOnNode('cutOff')
    const lease = scenario.events.findLast(isOwnRenewal)?.at ?? 0
    const after = (): number => (scenario.now - lease) / 1000
    while ((await look(scenario, 0)).ready !== 'Unknown') await scenario.seconds(0.5)
    unknown.push(after())
    while ((await scenario.object('handles'))?.metadata.deletionTimestamp === undefined)
      await scenario.seconds(0.5)
    deleted.push(after())
    scenario.cluster.stop()
  }
  for (const [times, { earliest, latest }] of [
    [unknown, afterLastLease.unknown],
    [deleted, afterLastLease.podsDeleted],
  ] as const) {
    expect(Math.min(...times)).toBeGreaterThanOrEqual(earliest)
    expect(Math.max(...times)).toBeLessThanOrEqual(latest + 0.5)
    // The range is not wider than needed.
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(3)
  }
})
