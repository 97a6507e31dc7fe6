import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'
import type { KubeObject, Pod, PodSpec, PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import type { HttpMethod } from '../../../src/shared/kubernetes/request.ts'
import type { TraceData, TraceEvent, TraceKind } from '../../../src/shared/model/trace-event.ts'

export const nodeName = 'n1'
const pods = '/api/v1/namespaces/default/pods'

/** What the pod does when it gets SIGTERM. */
const commands = {
  /** Ends 0 within a second. */
  polite: ['sh', '-c', "trap 'exit 0' TERM; while true; do sleep 1; done"],
  /** Has to be killed. */
  stubborn: ['sleep', '360000'],
} as const

export type Temper = keyof typeof commands

/** A manifest of one container; 8 s of grace. */
export function manifestOf(name: string, temper: Temper, spec: Partial<PodSpec> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: '', labels: { app: name } },
    spec: {
      containers: [{ name: 'c', image: 'busybox:1', command: commands[temper] }],
      terminationGracePeriodSeconds: 8,
      ...spec,
    },
  }
}

/** One node with its control plane on a standing clock, and what happens on it. */
export class TerminationFixture {
  readonly cluster: MemorySandbox
  readonly #events: TraceEvent[] = []
  #marked = 0

  constructor() {
    this.cluster = new MemorySandbox({
      seed: 3,
      startAt: Date.UTC(2026, 0, 1),
      nodeNames: [nodeName],
      log: new FakeLog(),
      size: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '10Gi' },
      maxPods: 20,
    })
    this.cluster.trace.listen((event) => this.#events.push(event))
    this.cluster.start()
  }

  get kubelet() {
    return this.cluster.node().kubelet
  }

  async settle(seconds: number): Promise<void> {
    await this.cluster.clock.advance(seconds * 1000)
  }

  /** The answer's object, or its code. */
  async ask(method: HttpMethod, path: string, body?: unknown): Promise<KubeObject | number> {
    // A request's body is an object of the API, or options that are written alike.
    const answer = await this.cluster.request(method, path, body as KubeObject | undefined)
    if (answer.kind !== 'object') throw new Error('no object was asked for')
    return answer.status < 300 ? (answer.body as KubeObject) : answer.status
  }

  /** The object as the API has it; undefined: it is gone. */
  async pod(name: string): Promise<Pod | undefined> {
    const found = await this.ask('GET', `${pods}/${name}`)
    // What is stored there are pods.
    return typeof found === 'number' ? undefined : (found as unknown as Pod)
  }

  async uid(name: string): Promise<string> {
    const found = await this.pod(name)
    if (found === undefined) throw new Error(`there is no pod ${name}`)
    return found.metadata.uid
  }

  /** An ordinary pod that runs. */
  async runs(name: string, temper: Temper, spec: Partial<PodSpec> = {}): Promise<void> {
    await this.cluster.createPod(manifestOf(name, temper, { nodeName, ...spec }))
    await this.settle(15)
    const status = (await this.pod(name))?.status
    if (status?.phase !== 'Running') throw new Error(`${name} is ${status?.phase ?? 'gone'}`)
  }

  delete(name: string, gracePeriodSeconds?: number): Promise<KubeObject | number> {
    return this.ask('DELETE', `${pods}/${name}`, { gracePeriodSeconds })
  }

  evictThroughApi(name: string): Promise<KubeObject | number> {
    return this.ask('POST', `${pods}/${name}/eviction`, { metadata: { name } })
  }

  patchStatus(name: string, status: PodStatus): Promise<KubeObject | number> {
    return this.#patch(`${pods}/${name}/status`, { status })
  }

  patchNode(body: object): Promise<KubeObject | number> {
    return this.#patch(`/api/v1/nodes/${nodeName}`, body)
  }

  /** A budget that allows no disruption. */
  protect(name: string): Promise<KubeObject | number> {
    return this.ask('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
      metadata: { name: 'guard' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: name } } },
    })
  }

  /** Watches one pod from now on; ask for its states so far, oldest first, which ends the watch. */
  async watchPod(name: string): Promise<() => readonly Pod[]> {
    const query = { watch: 'true', fieldSelector: `metadata.name=${name}` }
    const answer = await this.cluster.send({ method: 'GET', path: pods, query })
    if (answer.kind !== 'watch') throw new Error('a watch was asked for')
    const { stream } = answer
    const states: Pod[] = []
    void (async () => {
      // Pods are watched.
      for await (const { object } of stream.events) states.push(object as Pod)
    })()
    return () => {
      stream.stop()
      return states
    }
  }

  /** From here on events are counted. */
  mark(): void {
    this.#marked = this.#events.length
  }

  /** The data of the events about a pod since the mark, the object's too. */
  data<K extends TraceKind>(name: string, kind: K): readonly TraceData[K][] {
    return this.#events.slice(this.#marked).flatMap((event) => {
      const { subject } = event
      const isAbout = 'name' in subject && subject.name === name
      // The kind decides the data's type; the compiler does not narrow a generic kind.
      return isAbout && event.kind === kind ? [event.data as TraceData[K]] : []
    })
  }

  async #patch(path: string, body: unknown): Promise<KubeObject | number> {
    const answer = await this.cluster.send({
      method: 'PATCH',
      path,
      headers: {
        'content-type': 'application/strategic-merge-patch+json',
        accept: 'application/json',
      },
      // As above.
      body: body as KubeObject,
    })
    if (answer.kind !== 'object') throw new Error('no object was asked for')
    return answer.status < 300 ? (answer.body as KubeObject) : answer.status
  }
}

/** What became of a pod that was stopped. */
export interface Ending {
  /** The grace of each stop of its container, in seconds; empty: it was not stopped. */
  readonly grace: readonly number[]
  /** Seconds from the act to the deletionTimestamp that it had while it was stopped; undefined: none. */
  readonly deletionAfter: number | undefined
  readonly phase: string | undefined
  readonly reason: string | undefined
  /** The reason of DisruptionTarget. */
  readonly disruption: string | undefined
  /** Whether the kubelet wrote a terminal phase. */
  readonly endWrittenByKubelet: boolean
  /** Who deleted the object in the end; undefined: it is still there. */
  readonly removedBy: string | undefined
  /** Containers that were started after the act. */
  readonly restarts: number
}

/** Does `act` and observes the pod afterwards. */
export async function endingOf(
  fixture: TerminationFixture,
  name: string,
  act: () => unknown,
  seconds: number,
): Promise<Ending> {
  const seen = await fixture.watchPod(name)
  fixture.mark()
  const startedAt = fixture.cluster.clock.now()
  const done = Promise.resolve(act())
  await fixture.settle(seconds)
  await done
  const states = seen()
  const status = states.at(-1)?.status
  // With a grace of 0 it is the end of the object, not the beginning of its stop.
  const deletion = states.findLast(({ metadata }) => metadata.deletionGracePeriodSeconds)
  const { deletionTimestamp } = deletion?.metadata ?? {}
  return {
    grace: fixture.data(name, 'container.killing').map((one) => one.gracePeriodSeconds),
    deletionAfter:
      deletionTimestamp === undefined
        ? undefined
        : Math.round((Date.parse(deletionTimestamp) - startedAt) / 1000),
    phase: status?.phase,
    reason: status?.reason,
    disruption: status?.conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason,
    endWrittenByKubelet: fixture
      .data(name, 'status.patched')
      .some(({ phase }) => phase === 'Failed' || phase === 'Succeeded'),
    removedBy: fixture.data(name, 'object.written').find(({ change }) => change === 'DELETED')
      ?.user,
    restarts: fixture.data(name, 'container.started').length,
  }
}
