import type { ActError, Receipt } from '../../../shared/ipc/contract.ts'
import { equalJson } from '../../../shared/json.ts'
import { matchesNodeAffinity } from '../../../shared/kubernetes/node-affinity.ts'
import type { Node, Pod, Taint } from '../../../shared/kubernetes/objects.ts'
import { isTerminalPhase } from '../../../shared/kubernetes/static-pods.ts'
import { minTolerationMs } from '../../../shared/kubernetes/taints.ts'
import type {
  MovedPod,
  NodeEditArgs,
  NodeEditForecast,
  NodeTexts,
} from '../../../shared/model/node/node-edit.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { quoted } from '../../../shared/shell-words.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { ApiPods } from '../cluster/cluster-session.ts'
import { refusedWords } from '../cluster/refused-words.ts'
import { changed, nodeTexts, readLabels, readTaints, taintText } from './node-texts.ts'
import type { Changed } from './node-texts.ts'

interface NodeEditsDeps {
  readonly api: TransportApiClient
  readonly pods: Pick<ApiPods, 'list'>
  /** Why nothing may be changed, in one sentence; empty if it may. */
  readonly readOnly: () => string
  /** Of the kubeconfig; empty in a sandbox. */
  readonly context: string
}

type Args = Omit<NodeEditArgs, 'cluster'>

interface Changes {
  readonly labels: Changed<string>
  readonly taints: Changed<Taint>
}

/** Tries while others write the node in between. */
const maxTries = 3

function changesOf({ before, after }: Args): Result<Changes, string> {
  const [oldLabels, newLabels] = [readLabels(before.labels), readLabels(after.labels)]
  const [oldTaints, newTaints] = [readTaints(before.taints), readTaints(after.taints)]
  if (!oldLabels.ok) return oldLabels
  if (!newLabels.ok) return newLabels
  if (!oldTaints.ok) return oldTaints
  if (!newTaints.ok) return newTaints
  return ok({
    labels: changed(oldLabels.value, newLabels.value, (one, other) => one === other),
    taints: changed(oldTaints.value, newTaints.value, equalJson),
  })
}

/** What the edit sets stays in the order of the node; new taints follow. */
function taintsAfter({ spec }: Node, { set, removed }: Changed<Taint>): readonly Taint[] {
  const now = spec?.taints ?? []
  const idOf = ({ key, effect }: Taint): string => `${key}:${effect}`
  const kept = now.filter((taint) => !removed.has(idOf(taint)))
  const ids = new Set(kept.map(idOf))
  return [
    ...kept.map((taint) => set.get(idOf(taint)) ?? taint),
    ...[...set].filter(([id]) => !ids.has(id)).map(([, taint]) => taint),
  ]
}

function labelsAfter({ metadata }: Node, { set, removed }: Changed<string>) {
  const kept = Object.entries(metadata.labels ?? {}).filter(([key]) => !removed.has(key))
  return Object.fromEntries([...kept, ...set])
}

function isEmpty({ labels, taints }: Changes): boolean {
  return [labels, taints].every(({ set, removed }) => set.size === 0 && removed.size === 0)
}

function changeLines({ labels, taints }: Changes): readonly string[] {
  return [
    ...[...labels.set].map(([key, value]) => `label ${key}=${value}`),
    ...[...labels.removed].map((key) => `label ${key} removed`),
    ...[...taints.set.values()].map((taint) => `taint ${taintText(taint)}`),
    ...[...taints.removed].map((id) => `taint ${id} removed`),
  ]
}

function kubectlLines(node: string, context: string, { labels, taints }: Changes) {
  const kubectl = `kubectl${context === '' ? '' : ` --context ${quoted(context)}`}`
  const line = (start: string, words: readonly string[]): readonly string[] =>
    words.length === 0 ? [] : [`${kubectl} ${start} ${words.map(quoted).join(' ')}`]
  return [
    ...line(`label node ${node} --overwrite`, [
      ...[...labels.set].map(([key, value]) => `${key}=${value}`),
      ...[...labels.removed].map((key) => `${key}-`),
    ]),
    ...line(`taint node ${node} --overwrite`, [
      ...[...taints.set.values()].map(taintText),
      ...[...taints.removed].map((id) => `${id}-`),
    ]),
  ]
}

/** Pods that new taints evict and none did before. Source: pkg/controller/tainteviction (v1.34). */
function evictedBy(
  pods: readonly Pod[],
  before: readonly Taint[],
  after: readonly Taint[],
): readonly MovedPod[] {
  return pods
    .flatMap((pod) => {
      const afterMs = minTolerationMs(pod, after)
      if (afterMs === Infinity || minTolerationMs(pod, before) <= afterMs) return []
      const { namespace = '', name } = pod.metadata
      return [{ namespace, name, afterSeconds: afterMs / 1000 }]
    })
    .toSorted((one, other) => one.afterSeconds - other.afterSeconds)
}

function notesOf(node: Node, changes: Changes, pods: readonly Pod[]): readonly string[] {
  const { name } = node.metadata
  const notes: string[] = []
  for (const taint of changes.taints.set.values())
    notes.push(
      taint.effect === 'PreferNoSchedule'
        ? `The scheduler avoids ${name} for pods that do not tolerate ${taintText(taint)}, but still uses it if no other node fits.`
        : `The scheduler places no pod on ${name} that does not tolerate ${taintText(taint)}.`,
    )
  const before = { name, labels: node.metadata.labels ?? {} }
  const after = { name, labels: labelsAfter(node, changes.labels) }
  const unfit = pods.filter(
    ({ spec }) => matchesNodeAffinity(spec, before) && !matchesNodeAffinity(spec, after),
  )
  const daemons = unfit.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ kind, controller }) => kind === 'DaemonSet' && controller),
  )
  const named = (some: readonly Pod[]): string =>
    some.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`).join(', ')
  if (daemons.length > 0)
    notes.push(
      `Their DaemonSets delete pods whose node selector no longer matches: ${named(daemons)}.`,
    )
  const others = unfit.filter((pod) => !daemons.includes(pod))
  if (others.length > 0)
    notes.push(
      `The node selector or affinity of running pods no longer matches. They stay, unless their kubelet restarts: ${named(others)}.`,
    )
  return notes
}

/** Edits labels and taints of nodes, as kubectl label and kubectl taint do. */
export class NodeEdits {
  readonly #deps: NodeEditsDeps

  constructor(deps: NodeEditsDeps) {
    this.#deps = deps
  }

  async read(name: string): Promise<Result<NodeTexts, ActError>> {
    const node = await this.#node(name)
    return node.ok ? ok(nodeTexts(node.value)) : node
  }

  async forecast(args: Args): Promise<Result<NodeEditForecast, ActError>> {
    const node = await this.#node(args.node)
    if (!node.ok) return node
    const changes = changesOf(args)
    const none = { changes: [], evicted: [], stay: 0, notes: [], kubectl: [], isAllowed: false }
    if (!changes.ok) return ok({ ...none, refusal: changes.error })
    if (isEmpty(changes.value)) return ok({ ...none, refusal: 'Nothing is changed yet.' })
    const pods = this.#podsOn(args.node)
    const taints = taintsAfter(node.value, changes.value.taints)
    const evicted = evictedBy(pods, node.value.spec?.taints ?? [], taints)
    const refusal = this.#deps.readOnly()
    return ok({
      changes: changeLines(changes.value),
      evicted,
      stay: pods.length - evicted.length,
      notes: notesOf(node.value, changes.value, pods),
      kubectl: kubectlLines(args.node, this.#deps.context, changes.value),
      isAllowed: refusal === '',
      refusal,
    })
  }

  async act(args: Args): Promise<Result<Receipt, ActError>> {
    const refusal = this.#deps.readOnly()
    if (refusal !== '') return err({ kind: 'read-only', message: refusal })
    const changes = changesOf(args)
    if (!changes.ok) return err({ kind: 'refused', message: changes.error })
    if (isEmpty(changes.value)) return err({ kind: 'refused', message: 'Nothing is changed yet.' })
    return this.#write(args.node, changes.value, maxTries)
  }

  /** The resource version refuses it if another one has written the node since it was read. */
  async #write(name: string, changes: Changes, tries: number): Promise<Result<Receipt, ActError>> {
    const node = await this.#node(name)
    if (!node.ok) return node
    const { uid, resourceVersion } = node.value.metadata
    const { set, removed } = changes.labels
    const labels = { ...Object.fromEntries(set), ...nulls(removed) }
    const taints = taintsAfter(node.value, changes.taints)
    const body = {
      metadata: { uid, resourceVersion, labels },
      spec: { taints: taints.length === 0 ? null : taints },
    }
    const done = await this.#deps.api.patch({ resource: 'nodes', name }, { type: 'merge', body })
    if (done.ok) return ok({ message: `Changed labels and taints of ${name}` })
    if (done.error.kind === 'conflict' && tries > 1) return this.#write(name, changes, tries - 1)
    return err({ kind: 'failed', message: refusedWords(`Edit of ${name}`, done.error) })
  }

  async #node(name: string): Promise<Result<Node, ActError>> {
    const node = await this.#deps.api.get({ resource: 'nodes', name })
    if (node.ok) return node
    const kind = node.error.kind === 'not-found' ? 'not-found' : 'failed'
    return err({ kind, message: refusedWords(`Reading ${name}`, node.error) })
  }

  /** Those that a taint can evict. */
  #podsOn(node: string): readonly Pod[] {
    return [...this.#deps.pods.list()].filter(
      ({ metadata, spec, status }) =>
        spec.nodeName === node &&
        metadata.deletionTimestamp === undefined &&
        !isTerminalPhase(status?.phase),
    )
  }
}

function nulls(keys: ReadonlySet<string>): Readonly<Record<string, null>> {
  return Object.fromEntries([...keys].map((key) => [key, null]))
}
