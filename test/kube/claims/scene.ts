import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import {
  fakePodManifest,
  type PodManifest,
} from '../../../src/main/session/scenarios/fake-pod-manifest.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../../src/shared/model/trace-event.ts'
import type { RecordedRuntime } from '../cri/recorded-runtime.ts'
import type { ClusterUnderTest } from '../integration/cluster-under-test.ts'
import type { NodeUnderTest } from '../integration/node-under-test.ts'
import { must } from '../integration/administrator.ts'
import { RealNode } from '../integration/real-node.ts'
import { podRuntimeCalls } from '../integration/runtime-calls.ts'
import { ScenarioRun } from '../integration/scenario-run.ts'
import type { Meeting } from './meeting.ts'

const pauseMs = 100
/** A periodic sync is up to 90 s after the one before. */
const patienceMs = 150_000

/** What a claim is checked with: a namespace on a node of a real kubelet. */
export class Scene {
  readonly run: ScenarioRun
  readonly #cluster: ClusterUnderTest
  readonly #meeting: Meeting

  constructor(cluster: ClusterUnderTest, namespace: string, node: string, meeting: Meeting) {
    this.run = new ScenarioRun(cluster, namespace, node)
    this.#cluster = cluster
    this.#meeting = meeting
  }

  get #kubelet() {
    return this.#cluster.kubelet(this.run.node)
  }

  get runtime(): RecordedRuntime {
    const { machine } = this.#kubelet
    if (machine === undefined) throw new Error(`${this.run.node} has no recorded runtime`)
    return machine.runtime
  }

  /** What a static pod is called in the API. */
  staticName(name: string): string {
    return `${name}-${this.run.node}`
  }

  /** An ordinary pod, on the scene's node unless it names another. */
  async create(pod: PodManifest): Promise<Pod> {
    const { labels, finalizers, node, annotations } = pod
    const { spec } = parse(fakePodManifest(pod)) as Pick<Pod, 'spec'>
    // A kubelet that starts under pressure refuses pods that it knows, unless they tolerate it.
    const pressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists' } as const
    const tolerations = [...(spec.tolerations ?? []), pressure]
    const created = await this.run.create(pod.name, { ...spec, tolerations }, node, annotations)
    if (labels !== undefined || finalizers !== undefined)
      await this.run.patch(pod.name, { metadata: { labels, finalizers } })
    return created
  }

  /** Writes a file of the manifest folder, so that it is never read half. */
  async put(file: string, pod: PodManifest, edit = (text: string) => text): Promise<void> {
    const folder = this.#kubelet.manifestsPath
    const { namespace } = this.run
    const drafts = join(folder, '..', 'drafts')
    await mkdir(drafts, { recursive: true })
    const draft = join(drafts, namespace)
    await writeFile(draft, edit(fakePodManifest({ namespace, ...pod })))
    await rename(draft, this.#manifest(file))
  }

  remove(file: string): Promise<void> {
    return rm(this.#manifest(file))
  }

  /** Scenes share the folder. A dot at the start of a name stays there. */
  #manifest(file: string): string {
    const [, dot = '', name = ''] = /^(\.?)(.*)$/.exec(file) ?? []
    return join(this.#kubelet.manifestsPath, `${dot}${this.run.namespace}.${name}`)
  }

  /** What the kubelet had the runtime change for a pod, but for the end of its sandboxes. */
  calls(pod: string, namespace = this.run.namespace): readonly string[] {
    return podRuntimeCalls(this.runtime.calls, namespace)[pod] ?? []
  }

  /** Of the containers of a pod, by its name. */
  events(pod: string, kind: TraceEvent['kind'], namespace = this.run.namespace) {
    return this.runtime.events.filter(
      ({ kind: is, subject }) =>
        is === kind &&
        subject.kind === 'pod' &&
        subject.namespace === namespace &&
        subject.name === pod,
    )
  }

  /** Times of the starts of a pod's containers. */
  starts(pod: string, namespace?: string): readonly number[] {
    return this.events(pod, 'container.started', namespace).map(({ at }) => at)
  }

  /** Times of the ends of a pod's containers. */
  exits(pod: string, namespace?: string): readonly number[] {
    return this.events(pod, 'container.exited', namespace).map(({ at }) => at)
  }

  exitCodes(pod: string): readonly number[] {
    return this.events(pod, 'container.exited').flatMap((event) =>
      event.kind === 'container.exited' ? [event.data.exitCode] : [],
    )
  }

  async createConfigMap(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    await this.run.admin.ask('POST', this.#configMaps, { metadata: { name }, data })
  }

  async replaceConfigMap(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    await this.run.admin.ask('PUT', `${this.#configMaps}/${name}`, { metadata: { name }, data })
  }

  async createSecret(name: string, stringData: Readonly<Record<string, string>>): Promise<void> {
    await this.run.admin.ask('POST', this.#secrets, { metadata: { name }, stringData })
  }

  async replaceSecret(name: string, stringData: Readonly<Record<string, string>>): Promise<void> {
    await this.run.admin.ask('PUT', `${this.#secrets}/${name}`, { metadata: { name }, stringData })
  }

  /** Times of the pulls of an image on the node. */
  pulls(image: string): readonly number[] {
    return this.runtime.pulls.filter((pull) => pull.image === image).map(({ at }) => at)
  }

  get #secrets(): string {
    return `/api/v1/namespaces/${this.run.namespace}/secrets`
  }

  get #configMaps(): string {
    return `/api/v1/namespaces/${this.run.namespace}/configmaps`
  }

  /** The container of a pod gets another image, and so another container. */
  async setImage(pod: string, image: string): Promise<void> {
    await this.run.patch(pod, { spec: { containers: [{ name: 'main', image }] } })
  }

  /** The last line that the newest container of a pod has printed, from its log file; empty before the first. */
  async lastLine(pod: string): Promise<string> {
    const { podLogs } = asRealNode(this.#kubelet)
    const uid = this.run.pod(pod)?.metadata.uid ?? ''
    const folder = join(podLogs, `${this.run.namespace}_${pod}_${uid}`, 'main')
    const files = (await readdir(folder).catch(() => [])).toSorted((one, other) =>
      one.localeCompare(other, 'en', { numeric: true }),
    )
    const text = await readFile(join(folder, files.at(-1) ?? ''), 'utf8').catch(() => '')
    const lines = text.split('\n').filter((line) => line !== '')
    // A time, the stream and whether the line is whole come before it.
    return lines.at(-1)?.replace(/^\S+ \S+ \S+ /, '') ?? ''
  }

  async waitForLine(pod: string, what: string, holds: (line: string) => boolean): Promise<string> {
    const limit = Date.now() + patienceMs
    for (;;) {
      const line = await this.lastLine(pod)
      if (holds(line)) return line
      if (Date.now() > limit) throw new Error(`${pod} did not print ${what}, but ${line}`)
      await sleep(10 * pauseMs)
    }
  }

  /** The reasons of the events about one pod, sorted. */
  async eventReasons({ metadata }: Pod): Promise<readonly string[]> {
    const events = must(
      await this.run.admin.api.list({ resource: 'events', namespace: this.run.namespace }),
    )
    return events
      .filter(({ involvedObject }) => involvedObject.uid === metadata.uid)
      .flatMap(({ reason }) => reason ?? [])
      .toSorted()
  }

  /** Waits for what no watch of the API server shows. */
  async wait(what: string, holds: () => boolean): Promise<void> {
    const limit = Date.now() + patienceMs
    while (!holds()) {
      if (Date.now() > limit) throw new Error(`${this.run.namespace}: ${what} did not happen`)
      await sleep(pauseMs)
    }
  }

  /** Waits for a state of a pod longer than a scenario does. */
  async waitForPod(
    name: string,
    what: string,
    holds: (pod: Pod | undefined) => boolean,
  ): Promise<void> {
    await this.wait(`${name} ${what}`, () => holds(this.run.pod(name)))
  }

  /** Ends the process of the kubelet, without notice, once every scene of the node is ready for it. */
  stopKubelet(): Promise<void> {
    return this.#meeting.meet(() => this.#kubelet.stopKubelet('SIGKILL'))
  }

  startKubelet(): Promise<void> {
    return this.#meeting.meet(() => this.#kubelet.startKubelet())
  }

  /** Ends the connections of the kubelet to the API server, and refuses new ones. */
  cutOff(): Promise<void> {
    return this.#meeting.meet(() => this.#cluster.gate(this.run.node).close())
  }

  reconnect(): Promise<void> {
    return this.#meeting.meet(() => this.#cluster.gate(this.run.node).open())
  }

  /** Starts the kubelet again with an eviction threshold that it is over already. */
  press(): Promise<void> {
    return this.#meeting.meet(async () => {
      await this.#kubelet.stopKubelet('SIGTERM')
      asRealNode(this.#kubelet).configure({ evictionHard: { 'memory.available': '99%' } })
      await this.#kubelet.startKubelet()
    })
  }

  /** A machine without power, and its start: kubelet and containers have gone without a signal. */
  losePower(): Promise<void> {
    return this.#meeting.meet(async () => {
      const { machine } = this.#kubelet
      await this.#kubelet.stopKubelet('SIGKILL')
      machine?.stop()
      machine?.runtime.cutPower()
    })
  }

  boot(): Promise<void> {
    return this.#meeting.meet(async () => {
      const { machine } = this.#kubelet
      machine?.runtime.boot()
      await machine?.serve()
      await this.#kubelet.startKubelet()
    })
  }
}

function asRealNode(kubelet: NodeUnderTest): RealNode {
  if (kubelet instanceof RealNode) return kubelet
  throw new Error('claims are checked on a real kubelet')
}

/** A claim of the texts, and how it is checked. */
export interface Claim {
  /** The namespace of its scenario, and the id of the gotcha or a name of the forecast. */
  readonly key: string
  /** The node of its scenario; absent: the one of most scenarios. */
  readonly node?: string
  /** The sentences, or parts of them, that the scenario shows. */
  readonly says: readonly string[]
  /** Brings the node to it; returns what was seen. */
  readonly steps: (scene: Scene) => Promise<unknown>
  /** What has to be seen for the claim to be true. */
  readonly shows: unknown
}
