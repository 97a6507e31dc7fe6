import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { KubeRequest } from '../../shared/kubernetes/request.ts'
import { defined } from '../../shared/json.ts'
import type { NodeView } from '../../shared/model/cluster-view.ts'
import type { NodeAct } from '../../shared/model/node-act.ts'
import type { CallFault } from '../../shared/model/node/node-faults.ts'
import type { ContainerView, PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { WorkerView } from '../../shared/model/worker-view.ts'
import { err } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ApiError } from '../kubelet/ports.ts'
import type { ManifestEditor } from '../session/manifests/manifest-editor.ts'
import type { OpenSandbox } from '../session/cluster/open-cluster.ts'
import { podManifest } from './pod-manifest.ts'
import type { PodManifest } from './pod-manifest.ts'

type Holds = () => boolean | Promise<boolean>

const namespace = 'default'

/** On the virtual clock: a condition that does not hold by then never will. */
const defaultLimitMs = 10 * 60_000

function valueOf<T>(words: string, result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(`${words}: ${result.error.message}`)
  return result.value
}

/**
 * What the script of a gotcha can do with its sandbox and see of it: all that a user of the page, of kubectl or of the
 * machine can. The clock runs only where the script lets it, at full speed. Throws whatever is refused.
 */
export class ScriptedSandbox {
  /** The name of the first node. */
  readonly node: string
  readonly #cluster: OpenSandbox
  readonly #manifestsPath: string
  readonly #steps: string[] = []

  constructor(cluster: OpenSandbox) {
    const { nodes, manifestsPath } = cluster.session.view()
    this.#cluster = cluster
    this.#manifestsPath = manifestsPath
    this.node = nodes[0]?.name ?? ''
  }

  /** What the script did so far, in words. */
  get steps(): readonly string[] {
    return this.#steps
  }

  /** Acts and records the words. All effects that need no time have happened when this resolves. */
  async step<T>(words: string, act: () => T | Promise<T>): Promise<T> {
    this.#steps.push(words)
    const result = await act()
    await this.#cluster.virtualClock.advance(0)
    return result
  }

  /** The step of adding the manifest `NAME.yaml` of a static pod. `note` ends the words of the step. */
  addManifest(pod: PodManifest, note = '.'): Promise<void> {
    const file = `${pod.name}.yaml`
    return this.step(`${file} is added to the manifest folder${note}`, () =>
      this.putManifest(file, podManifest(pod)),
    )
  }

  /** The step of editing the manifest `NAME.yaml`. `note` ends the words of the step. */
  editManifest(pod: PodManifest, note: string): Promise<void> {
    const file = `${pod.name}.yaml`
    return this.step(`${file} is edited${note}`, () => this.putManifest(file, podManifest(pod)))
  }

  /** The step `kubectl create -f NAME.yaml`. `note` ends the words of the step. */
  createPod(pod: PodManifest, note = ''): Promise<void> {
    return this.step(`kubectl create -f ${pod.name}.yaml${note}`, () =>
      this.create(podManifest(pod)),
    )
  }

  // --- time -------------------------------------------------------------------------------------

  /** ms on the cluster's clock. */
  now(): number {
    return this.#cluster.virtualClock.now()
  }

  advance(ms: number): Promise<void> {
    return this.#cluster.virtualClock.advance(ms)
  }

  /** Advances the clock until the condition holds, which is checked after each timer. Throws after `limitMs`. */
  async until(words: string, holds: Holds, limitMs: number = defaultLimitMs): Promise<void> {
    const { virtualClock } = this.#cluster
    const limit = virtualClock.now() + limitMs
    while (!(await holds())) {
      if ((virtualClock.nextDue ?? Number.POSITIVE_INFINITY) > limit)
        throw new Error(`not within ${limitMs / 1000} s: ${words}`)
      await virtualClock.step()
    }
  }

  untilReady(): Promise<void> {
    return this.until('all nodes are ready', () =>
      this.#nodes().every(({ status }) => status === 'Ready'),
    )
  }

  untilOff(): Promise<void> {
    return this.until('the machine is off', () =>
      this.#nodes().some(({ name, machine }) => name === this.node && machine === 'off'),
    )
  }

  /** Until the only pod of that name runs, and the API says so. */
  async untilRunning(name: string): Promise<PodRow> {
    await this.until(`${name} runs`, () => {
      const [row] = this.rows(name)
      return row?.status === 'Running' && (row.mirror === null || row.mirror === 'matched')
    })
    return this.row(name)
  }

  // --- manifests --------------------------------------------------------------------------------

  /** Writes the file, whether it exists or not. A stopped kubelet reads it when it starts. */
  async putManifest(file: string, text: string): Promise<void> {
    const editor = this.#manifestEditor()
    const path = join(this.#manifestsPath, file)
    if (editor === undefined) return await writeFile(path, text)
    const create = await stat(path).then(
      () => false,
      () => true,
    )
    valueOf(`cannot write ${file}`, await editor.write(file, text, { create }))
  }

  async removeManifest(file: string): Promise<void> {
    const editor = this.#manifestEditor()
    if (editor === undefined) return await rm(join(this.#manifestsPath, file))
    valueOf(`cannot remove ${file}`, await editor.remove(file))
  }

  // --- the API, as kubectl ------------------------------------------------------------------------

  /** `kubectl create -f`. */
  async create(text: string): Promise<void> {
    valueOf('cannot create', await this.tryCreate(text))
  }

  tryCreate(text: string): Promise<Result<Pod, ApiError>> {
    // The texts of the scripts are pods.
    return this.#cluster.admin.create({ resource: 'pods', namespace }, parse(text) as Pod)
  }

  /** `kubectl apply -f` of a PodDisruptionBudget. */
  async createBudget(name: string, app: string, minAvailable: number): Promise<void> {
    await this.#post(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { minAvailable, selector: { matchLabels: { app } } },
    })
  }

  /** `kubectl create configmap`. */
  async createConfigMap(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    await this.#post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name }, data })
  }

  /** `kubectl create secret generic`. */
  async createSecret(name: string, stringData: Readonly<Record<string, string>>): Promise<void> {
    await this.#post(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name }, stringData })
  }

  /** `kubectl patch secret`. */
  async editSecret(name: string, stringData: Readonly<Record<string, string>>): Promise<void> {
    await this.#patch(`/api/v1/namespaces/${namespace}/secrets/${name}`, { stringData })
  }

  /** `kubectl edit configmap`. */
  async editConfigMap(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    await this.#patch(`/api/v1/namespaces/${namespace}/configmaps/${name}`, { data })
  }

  /** `kubectl patch pod --subresource resize`, of the container `main`. */
  async resize(name: string, resources: unknown): Promise<void> {
    const containers = [{ name: 'main', resources }]
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/resize`
    await this.#patch(path, { spec: { containers } })
  }

  async #post(path: string, body: unknown): Promise<void> {
    await this.#send({ method: 'POST', path, body }, 'application/json')
  }

  async #patch(path: string, body: unknown): Promise<void> {
    await this.#send({ method: 'PATCH', path, body }, 'application/strategic-merge-patch+json')
  }

  async #send(request: KubeRequest, type: string): Promise<void> {
    const headers = { 'content-type': type, accept: 'application/json' }
    const { status } = await this.#cluster.adminTransport.send({ ...request, headers })
    if (status >= 300) throw new Error(`${request.method} ${request.path}: ${status}`)
  }

  /** `kubectl delete pod`; without `graceSeconds` with the pod's own. */
  async delete(name: string, graceSeconds?: number): Promise<void> {
    const options = defined({ gracePeriodSeconds: graceSeconds })
    const answer = await this.#cluster.admin.delete({ resource: 'pods', namespace, name }, options)
    valueOf(`cannot delete ${name}`, answer)
  }

  /** `kubectl patch`, and so `kubectl label` and `kubectl set image`. */
  async patch(resource: 'pods' | 'nodes', name: string, body: unknown): Promise<void> {
    const key = resource === 'pods' ? { resource, namespace, name } : { resource, name }
    const answer = await this.#cluster.admin.patch(key, { type: 'strategic', body })
    valueOf(`cannot patch ${name}`, answer)
  }

  /** The object as the API server has it. */
  async pod(name: string): Promise<Pod | undefined> {
    const answer = await this.#cluster.admin.get({ resource: 'pods', namespace, name })
    if (!answer.ok && answer.error.kind === 'not-found') return undefined
    return valueOf(`cannot get ${name}`, answer)
  }

  // --- actions of the page -------------------------------------------------------------------------

  evictByKubelet({ key }: PodRow): void {
    valueOf('cannot evict', this.#cluster.commands.evictByKubelet(key))
  }

  /** Error: the sentence of the refusal. */
  async tryEvictThroughApi({ key }: PodRow): Promise<Result<unknown, string>> {
    const answer = await this.#cluster.commands.evictThroughApi(key, null)
    return answer.ok ? answer : err(answer.error.message)
  }

  kill({ key }: PodRow): void {
    valueOf('cannot kill', this.#cluster.commands.kill(key, null))
  }

  nodeAct(act: Exclude<NodeAct, 'failCall' | 'shutDown'>, node: string = this.node): void {
    const args = { node, act, shutdownGraceSeconds: null, criticalGraceSeconds: null, call: null }
    valueOf(`cannot ${act}`, this.#cluster.nodes.act(args))
  }

  /** Makes one call of the runtime fail or hang until `nodeAct('callsAnswer')`. */
  failCall(call: CallFault): void {
    const { node } = this
    const graces = { shutdownGraceSeconds: null, criticalGraceSeconds: null }
    valueOf(
      'cannot fail a call',
      this.#cluster.nodes.act({ node, act: 'failCall', call, ...graces }),
    )
  }

  /** Gracefully, with the kubelet's shutdownGracePeriod and shutdownGracePeriodCriticalPods. */
  shutDown(shutdownGraceSeconds: number, criticalGraceSeconds: number): void {
    const { node } = this
    const args = {
      node,
      act: 'shutDown',
      shutdownGraceSeconds,
      criticalGraceSeconds,
      call: null,
    } as const
    valueOf('cannot shut down', this.#cluster.nodes.act(args))
  }

  cutOff(): void {
    valueOf('cannot cut off', this.#cluster.link.cutOff())
  }

  reconnect(): void {
    valueOf('cannot reconnect', this.#cluster.link.reconnect())
  }

  // --- what the page shows ------------------------------------------------------------------------

  rows(name?: string): readonly PodRow[] {
    const rows = this.#cluster.session.rows()
    return name === undefined ? rows : rows.filter((row) => row.name === name)
  }

  /** The only row of that name. Throws if there is none or more than one. */
  row(name: string): PodRow {
    const [row, ...others] = this.rows(name)
    if (row === undefined || others.length > 0)
      throw new Error(`expected one row ${name}, not ${this.rows(name).length}`)
    return row
  }

  /** Whether exactly one row has that name, with all of these fields. */
  has(name: string, part: Partial<PodRow>): boolean {
    const rows = this.rows(name)
    const fields = Object.entries(part)
    const hasAll = (row: PodRow) =>
      fields.every(([field, value]) => row[field as keyof PodRow] === value)
    return rows.length === 1 && rows.every(hasAll)
  }

  detail({ key }: Pick<PodRow, 'key'>): PodDetail {
    const detail = this.#cluster.session.detail(key)
    if (detail === undefined) throw new Error(`no pod has the key ${key}`)
    return detail
  }

  worker(row: Pick<PodRow, 'key'>): WorkerView {
    const { worker } = this.detail(row)
    if (worker === null) throw new Error(`${row.key} has no worker`)
    return worker
  }

  /** The first container; most pods of the scripts have only this one. */
  container(row: Pick<PodRow, 'key'>): ContainerView {
    const [container] = this.detail(row).containers
    if (container === undefined) throw new Error(`${row.key} has no container status`)
    return container
  }

  /** The last line that the container `main` has printed, as `kubectl logs --tail 1`; empty without one. */
  async lastLine({ key }: Pick<PodRow, 'key'>): Promise<string> {
    const query = { container: 'main', previous: false, sinceSeconds: null, after: null }
    const logs = await this.#cluster.queries.logs(key, query)
    const lines = (logs?.parts.at(-1)?.text ?? '').split('\n').filter((line) => line !== '')
    // Each line has its time before it.
    return lines.at(-1)?.replace(/^\S+ /, '') ?? ''
  }

  #nodes(): readonly NodeView[] {
    return this.#cluster.session.view().nodes
  }

  /** Undefined while the kubelet is stopped and reads no file. */
  #manifestEditor(): ManifestEditor | undefined {
    const isRead = this.#nodes().some(
      ({ name, agent }) => name === this.node && agent === 'running',
    )
    return isRead ? this.#cluster.manifests.get(this.node) : undefined
  }
}
