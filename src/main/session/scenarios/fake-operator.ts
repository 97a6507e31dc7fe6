import { readdir, stat, writeFile, rm, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { defined, isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { NodeAct } from '../../../shared/model/node-act.ts'
import type { ContainerView, PodDetail } from '../../../shared/model/pod-detail.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { WorkerView } from '../../../shared/model/worker-view.ts'
import { err } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ApiError } from '../../kubelet/ports.ts'
import type { Assets } from '../assets.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { fakePodManifest } from './fake-pod-manifest.ts'
import type { PodManifest } from './fake-pod-manifest.ts'
import { createObject, patchObject } from './send-objects.ts'
import { lastLineOf } from './shown-pods.ts'

type Holds = () => boolean | Promise<boolean>

const namespace = 'default'

/** On the virtual clock: a condition that does not hold by then never will. */
const defaultLimitMs = 10 * 60_000

function valueOf<T>(words: string, result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(`${words}: ${result.error.message}`)
  return result.value
}

/** The shipped files, as a test in the sources has them. */
export const repositoryAssets: Assets = {
  list: async (folder) => {
    const entries = await readdir(join(import.meta.dirname, '../../../..', folder), {
      withFileTypes: true,
    })
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    return files.toSorted()
  },
  readText: (name) => readFile(join(import.meta.dirname, '../../../..', name), 'utf8'),
}

/**
 * A user of the page, of kubectl and of the machine, who uses an open sandbox and looks at it. The clock runs only where the test
 * lets it, at full speed. Throws whatever is refused.
 */
export class FakeOperator {
  /** The name of the first node. */
  readonly node: string
  readonly #cluster: OpenSandbox
  readonly #manifestsPath: string

  constructor(cluster: OpenSandbox) {
    const { nodes, manifestsPath } = cluster.session.view()
    this.#cluster = cluster
    this.#manifestsPath = manifestsPath
    this.node = nodes[0]?.name ?? ''
  }

  /** What the scenario did so far, in words. */
  get steps(): readonly string[] {
    return this.#cluster.session.view().scenario?.steps ?? []
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
    const editor = this.#cluster.manifests.get(this.node)
    const path = join(this.#manifestsPath, file)
    const isRead = this.#cluster.session.view().nodes[0]?.agent === 'running'
    if (editor === undefined || !isRead) return await writeFile(path, text)
    const create = await stat(path).then(
      () => false,
      () => true,
    )
    valueOf(`cannot write ${file}`, await editor.write(file, text, { create }))
  }

  async removeManifest(file: string): Promise<void> {
    const editor = this.#cluster.manifests.get(this.node)
    if (editor === undefined) return await rm(join(this.#manifestsPath, file))
    valueOf(`cannot remove ${file}`, await editor.remove(file))
  }

  // --- the API, as kubectl ------------------------------------------------------------------------

  createPod(pod: PodManifest): Promise<void> {
    return this.create(fakePodManifest(pod))
  }

  /** `kubectl create -f`. */
  async create(text: string): Promise<void> {
    const object: unknown = parse(text)
    if (!isJsonObject(object)) throw new Error('no object')
    const refusal = await createObject(this.#cluster, object)
    if (refusal !== '')
      throw new Error(`cannot create ${textAt(objectAt(object, 'metadata'), 'name')}: ${refusal}`)
    await this.advance(0)
  }

  tryCreate(text: string): Promise<Result<Pod, ApiError>> {
    // The texts of the tests are pods.
    return this.#cluster.admin.create({ resource: 'pods', namespace }, parse(text) as Pod)
  }

  /** `kubectl patch secret`. */
  async editSecret(name: string, stringData: Readonly<Record<string, string>>): Promise<void> {
    const target = { resource: `secret/${name}`, patch: { stringData } }
    const refusal = await patchObject(this.#cluster, target)
    if (refusal !== '') throw new Error(refusal)
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

  /** Error: the sentence of the refusal. */
  async tryEvictThroughApi({ key }: PodRow): Promise<Result<unknown, string>> {
    const answer = await this.#cluster.commands.evictThroughApi(key, null)
    return answer.ok ? answer : err(answer.error.message)
  }

  nodeAct(act: Exclude<NodeAct, 'failCall' | 'shutDown'>, node: string = this.node): void {
    const args = { node, act, shutdownGraceSeconds: null, criticalGraceSeconds: null, call: null }
    valueOf(`cannot ${act}`, this.#cluster.nodes.act(args))
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

  /** The first container; most pods of the tests have only this one. */
  container(row: Pick<PodRow, 'key'>): ContainerView {
    const [container] = this.detail(row).containers
    if (container === undefined) throw new Error(`${row.key} has no container status`)
    return container
  }

  /** As `kubectl logs --tail 1`; empty without a line. */
  lastLine(row: Pick<PodRow, 'key'>): Promise<string> {
    return lastLineOf(this.#cluster, row)
  }
}
