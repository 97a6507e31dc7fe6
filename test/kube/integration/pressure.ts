import type { Container, KubeEvent, Node, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { handlesSigterm, ignoresSigterm, specOf } from './containers.ts'
import { nodeEvents, untilNode } from './node-waits.ts'
import { startOwnNode } from './own-node.ts'
import type { Scenario, ScenarioRun } from './scenario-run.ts'
import { manifestOf } from './static.ts'

const startedAndEvicted = ['Created', 'Evicted', 'Killing', 'Pulled', 'Started'] as const
const gi = 1024 ** 3
/** More than any threshold of these scenarios. */
const enough = 22 * gi
const memoryAnnotation = 'simulated.nodescope.dev/memory'
const common = {
  /** For a condition to turn False soon after its threshold is no longer met. */
  evictionPressureTransitionPeriod: '10s',
  /** Without it each pod is an event of the node, and a kubelet sends only so many about one object. */
  clusterDNS: ['10.96.0.10'],
}
/** Of a kubelet that evicts at once. */
const below2Gi = { ...common, evictionHard: { 'memory.available': '2Gi' } }

interface Using {
  readonly uses: string
  readonly requests?: string
  readonly priorityClassName?: string
  readonly container?: Container
}

function requesting(memory: string | undefined, container: Container): Container {
  return memory === undefined ? container : { ...container, resources: { requests: { memory } } }
}

/** A pod of one container whose use of memory the simulated runtime reports. */
async function createUsing(run: ScenarioRun, name: string, using: Using): Promise<void> {
  const { uses, requests, priorityClassName, container = ignoresSigterm() } = using
  const priority = priorityClassName === undefined ? {} : { priorityClassName }
  await run.create(name, specOf(requesting(requests, container), priority), run.node, {
    [memoryAnnotation]: uses,
  })
}

async function createAllUsing(
  run: ScenarioRun,
  pods: Readonly<Record<string, Using>>,
): Promise<void> {
  for (const [name, using] of Object.entries(pods)) await createUsing(run, name, using)
  for (const name of Object.keys(pods)) await run.untilRunning(name)
}

/** For the pods of this scenario; the cluster has no others. Returns its name. */
async function createPriority(run: ScenarioRun, name: string, value: number): Promise<string> {
  const metadata = { name: `${run.namespace}-${name}` }
  await run.admin.ask('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata, value })
  return metadata.name
}

function memoryPressure({ status }: Node): string {
  const {
    status: is,
    reason,
    message,
  } = status?.conditions?.find(({ type }) => type === 'MemoryPressure') ?? {}
  return `${is} ${reason}: ${message}`
}

function untilPressure(run: ScenarioRun, is: 'True' | 'False'): Promise<Node> {
  return untilNode(run, run.node, `has MemoryPressure ${is}`, (node) =>
    memoryPressure(node).startsWith(is),
  )
}

function evictions({ observer, namespace }: ScenarioRun): readonly KubeEvent[] {
  return observer
    .of('events', { namespace })
    .flatMap(({ type, object }) =>
      type === 'ADDED' && object.reason === 'Evicted' && object.message?.startsWith('The node was')
        ? [object]
        : [],
    )
}

/** What the node tells of its memory, and the pods that were evicted, in order; the pace since then is for the page. */
async function pressureFacts(
  run: ScenarioRun,
  sinceMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  const versions = run.observer.of('nodes', { name: run.node })
  const conditions = versions.map(({ object }) => memoryPressure(object))
  const events = await nodeEvents(run, run.node, 'EvictionThresholdMet')
  const evicted = evictions(run)
  run.paces.push(
    ...evicted.map(({ metadata }) =>
      Math.round((Date.parse(String(metadata.creationTimestamp)) - sinceMs) / 1000),
    ),
  )
  return {
    conditions: conditions.filter((one, index) => one !== conditions[index - 1]),
    nodeEvents: events.filter((line) => /EvictionThresholdMet|Memory/.test(line)),
    evicted: evicted.map(({ involvedObject }) => involvedObject.name),
  }
}

async function clear(run: ScenarioRun, ...names: readonly string[]): Promise<void> {
  for (const name of names) await run.delete(name)
  for (const name of names) await run.untilGone(name)
}

function isRejected({ status }: Pod): boolean {
  return status?.phase === 'Failed'
}

/** What a kubelet was seen to find and to say on a machine of 24 GiB. */
const recordedAvailable = 19_385_632 * 1024
const recordedMessage =
  'The node was low on resource: memory. Threshold quantity: 21Gi, available: 19385632Ki. Container c was using 59608Ki, request is 0, has larger consumption of memory. '

const hardPhases = ['Pending', 'Running', 'Failed', 'gone'] as const

/** A node whose memory gets scarce: what its kubelet says, and which pods it ends. */
export const memoryPressureScenarios: readonly Scenario[] = [
  {
    title:
      'memory falls below the hard threshold: ordinary pods are evicted, a static one stays; then a pod is rejected, and after the pressure one runs',
    key: 'pressure-hard',
    node: 'pressure-hard',
    setsMemory: true,
    phases: {
      after: ['Pending', 'Running', 'Failed', 'gone'],
      'fixed-pressure-hard': ['Pending', 'Running', 'gone'],
      one: hardPhases,
      refused: ['Pending', 'Failed', 'gone'],
      two: hardPhases,
    },
    events: startedAndEvicted,
    steps: async (run) => {
      const kubelet = await startOwnNode(run, { configuration: below2Gi, hasOwnMemory: true })
      const fixed = manifestOf(run, 'fixed', specOf(handlesSigterm()))
      const annotations = { [memoryAnnotation]: '3Gi' }
      await kubelet.putManifest({ ...fixed, metadata: { ...fixed.metadata, annotations } })
      await run.untilRunning(`fixed-${run.node}`)
      await createUsing(run, 'one', { uses: '300Mi' })
      const containers = [ignoresSigterm('a'), requesting('200Mi', ignoresSigterm('b'))]
      await run.create('two', { containers }, run.node, {
        [`${memoryAnnotation}.a`]: '150Mi',
        [`${memoryAnnotation}.b`]: '100Mi',
      })
      for (const name of ['one', 'two']) await run.untilRunning(name)
      const since = Date.now()
      await run.memory.leave(gi)
      for (const name of ['one', 'two']) await run.untilEnded(name)
      await createUsing(run, 'refused', { uses: '10Mi' })
      await run.until('refused', 'is rejected', isRejected)
      // The Node tells it with its next status, which may be after the evictions.
      await untilPressure(run, 'True')
      await run.memory.leave(enough)
      await untilPressure(run, 'False')
      await createUsing(run, 'after', { uses: '10Mi' })
      await run.untilRunning('after')
      const facts = await pressureFacts(run, since)
      await clear(run, 'one', 'two', 'refused', 'after')
      await kubelet.removeManifest({ name: 'fixed', namespace: run.namespace })
      await run.untilGone(`fixed-${run.node}`)
      return facts
    },
  },
  {
    title:
      'memory falls below the soft threshold, first for less than its grace period; then one pod is evicted within evictionMaxPodGracePeriod',
    key: 'pressure-soft',
    node: 'pressure-soft',
    setsMemory: true,
    phases: {
      large: hardPhases,
      small: ['Pending', 'Running', 'Succeeded', 'gone'],
    },
    events: startedAndEvicted,
    steps: async (run) => {
      const configuration = {
        ...common,
        evictionHard: { 'memory.available': '100Mi' },
        evictionSoft: { 'memory.available': '2Gi' },
        evictionSoftGracePeriod: { 'memory.available': '25s' },
        evictionMaxPodGracePeriod: 4,
      }
      await startOwnNode(run, { configuration, hasOwnMemory: true })
      await createAllUsing(run, {
        large: { uses: '300Mi' },
        small: { uses: '100Mi', container: handlesSigterm() },
      })
      await run.memory.leave(gi)
      await untilPressure(run, 'True')
      await run.memory.leave(enough)
      await untilPressure(run, 'False')
      const since = Date.now()
      await run.memory.leave(gi)
      await run.untilEvents(['Evicted'])
      // The kubelet waits for the end of the pod before it looks again.
      await run.memory.leave(enough)
      await run.untilEnded('large', 'Failed')
      await untilPressure(run, 'False')
      const facts = await pressureFacts(run, since)
      await clear(run, 'large', 'small')
      return facts
    },
  },
  {
    title: 'eight pods are evicted by what they use above their requests, and by priority',
    key: 'pressure-ranking',
    node: 'pressure-ranking',
    setsMemory: true,
    phases: Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => [name, hardPhases]),
    ),
    events: startedAndEvicted,
    steps: async (run) => {
      await startOwnNode(run, { configuration: below2Gi, hasOwnMemory: true })
      const high = await createPriority(run, 'high', 1000)
      const low = await createPriority(run, 'low', -10)
      await createAllUsing(run, {
        a: { uses: '390Mi', requests: '400Mi', priorityClassName: high },
        b: { uses: '100Mi' },
        c: { uses: '100Mi', requests: '400Mi' },
        d: { uses: '300Mi' },
        e: { uses: '500Mi', priorityClassName: high },
        f: { uses: '20Mi', priorityClassName: low },
        g: { uses: '200Mi', requests: '50Mi' },
        h: { uses: '300Mi', requests: '400Mi' },
      })
      const since = Date.now()
      await run.memory.leave(gi)
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
      for (const name of names) await run.untilEnded(name, 'Failed')
      await run.memory.leave(enough)
      await untilPressure(run, 'False')
      const facts = await pressureFacts(run, since)
      await clear(run, ...names)
      return facts
    },
  },
  {
    title:
      'nine pods of which two are static, and one exits on SIGTERM: figures and message as recorded on a kubelet with real containers',
    key: 'pressure-recorded',
    node: 'pressure-recorded',
    setsMemory: true,
    phases: {
      'important-pressure-recorded': ['Pending', 'Running', 'gone'],
      'plain-pressure-recorded': ['Pending', 'Running', 'gone'],
      ...Object.fromEntries(
        ['first', 'third', 'fourth', 'fifth', 'sixth', 'seventh'].map((name) => [name, hardPhases]),
      ),
      // Or Failed, where the kubelet removes the container before it has read how it ended: in each of the two, now and then.
      second: ['Pending', 'Running', 'Succeeded', 'gone'],
    },
    events: startedAndEvicted,
    steps: async (run) => {
      const evictionHard = { 'memory.available': '21Gi' }
      const configuration = { ...common, evictionHard }
      const kubelet = await startOwnNode(run, { configuration, hasOwnMemory: true })
      const container = handlesSigterm()
      const high = await createPriority(run, 'high', 100_000)
      for (const [name, priority] of [
        ['important', { priorityClassName: 'system-node-critical' }],
        ['plain', {}],
      ] as const) {
        const manifest = manifestOf(run, name, specOf(container, priority))
        const annotations = { [memoryAnnotation]: '1Gi' }
        await kubelet.putManifest({
          ...manifest,
          metadata: { ...manifest.metadata, annotations },
        })
        await run.untilRunning(`${name}-${run.node}`)
      }
      await createAllUsing(run, {
        first: { uses: '59608Ki' },
        second: { uses: '30Mi', requests: '10Mi', container },
        third: { uses: '10Mi' },
        fourth: { uses: '200Mi', priorityClassName: high },
        fifth: { uses: '30Mi', requests: '40Mi' },
        sixth: { uses: '30Mi', requests: '100Mi' },
        seventh: { uses: '90Mi', requests: '100Mi', priorityClassName: high },
      })
      const since = Date.now()
      await run.memory.leave(recordedAvailable)
      const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh']
      for (const name of names) await run.untilEnded(name)
      await run.memory.leave(enough)
      await untilPressure(run, 'False')
      const facts = await pressureFacts(run, since)
      if (evictions(run)[0]?.message !== recordedMessage)
        throw new Error(`the first eviction says ${evictions(run)[0]?.message}`)
      for (const name of ['important', 'plain'])
        await kubelet.removeManifest({ name, namespace: run.namespace })
      await clear(run, ...names)
      for (const name of ['important', 'plain']) await run.untilGone(`${name}-${run.node}`)
      return facts
    },
  },
]
