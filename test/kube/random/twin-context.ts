import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMirrorPod } from '../../../src/main/kubelet/pod/identity.ts'
import type { RecordedMachine } from '../cri/recorded-runtime.ts'
import { isJsonObject, textAt, type JsonObject } from '../../../src/shared/json.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { HttpMethod } from '../../../src/shared/kubernetes/request.ts'
import { templates } from '../../simulation/pod-templates.ts'
import type { ClusterContext, ManifestFiles } from '../../simulation/step-context.ts'
import type { ClusterUnderTest } from '../integration/cluster-under-test.ts'
import type { NodeUnderTest } from '../integration/node-under-test.ts'
import type { TcpGate } from '../integration/tcp-gate.ts'
import { keyOf, livePods } from './end-states.ts'

/** One of the two: a cluster with the node that the steps act on. */
export interface Twin {
  readonly cluster: ClusterUnderTest
  readonly node: NodeUnderTest
  readonly gate: TcpGate
  readonly machine: RecordedMachine
}

/** Who gets a scarce resource depends on which pod comes first. */
const scarce: ReadonlySet<string> = new Set(['asks for much', 'critical', 'host port'])

/** The same manifests in two folders. */
class TwinFolder implements ManifestFiles {
  readonly path = 'manifests'
  readonly #folders: readonly string[]
  readonly #files = new Map<string, string>()

  constructor(folders: readonly string[]) {
    this.#folders = folders
  }

  get names(): readonly string[] {
    return [...this.#files.keys()].toSorted()
  }

  textOf(name: string): string | undefined {
    return this.#files.get(name)
  }

  write(name: string, text: string): void {
    this.#files.set(name, text)
    for (const folder of this.#folders) {
      const draft = join(folder, '..', 'random.draft')
      writeFileSync(draft, text)
      renameSync(draft, join(folder, name))
    }
  }

  remove(name: string): void {
    this.#files.delete(name)
    for (const folder of this.#folders) rmSync(join(folder, name), { force: true })
  }

  rename(from: string, to: string): void {
    const text = this.#files.get(from)
    if (text === undefined || from === to) return
    this.#files.delete(from)
    this.#files.set(to, text)
    for (const folder of this.#folders) renameSync(join(folder, from), join(folder, to))
  }
}

/** Acts on two clusters in the same way. Pods are those that both have. */
export class TwinContext implements ClusterContext {
  /** The other steps of this run keep no ConfigMaps. */
  readonly apiTemplates = []
  readonly templates = templates.filter(({ behavior }) => !scarce.has(behavior))
  readonly nodes: readonly { readonly nodeName: string }[]
  readonly twins: readonly [Twin, Twin]
  /** Pods of which the two servers have said different things: their later states are not compared. */
  readonly disagreed = new Set<string>()
  readonly #folder: TwinFolder
  /** By what was started: its end, and the timer that brings it about. */
  readonly #pending = new Map<
    string,
    { readonly timer: NodeJS.Timeout; readonly end: () => void }
  >()

  constructor(twins: readonly [Twin, Twin], nodeName: string) {
    this.twins = twins
    this.nodes = [{ nodeName }]
    this.#folder = new TwinFolder(twins.map(({ node }) => node.manifestsPath))
  }

  get pods(): readonly Pod[] {
    return this.#onBoth.filter((pod) => !isMirrorPod(pod))
  }

  get mirrors(): readonly Pod[] {
    return this.#onBoth.filter(isMirrorPod)
  }

  node(): { readonly nodeName: string } {
    return this.nodes[0] ?? { nodeName: '' }
  }

  folder(): ManifestFiles {
    return this.#folder
  }

  async send(method: HttpMethod, path: string, body?: unknown): Promise<string> {
    const isPod = isJsonObject(body) && textAt(body, 'kind') === 'Pod'
    return this.#both(method, path, isPod ? withoutToken(body) : body, 'application/json')
  }

  patch(path: string, body: unknown): Promise<string> {
    return this.#both('PATCH', path, body, 'application/merge-patch+json')
  }

  later(what: string, delayMs: number, end: () => void): void {
    clearTimeout(this.#pending.get(what)?.timer)
    const timer = setTimeout(() => {
      this.#pending.delete(what)
      end()
    }, delayMs)
    this.#pending.set(what, { timer, end })
  }

  /** Ends what `later` was asked to end, now. */
  endAll(): void {
    const all = [...this.#pending.values()]
    this.#pending.clear()
    for (const { timer, end } of all) {
      clearTimeout(timer)
      end()
    }
  }

  /** Static pods that several files define: which one runs depends on the order of a map. */
  get defineTwice(): ReadonlySet<string> {
    const counts = new Map<string, number>()
    for (const name of this.#folder.names) {
      const text = this.#folder.textOf(name) ?? ''
      const key = /"metadata":\{[^}]*"name":"([^"]+)"(?:,"namespace":"([^"]+)")?/.exec(text)
      if (key === null) continue
      const pod = `${key[2] ?? 'default'}/${key[1]}-${this.node().nodeName}`
      counts.set(pod, (counts.get(pod) ?? 0) + 1)
    }
    return new Set([...counts].filter(([, count]) => count > 1).map(([pod]) => pod))
  }

  /** Force-deletes pods on both, so that a difference is reported once. */
  async removeBoth(keys: Iterable<string>): Promise<void> {
    for (const key of keys) {
      const [namespace, name] = key.split('/')
      const path = `/api/v1/namespaces/${namespace}/pods/${name}`
      await this.patch(path, { metadata: { finalizers: null } })
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 }
      await this.#both('DELETE', path, options, 'application/json')
    }
  }

  get #onBoth(): readonly Pod[] {
    const [ours, real] = this.twins
    const known = new Set(livePods(real.cluster).map(keyOf))
    return livePods(ours.cluster)
      .filter((pod) => known.has(keyOf(pod)))
      .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  }

  async #both(
    method: HttpMethod,
    path: string,
    body: unknown,
    contentType: string,
  ): Promise<string> {
    const headers = { 'content-type': contentType, accept: 'application/json' }
    const answers = await Promise.all(
      this.twins.map(async ({ cluster }) => {
        const sent = { method, path, headers, ...(body === undefined ? {} : { body }) }
        const answer = await cluster.admin.transport.send(sent)
        if (answer.kind !== 'object') return { status: answer.status, text: answer.kind }
        const reason = isJsonObject(answer.body) ? textAt(answer.body, 'reason') : ''
        const { status } = answer
        return { status, text: status < 300 ? String(status) : `${status} ${reason}` }
      }),
    )
    const [ours, real] = answers
    if (ours === undefined || real === undefined || ours.text === real.text) return ours?.text ?? ''
    this.#disagree(path, body)
    return `${ours.text}, and ${real.text} on the kubelet's side`
  }

  #disagree(path: string, body: unknown): void {
    const [, namespace = '', named] = /namespaces\/([^/]+)\/pods(?:\/([^/]+))?/.exec(path) ?? []
    const metadata = isJsonObject(body) ? body['metadata'] : undefined
    const name = named ?? (isJsonObject(metadata) ? textAt(metadata, 'name') : '')
    this.disagreed.add(`${namespace}/${name}`)
  }
}

/** No controller makes the certificates that a token's volume needs. */
function withoutToken(pod: JsonObject): JsonObject {
  const { spec } = pod
  return {
    ...pod,
    spec: { ...(isJsonObject(spec) ? spec : {}), automountServiceAccountToken: false },
  }
}
