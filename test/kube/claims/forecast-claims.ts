import { setTimeout as sleep } from 'node:timers/promises'
import {
  ignoresSigterm,
  type PodManifest,
} from '../../../src/main/session/scenarios/fake-pod-manifest.ts'
import type { Node, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { Act, ActEffect, ActFacts, ContainerActFacts } from '../../../src/shared/model/act.ts'
import { answerWords } from '../../../src/shared/model/forecast/forecast-words.ts'
import { forecastAct } from '../../../src/shared/model/forecast/forecast.ts'
import {
  forecastNodeAct,
  type NodeAct,
  type NodeActFacts,
} from '../../../src/shared/model/node-act.ts'
import { noFaults } from '../../../src/shared/model/node/node-faults.ts'
import type { Span } from '../../../src/shared/model/span.ts'
import { containerEvents, differences, type Outcome } from '../../forecast/agreement.ts'
import type { ObjectSample } from '../../forecast/act-scenario.ts'
import { makeBudget } from '../integration/conflicts.ts'
import {
  exitsAfter,
  handlesSigterm,
  ignoresSigterm as ignores,
  specOf,
} from '../integration/containers.ts'
import { isNodeReady, untilNode } from '../integration/node-waits.ts'
import { stopAtRuntime, untilRestarted } from '../integration/stopped-containers.ts'
import type { ScenarioRun } from '../integration/scenario-run.ts'
import { cutOffNode, poweredNode, stoppedNode } from './kubelet-away-claims.ts'
import type { Claim, Scene } from './scene.ts'

const pauseMs = 250
/** How much later a busy machine may be than a forecast, which knows nothing of the machine. */
const lateSeconds = 20
/** Times of the runtime and of the watch are those of one clock; the click is a little before the request. */
const earlySeconds = 1

/** An act on a pod that runs. */
interface ActClaim {
  readonly key: string
  readonly node?: string
  readonly act: Act
  /** null: the pod's own. */
  readonly seconds: number | null
  /** In addition to those of an ordinary pod that runs one container. */
  readonly facts?: Partial<ActFacts>
  /** Of an ordinary pod, or a static one. */
  readonly pod: { readonly spec: Pod['spec'] } | { readonly manifest: Partial<PodManifest> }
  /** Once it runs. */
  readonly before?: (scene: Scene, name: string) => Promise<void>
  readonly after?: (scene: Scene) => Promise<void>
  /** Of an act on a container: that one. */
  readonly container?: ContainerActFacts
  /** The exit codes of its containers at the end. */
  readonly codes: readonly number[]
}

const running: ActFacts = {
  namespace: '',
  name: 'web',
  kind: 'regular',
  criticalBecause: '',
  priority: 0,
  phase: 'Running',
  apiPhase: 'Running',
  isScheduled: true,
  ends: { exitZero: 'Succeeded', killed: 'Failed' },
  specGraceSeconds: 30,
  graceInUseSeconds: null,
  worker: 'SyncPod',
  isSyncing: false,
  terminationRequested: false,
  deletionTimestamp: null,
  deletionGraceSeconds: null,
  runningContainers: 1,
  runningSidecars: 0,
  sigkillInSeconds: null,
  preStopSleepSeconds: 0,
  hasOtherPreStop: false,
  finalizers: [],
  controlledBy: '',
  kubelet: 'running',
  apiServerReachable: true,
  hasApiObject: true,
  isListed: true,
  budget: { kind: 'none' },
  runtime: 'answers',
  containers: [],
  readOnly: '',
  seenIn: '',
}

const staticFacts: Partial<ActFacts> = { kind: 'static', criticalBecause: 'static' }

const restarted: ContainerActFacts = {
  name: 'c',
  kind: 'container',
  id: '',
  isRunning: true,
  state: 'running',
  restarts: 0,
  restartPolicy: 'Always',
  after: {
    exitZero: { next: 'restarts', phase: 'Running' },
    failed: { next: 'restarts', phase: 'Running' },
  },
  backOff: { seconds: 0, expiresInSeconds: 0 },
  probes: [],
  hasPreStop: false,
  isPulledAgain: false,
}

const leftAsItEnds: ContainerActFacts = {
  ...restarted,
  restartPolicy: 'Never',
  after: {
    exitZero: { next: 'podEnds', phase: 'Succeeded' },
    failed: { next: 'podEnds', phase: 'Failed' },
  },
}

/** StopContainer of the runtime, for one container. */
const restartClaims: readonly ActClaim[] = [
  {
    key: 'restart-handled',
    act: 'restartContainer',
    seconds: 5,
    container: restarted,
    pod: { spec: specOf(handlesSigterm()) },
    codes: [0],
  },
  {
    key: 'restart-static',
    act: 'restartContainer',
    seconds: 2,
    facts: staticFacts,
    container: { ...restarted, name: 'main' },
    pod: { manifest: { script: ignoresSigterm } },
    codes: [137],
  },
  {
    key: 'restart-backing-off',
    act: 'restartContainer',
    seconds: 0,
    container: {
      ...restarted,
      restarts: 1,
      backOff: { seconds: 10, expiresInSeconds: 590 },
    },
    pod: { spec: specOf(handlesSigterm()) },
    before: async (scene) => {
      await stopAtRuntime(scene.run, 'web', 'c', 5)
      await scene.wait('its restart', () => scene.starts('web').length === 2)
      await untilRestarted(scene.run, 'web', 'c', 1)
    },
    codes: [0, 137],
  },
  {
    key: 'restart-never',
    act: 'restartContainer',
    seconds: 5,
    container: leftAsItEnds,
    pod: { spec: specOf(handlesSigterm(), { restartPolicy: 'Never' }) },
    codes: [0],
  },
  {
    key: 'restart-never-killed',
    act: 'restartContainer',
    seconds: 2,
    container: leftAsItEnds,
    pod: { spec: specOf(ignores(), { restartPolicy: 'Never' }) },
    codes: [137],
  },
]

const acts: readonly ActClaim[] = [
  {
    key: 'delete-handled',
    act: 'delete',
    seconds: null,
    pod: { spec: specOf(handlesSigterm()) },
    codes: [0],
  },
  {
    key: 'delete-ignored',
    act: 'delete',
    seconds: 4,
    pod: { spec: specOf(ignores()) },
    codes: [137],
  },
  {
    key: 'delete-shortest',
    act: 'delete',
    seconds: 0,
    pod: { spec: specOf(ignores()) },
    codes: [137],
  },
  {
    key: 'delete-after-pre-stop',
    act: 'delete',
    seconds: null,
    facts: { specGraceSeconds: 8, preStopSleepSeconds: 3 },
    pod: {
      spec: specOf(
        { ...handlesSigterm(), lifecycle: { preStop: { sleep: { seconds: 3 } } } },
        { terminationGracePeriodSeconds: 8 },
      ),
    },
    codes: [0],
  },
  {
    key: 'delete-with-sidecar',
    act: 'delete',
    seconds: 6,
    facts: { runningContainers: 2, runningSidecars: 1 },
    pod: {
      spec: {
        initContainers: [{ ...handlesSigterm('side'), restartPolicy: 'Always' }],
        containers: [handlesSigterm()],
      },
    },
    codes: [0, 0],
  },
  {
    key: 'delete-held',
    act: 'delete',
    seconds: null,
    facts: { finalizers: ['example.com/kept'] },
    pod: { spec: specOf(handlesSigterm()) },
    before: (scene) => scene.run.patch('web', { metadata: { finalizers: ['example.com/kept'] } }),
    codes: [0],
  },
  {
    key: 'delete-ended',
    act: 'delete',
    seconds: null,
    facts: { phase: 'Succeeded', apiPhase: 'Succeeded', worker: 'finished', runningContainers: 0 },
    pod: {
      spec: specOf(exitsAfter(0), { restartPolicy: 'Never' }),
    },
    before: async (scene) => {
      await scene.run.untilEnded('web', 'Succeeded')
    },
    codes: [0],
  },
  {
    key: 'delete-shorter',
    act: 'delete',
    seconds: 10,
    facts: {
      specGraceSeconds: 15,
      graceInUseSeconds: 15,
      sigkillInSeconds: 15,
      worker: 'TerminatingPod',
      terminationRequested: true,
      deletionGraceSeconds: 15,
      deletionTimestamp: '2026-01-01T00:00:00Z',
    },
    pod: { spec: specOf(ignores(), { terminationGracePeriodSeconds: 15 }) },
    before: async (scene) => {
      await scene.run.delete('web')
      await scene.wait('the call', () => scene.calls('web').some((call) => call.includes('15 s')))
    },
    codes: [137],
  },
  {
    key: 'force-delete-handled',
    act: 'forceDelete',
    seconds: null,
    pod: { spec: specOf(handlesSigterm()) },
    codes: [0],
  },
  {
    key: 'force-delete-ignored',
    act: 'forceDelete',
    seconds: null,
    pod: { spec: specOf(ignores()) },
    codes: [137],
  },
  {
    key: 'evict-ignored',
    act: 'evictThroughApi',
    seconds: null,
    facts: { specGraceSeconds: 3 },
    pod: { spec: specOf(ignores(), { terminationGracePeriodSeconds: 3 }) },
    codes: [137],
  },
  {
    key: 'evict-refused',
    act: 'evictThroughApi',
    seconds: null,
    facts: { budget: { kind: 'refuses', name: 'kept', code: 429, why: 'it allows no disruption' } },
    pod: { spec: specOf(handlesSigterm()) },
    before: async ({ run }) => {
      await makeBudget(run)
      await run.patch('web', { metadata: { labels: { app: 'web' } } })
    },
    codes: [],
  },
  {
    key: 'delete-mirror',
    act: 'deleteMirror',
    seconds: null,
    facts: staticFacts,
    pod: { manifest: {} },
    codes: [],
  },
  {
    key: 'force-delete-mirror',
    act: 'deleteMirror',
    seconds: 0,
    facts: staticFacts,
    pod: { manifest: { script: ignoresSigterm } },
    codes: [],
  },
  ...restartClaims,
  {
    key: 'delete-without-kubelet',
    node: stoppedNode,
    act: 'delete',
    seconds: 1,
    facts: { kubelet: 'stopped' },
    pod: { spec: specOf(handlesSigterm()) },
    before: (scene) => scene.stopKubelet(),
    after: (scene) => scene.startKubelet(),
    codes: [],
  },
  {
    key: 'force-delete-cut-off',
    node: cutOffNode,
    act: 'forceDelete',
    seconds: null,
    facts: { kubelet: 'cutOff' },
    pod: { spec: specOf(handlesSigterm()) },
    before: (scene) => scene.cutOff(),
    after: async (scene) => {
      await scene.stopKubelet()
      await scene.startKubelet()
      await scene.reconnect()
    },
    codes: [],
  },
]

/** As the administrator, with what the page says of a refusal. */
async function doAct(run: ScenarioRun, name: string, claim: ActClaim): Promise<Outcome['answer']> {
  const { act, seconds, container } = claim
  if (container !== undefined) {
    // The call ends with the container.
    void stopAtRuntime(run, name, container.name, seconds ?? 30)
    return { ok: true, value: { act, message: '' } }
  }
  const path = `/api/v1/namespaces/${run.namespace}/pods/${name}`
  const gracePeriodSeconds =
    act === 'forceDelete' ? 0 : act === 'delete' && seconds === 0 ? 1 : seconds
  const options = gracePeriodSeconds === null ? {} : { gracePeriodSeconds }
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const body =
    act === 'evictThroughApi'
      ? { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, deleteOptions: options }
      : { apiVersion: 'v1', kind: 'DeleteOptions', ...options }
  const answer = await run.admin.transport.send(
    act === 'evictThroughApi'
      ? { method: 'POST', path: `${path}/eviction`, headers, body }
      : { method: 'DELETE', path, headers, body },
  )
  if (answer.status < 300) return { ok: true, value: { act, message: '' } }
  const reason =
    answer.kind === 'object' ? String((answer.body as { reason?: unknown }).reason) : ''
  const message = `(${answerWords(answer.status, reason)})`
  return { ok: false, error: { kind: 'refused', message } }
}

function widened(span: Span): Span {
  const { earliest, latest } = span
  return {
    earliest: Math.max(0, earliest - earlySeconds),
    latest: latest === null ? null : latest + lateSeconds,
  }
}

/** The same effect on a machine that takes its time. */
function onRealMachine(effect: ActEffect): ActEffect {
  const { object, containers, restart } = effect
  return {
    ...effect,
    object:
      object.kind === 'goes'
        ? { ...object, after: widened(object.after) }
        : object.kind === 'replaced'
          ? { ...object, gone: widened(object.gone), back: widened(object.back) }
          : object,
    containers:
      containers.kind === 'stop' || containers.kind === 'stopOne'
        ? { ...containers, ...widened(containers) }
        : containers,
    ...(restart === undefined ? {} : { restart: { ...restart, wait: widened(restart.wait) } }),
  }
}

/** Until nothing of the effect is to come. */
async function watch(scene: Scene, pod: Pod, effect: ActEffect, ran: number) {
  const { name, uid } = pod.metadata
  const samples: ObjectSample[] = []
  const clickedAt = Date.now()
  const { object, containers, restart } = effect
  const isStop = containers.kind === 'stop' || containers.kind === 'stopOne'
  const again = restart === undefined ? 0 : (restart.wait.latest ?? 0) + lateSeconds
  const seconds = 5 + (isStop ? (containers.latest ?? 0) : 0) + again
  const isOpen = (atSeconds: number): boolean => {
    const now = scene.run.pod(name)
    const isStopping = containers.kind === 'stop' && scene.exits(name).length < ran
    if (isStopping && atSeconds < seconds + lateSeconds) return true
    switch (object.kind) {
      case 'goes':
        return now?.metadata.uid === uid && atSeconds < seconds + lateSeconds
      case 'replaced':
        return (now === undefined || now.metadata.uid === uid) && atSeconds < 91 + lateSeconds
      default:
        return false
    }
  }
  for (;;) {
    const atSeconds = (Date.now() - clickedAt) / 1000
    samples.push({ atSeconds, pod: scene.run.pod(name) ?? null })
    if (atSeconds > seconds && !isOpen(atSeconds)) return samples
    await sleep(pauseMs)
  }
}

async function made(scene: Scene, { pod }: ActClaim): Promise<string> {
  if ('spec' in pod) {
    await scene.run.create('web', pod.spec)
    return 'web'
  }
  await scene.put('web.yaml', { name: 'web', ...pod.manifest })
  return scene.staticName('web')
}

function claimOfAct(claim: ActClaim): Claim {
  const { act, seconds, facts, before, after, codes, container } = claim
  const containers = container === undefined ? [] : [container]
  const all = { ...running, ...facts, containers }
  const forecast = forecastAct(act, all, seconds, container?.name)
  return {
    key: claim.key,
    ...(claim.node === undefined ? {} : { node: claim.node }),
    says: [`${forecast.title}: ${forecast.summary}`],
    steps: async (scene) => {
      const name = await made(scene, claim)
      const pod = await scene.run.untilRunning(name)
      const { metadata } = pod
      await before?.(scene, name)
      const first = { atSeconds: 0, pod: scene.run.pod(name) ?? null }
      const ran = namesOf(claim)
      const clickedAt = Date.now()
      const answer = await doAct(scene.run, name, claim)
      const samples = await watch(scene, pod, forecast.effect, ran.length)
      const uid = metadata.annotations?.['kubernetes.io/config.hash'] ?? metadata.uid
      const since = scene.runtime.events.filter(({ at }) => at >= clickedAt)
      const events = containerEvents(since, uid, clickedAt)
      const outcome: Outcome = { answer, samples: [first, ...samples], ran, ...events }
      const seenCodes = scene.exitCodes(name)
      await after?.(scene)
      return { differences: differences(onRealMachine(forecast.effect), outcome), codes: seenCodes }
    },
    shows: { differences: [], codes },
  }
}

function namesOf({ pod, facts }: ActClaim): Outcome['ran'] {
  if (facts?.runningContainers === 0) return []
  if ('manifest' in pod) return [{ name: 'main', isSidecar: false }]
  return [
    ...(pod.spec.initContainers ?? []).map(({ name }) => ({ name, isSidecar: true })),
    ...pod.spec.containers.map(({ name }) => ({ name, isSidecar: false })),
  ]
}

const nodeFacts: NodeActFacts = {
  node: 'n',
  agent: 'running',
  machine: 'on',
  isShuttingDown: false,
  isCutOff: false,
  faults: noFaults,
  hasOtherNodes: true,
  sandbox: true,
  readOnly: false,
}

/** An act on a node while an ordinary and a static pod run; `undo` and `redo` are what the other scenes of the node do. */
interface NodeActClaim {
  readonly act: NodeAct
  readonly node: string
  readonly before?: (scene: Scene) => Promise<void>
  readonly does: (scene: Scene) => Promise<void>
  readonly after?: (scene: Scene) => Promise<void>
}

async function restart(scene: Scene): Promise<void> {
  await scene.stopKubelet()
  await scene.startKubelet()
}

const actsOnNodes: readonly NodeActClaim[] = [
  { act: 'restartAgent', node: stoppedNode, does: restart },
  {
    act: 'stopAgent',
    node: stoppedNode,
    does: (scene) => scene.stopKubelet(),
    after: (scene) => scene.startKubelet(),
  },
  {
    act: 'startAgent',
    node: stoppedNode,
    before: (scene) => scene.stopKubelet(),
    does: (scene) => scene.startKubelet(),
  },
  {
    act: 'cutOff',
    node: cutOffNode,
    does: (scene) => scene.cutOff(),
    after: async (scene) => {
      await restart(scene)
      await scene.reconnect()
    },
  },
  {
    act: 'reconnect',
    node: cutOffNode,
    before: async (scene) => {
      await scene.cutOff()
      await restart(scene)
    },
    does: (scene) => scene.reconnect(),
  },
  {
    act: 'boot',
    node: poweredNode,
    before: (scene) => scene.losePower(),
    does: (scene) => scene.boot(),
  },
]

/** What a kubelet needs for its first sync of all pods. */
const settledMs = 10_000

function readyOf(node: Node): string {
  return node.status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'none'
}

function claimOfNodeAct({ act, node, before, does, after }: NodeActClaim): Claim {
  const { title, summary, effect } = forecastNodeAct(act, nodeFacts)
  return {
    key: `node-${act.toLowerCase()}`,
    node,
    says: [`${title}: ${summary}`],
    steps: async (scene) => {
      const { run } = scene
      const names = ['web', scene.staticName('fixed')]
      await run.create('web', specOf(handlesSigterm()))
      await scene.put('fixed.yaml', { name: 'fixed' })
      for (const name of names) await run.untilRunning(name)
      await before?.(scene)
      const counts = () => ({
        started: names.flatMap((name) => scene.starts(name)).length,
        signalled: names.flatMap((name) => scene.events(name, 'container.signalled')).length,
        exited: names.flatMap((name) => scene.exits(name)).length,
      })
      const first = counts()
      await does(scene)
      await sleep(settledMs)
      if (effect.containers === 'restart')
        await scene.wait('its restarts', () => counts().started === first.started + names.length)
      const last = counts()
      const isBack = act === 'startAgent' || act === 'boot' || act === 'reconnect'
      if (isBack) await untilNode(run, node, 'is ready', isNodeReady)
      const ready = run.observer.of('nodes', { name: node }).map(({ object }) => readyOf(object))
      const firstTrue = ready.indexOf('True')
      await after?.(scene)
      return {
        containers:
          last.signalled > first.signalled
            ? 'stop'
            : last.started > first.started
              ? 'restart'
              : last.exited > first.exited
                ? 'gone'
                : 'keepRunning',
        ready: act === 'restartAgent' ? [...new Set(ready.slice(firstTrue))] : ready.at(-1),
      }
    },
    // Only a control plane says Unknown of a node, and here is none.
    shows: { containers: effect.containers, ready: act === 'restartAgent' ? ['True'] : 'True' },
  }
}

export const shownActs: ReadonlySet<string> = new Set([
  ...acts.map(({ act }) => act),
  ...actsOnNodes.map(({ act }) => act),
  // By the gotcha evicted-reads-completed.
  'evictByKubelet',
])

/** What comes of the page’s acts on pods and nodes. */
export const forecastClaims: readonly Claim[] = [
  ...acts.map(claimOfAct),
  ...actsOnNodes.map(claimOfNodeAct),
]
