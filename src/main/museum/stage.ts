import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { NodeAct } from '../../shared/model/node-act.ts'
import type { ContainerView, PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { WorkerView } from '../../shared/model/worker-view.ts'
import { err } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ApiError } from '../kubelet/ports.ts'
import type { ManifestDesk } from '../session/manifests/manifest-desk.ts'
import type { OpenSandbox } from '../session/cluster/open-cluster.ts'

type Holds = () => boolean | Promise<boolean>

const namespace = 'default'

/** Of the cluster's time: what has not come by then never will. */
const patienceMs = 10 * 60_000

function done<T>(words: string, result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(`${words}: ${result.error.message}`)
  return result.value
}

/**
 * What the script of an exhibit does with its cluster, and what it sees of it. Each act is one that a person at the
 * dashboard, at kubectl or at the machine could do. The clock stands but where the script lets it run, as fast
 * as it goes. Whatever is refused throws.
 */
export class Stage {
  /** The name of the first node. */
  readonly node: string
  readonly #sandbox: OpenSandbox
  readonly #folders: ReadonlyMap<string, string>
  readonly #steps: string[] = []

  constructor(deps: {
    readonly sandbox: OpenSandbox
    /** Manifest folder by node, in the order of the nodes. */
    readonly folders: ReadonlyMap<string, string>
  }) {
    this.#sandbox = deps.sandbox
    this.#folders = deps.folders
    this.node = [...deps.folders.keys()][0] ?? ''
  }

  /** What was done so far, in words. */
  get steps(): readonly string[] {
    return this.#steps
  }

  /** Does it and keeps the words for it; what it settles at once has happened when this resolves. */
  async step<T>(words: string, act: () => T | Promise<T>): Promise<T> {
    this.#steps.push(words)
    const result = await act()
    await this.#sandbox.virtualClock.advance(0)
    return result
  }

  // --- time -------------------------------------------------------------------------------------

  /** ms on the cluster's clock. */
  now(): number {
    return this.#sandbox.virtualClock.now()
  }

  advance(ms: number): Promise<void> {
    return this.#sandbox.virtualClock.advance(ms)
  }

  /** Lets time run until it holds, looked at after each timer. Throws when `limitMs` pass without it. */
  async until(words: string, holds: Holds, limitMs: number = patienceMs): Promise<void> {
    const { virtualClock } = this.#sandbox
    const limit = virtualClock.now() + limitMs
    while (!(await holds())) {
      if ((virtualClock.nextDue ?? Number.POSITIVE_INFINITY) > limit)
        throw new Error(`it did not come to this within ${limitMs / 1000} s: ${words}`)
      await virtualClock.step()
    }
  }

  untilReady(): Promise<void> {
    return this.until('all nodes are ready', () =>
      this.#sandbox.session.view().nodes.every(({ status }) => status === 'Ready'),
    )
  }

  untilOff(): Promise<void> {
    return this.until('the machine is off', () =>
      this.#sandbox.session
        .view()
        .nodes.some(({ name, machine }) => name === this.node && machine === 'off'),
    )
  }

  // --- manifests --------------------------------------------------------------------------------

  /** Writes the file, whether there is one or not. A kubelet that does not run reads it when it starts. */
  async putManifest(file: string, text: string, node: string = this.node): Promise<void> {
    const desk = this.#desk(node)
    const path = join(this.#folder(node), file)
    if (desk === undefined) return await writeFile(path, text)
    const create = await stat(path).then(
      () => false,
      () => true,
    )
    done(`cannot write ${file}`, await desk.write(file, text, { create }))
  }

  async removeManifest(file: string, node: string = this.node): Promise<void> {
    const desk = this.#desk(node)
    if (desk === undefined) return await rm(join(this.#folder(node), file))
    done(`cannot remove ${file}`, await desk.remove(file))
  }

  // --- the API, as kubectl ------------------------------------------------------------------------

  /** `kubectl create -f`. */
  async create(text: string): Promise<void> {
    done('cannot create', await this.tryCreate(text))
  }

  tryCreate(text: string): Promise<Result<Pod, ApiError>> {
    // A text of our own: it is a pod.
    return this.#sandbox.admin.create({ resource: 'pods', namespace }, parse(text) as Pod)
  }

  /** `kubectl apply -f` of a PodDisruptionBudget. */
  async createBudget(name: string, app: string, minAvailable: number): Promise<void> {
    const answer = await this.#sandbox.adminTransport.send({
      method: 'POST',
      path: `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name },
        spec: { minAvailable, selector: { matchLabels: { app } } },
      },
    })
    if (answer.status !== 201) throw new Error(`cannot create the budget ${name}: ${answer.status}`)
  }

  /** `kubectl delete pod`; without `graceSeconds` with the pod's own. */
  async delete(name: string, graceSeconds?: number): Promise<void> {
    const options = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }
    const answer = await this.#sandbox.admin.delete({ resource: 'pods', namespace, name }, options)
    done(`cannot delete ${name}`, answer)
  }

  /** `kubectl patch`, and so `kubectl label` and `kubectl set image`. */
  async patch(resource: 'pods' | 'nodes', name: string, body: unknown): Promise<void> {
    const key = resource === 'pods' ? { resource, namespace, name } : { resource, name }
    const answer = await this.#sandbox.admin.patch(key, { type: 'strategic', body })
    done(`cannot patch ${name}`, answer)
  }

  /** The object as the API server has it. */
  async pod(name: string): Promise<Pod | undefined> {
    const answer = await this.#sandbox.admin.get({ resource: 'pods', namespace, name })
    if (!answer.ok && answer.error.kind === 'not-found') return undefined
    return done(`cannot get ${name}`, answer)
  }

  // --- the dashboard's own acts -------------------------------------------------------------------

  evictByKubelet({ key }: PodRow): void {
    done('cannot evict', this.#sandbox.commands.evictByKubelet(key))
  }

  /** Error: the sentence of the refusal. */
  async tryEvictThroughApi({ key }: PodRow): Promise<Result<unknown, string>> {
    const answer = await this.#sandbox.commands.evictThroughApi(key, null)
    return answer.ok ? answer : err(answer.error.message)
  }

  kill({ key }: PodRow): void {
    done('cannot kill', this.#sandbox.commands.kill(key, null))
  }

  nodeAct(act: Exclude<NodeAct, 'shutDown'>, node: string = this.node): void {
    const none = { shutdownGraceSeconds: null, criticalGraceSeconds: null }
    done(`cannot ${act}`, this.#sandbox.nodes.act({ node, act, ...none }))
  }

  /** Gracefully, with the kubelet's shutdownGracePeriod and shutdownGracePeriodCriticalPods. */
  shutDown(graceSeconds: number, criticalGraceSeconds: number): void {
    const answer = this.#sandbox.nodes.act({
      node: this.node,
      act: 'shutDown',
      shutdownGraceSeconds: graceSeconds,
      criticalGraceSeconds,
    })
    done('cannot shut down', answer)
  }

  cutOff(): void {
    done('cannot cut off', this.#sandbox.link.cutOff())
  }

  reconnect(): void {
    done('cannot reconnect', this.#sandbox.link.reconnect())
  }

  // --- what the page shows ------------------------------------------------------------------------

  rows(name?: string): readonly PodRow[] {
    const rows = this.#sandbox.session.rows()
    return name === undefined ? rows : rows.filter((row) => row.name === name)
  }

  /** The only row of that name. Throws where there are none or several. */
  row(name: string): PodRow {
    const [row, ...others] = this.rows(name)
    if (row === undefined || others.length > 0)
      throw new Error(`there is not one row ${name} but ${this.rows(name).length}`)
    return row
  }

  /** Whether there is exactly one row of that name with all of this. */
  has(name: string, part: Partial<PodRow>): boolean {
    const rows = this.rows(name)
    return rows.length === 1 && rows.every((row) => isPart(part, row))
  }

  detail({ key }: Pick<PodRow, 'key'>): PodDetail {
    const detail = this.#sandbox.session.detail(key)
    if (detail === undefined) throw new Error(`nobody knows ${key}`)
    return detail
  }

  worker(row: Pick<PodRow, 'key'>): WorkerView {
    const { worker } = this.detail(row)
    if (worker === null) throw new Error(`${row.key} has no worker`)
    return worker
  }

  /** The first container, of which most pods here have no other. */
  container(row: Pick<PodRow, 'key'>): ContainerView {
    const [container] = this.detail(row).containers
    if (container === undefined) throw new Error(`${row.key} has no container status`)
    return container
  }

  #folder(node: string): string {
    const folder = this.#folders.get(node)
    if (folder === undefined) throw new Error(`there is no node ${node}`)
    return folder
  }

  /** Undefined while nobody reads the folder. */
  #desk(node: string): ManifestDesk | undefined {
    const isRead = this.#sandbox.session
      .view()
      .nodes.some(({ name, agent }) => name === node && agent === 'running')
    return isRead ? this.#sandbox.manifests.get(node) : undefined
  }
}

function isPart(part: Partial<PodRow>, row: PodRow): boolean {
  return Object.entries(part).every(([field, value]) => row[field as keyof PodRow] === value)
}
