import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ActError, Receipt, Requests } from '../../../shared/ipc/contract.ts'
import { dnsSubdomainProblems } from '../../../shared/kubernetes/validation/name-rules.ts'
import type { JoinPlan } from '../../../shared/model/seen/join.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { ClusterAccess } from '../../cluster/kubeconfig/kubeconfig.ts'
import { fileErrorText } from '../../files/file-error.ts'
import { clusterIdOf } from '../cluster/cluster-id.ts'
import type { JoinConfig } from '../cluster/joined-cluster.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'
import type { SessionConfig } from '../session-config.ts'
import type { ClusterPorts } from '../session-ports.ts'

/** Nodes that pages have joined, at a time, at most: each is a whole kubelet. */
const maxJoined = 4

/** Nothing waits for the program's exit here, so that a slow server has time. */
const leaveLimitMs = 15_000

/** What joining needs of a cluster that is looked at. */
export interface Joinable {
  readonly access: ClusterAccess
  /** Why nothing may be changed, in one sentence; empty if it may. */
  readonly refusal: () => string
  /** A change has begun. */
  readonly extend: () => void
}

interface PageJoinsDeps {
  readonly config: SessionConfig
  readonly ports: Omit<ClusterPorts, 'recording'>
  /** By the id of the cluster that is looked at. */
  readonly joinable: (cluster: string) => Joinable | undefined
  readonly onOpen: (cluster: OpenCluster) => void
  readonly onClose: (id: string) => void
  /** An id like this one that no open cluster has. */
  readonly freeId: (wanted: string) => string
}

interface Entry {
  /** Of the cluster that is looked at. */
  readonly of: string
  readonly node: string
  readonly cluster: OpenCluster
  readonly access: ClusterAccess
  readonly exit: { agentExitCondition: boolean; deleteNode: boolean; limitMs: number }
}

type JoinArgs = Requests['cluster.join']['args']

/** Joins the clusters that are looked at as a simulated node, as `--node` does, and ends that again. */
export class PageJoins {
  readonly #deps: PageJoinsDeps
  readonly #open = new Map<string, Entry>()
  /** Cluster and node of what is joining now. */
  readonly #joining = new Set<string>()
  #isStopped = false

  constructor(deps: PageJoinsDeps) {
    this.#deps = deps
  }

  /** Reads only. */
  async check(args: JoinArgs): Promise<Result<JoinPlan, ActError>> {
    const target = this.#target(args)
    if (!target.ok) return target
    const config = this.#configOf(args, newExit())
    // Imported late: a cluster that is only looked at needs no kubelet.
    const { checkJoin } = await import('../cluster/joined-cluster.ts')
    const report = await checkJoin(config, target.value.access)
    const { manifestsPath } = config
    return ok(
      report.ok
        ? { lines: report.value.lines, refusal: '', needsAllowSimulated: false, manifestsPath }
        : {
            lines: report.error.lines,
            refusal: report.error.message,
            needsAllowSimulated: report.error.kind === 'needs-allow-simulated',
            manifestsPath,
          },
    )
  }

  /** Answers when the node is there, which first waits until no other kubelet holds its lease. */
  async join(args: JoinArgs): Promise<Requests['cluster.join']['reply']> {
    const target = this.#target(args)
    if (!target.ok) return target
    if (this.#open.size + this.#joining.size >= maxJoined)
      return refused('refused', `${maxJoined} nodes have joined. End one first.`)
    const exit = newExit()
    const { access } = target.value
    const place = `${args.cluster}/${args.node}`
    this.#joining.add(place)
    try {
      const opened = await this.#join(this.#configOf(args, exit), target.value)
      if (!opened.ok) return opened
      const cluster = opened.value
      const { cluster: of, node } = args
      this.#open.set(cluster.session.id, { of, node, cluster, access, exit })
      this.#deps.onOpen(cluster)
      return ok({ cluster: cluster.session.id })
    } finally {
      this.#joining.delete(place)
    }
  }

  /**
   * Ends a node. Without `deleteNode` nothing is written, as when a kubelet ends. An error if the Node should be deleted
   * and is still there, or if that is not known; the node has ended all the same.
   */
  async leave(id: string, deleteNode: boolean): Promise<Result<Receipt, ActError>> {
    const entry = this.#open.get(id)
    if (entry === undefined) return refused('not-found', 'No page has joined this cluster.')
    this.#open.delete(id)
    entry.exit.deleteNode = deleteNode
    const { label, nodes } = entry.cluster.session.view()
    const hasStarted = nodes.some(({ agent }) => agent === 'running')
    await entry.cluster.stop()
    this.#deps.onClose(id)
    if (!hasStarted)
      return ok({
        message: `${entry.node} has left ${label}. It had not started: nothing was written.`,
      })
    const left = deleteNode ? await nodeProblem(entry) : ''
    if (left === '') return ok({ message: `${entry.node} has left ${label}` })
    return refused('failed', `${entry.node} has left ${label}, but ${left}.`)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(Array.from(this.#open.keys(), async (id) => this.leave(id, false)))
  }

  #target({ cluster, node }: JoinArgs): Result<Joinable, ActError> {
    const target = this.#deps.joinable(cluster)
    if (target === undefined) return refused('not-found', 'This cluster is no longer open.')
    const refusal = target.refusal()
    if (refusal !== '') return refused('read-only', refusal)
    const [problem] = dnsSubdomainProblems(node)
    if (problem !== undefined)
      return refused('refused', `"${node}" is not the name of a node: ${problem}.`)
    const isJoined = [...this.#open.values()].some((one) => one.of === cluster && one.node === node)
    return isJoined || this.#joining.has(`${cluster}/${node}`)
      ? refused('refused', `${node} has joined already. Choose another name.`)
      : ok(target)
  }

  async #join(
    config: JoinConfig,
    { access, extend }: Joinable,
  ): Promise<Result<OpenCluster, ActError>> {
    try {
      await mkdir(config.manifestsPath, { recursive: true })
    } catch (error) {
      const reason = fileErrorText(error)
      return refused('failed', `The folder ${config.manifestsPath} cannot be created: ${reason}.`)
    }
    const id = this.#deps.freeId(`${clusterIdOf(access.contextName)} ${config.nodeName}`)
    const ports = { ...this.#deps.ports, recording: undefined }
    const { joinWithAccess } = await import('../cluster/joined-cluster.ts')
    const opened = await joinWithAccess(config, access, ports, id)
    if (!opened.ok) return refused('refused', opened.error.message)
    if (this.#isStopped) {
      await opened.value.stop()
      return refused('refused', 'Nodescope is shutting down.')
    }
    extend()
    return opened
  }

  /** As of `--kubeconfig --node`, with a manifest folder of the node's own. */
  #configOf({ cluster, node, allowSimulated }: JoinArgs, exit: Entry['exit']): JoinConfig {
    const { config } = this.#deps
    const manifestsPath = join(config.dataFolder, 'joined', cluster, node, 'manifests')
    return {
      ...config,
      nodeName: node,
      nodes: 1,
      readOnly: false,
      manifestsPath,
      manifestUrl: null,
      recordPath: null,
      configuration:
        config.configuration === undefined
          ? undefined
          : { ...config.configuration, staticPodPath: manifestsPath },
      cluster: { kind: 'kubeconfig', path: '', context: null, allowSimulated, exit },
    }
  }
}

function newExit(): Entry['exit'] {
  return { agentExitCondition: false, deleteNode: false, limitMs: leaveLimitMs }
}

/** Why the Node is not known to be deleted, as the end of a sentence; empty if it is. */
async function nodeProblem({ access, node: name }: Entry): Promise<string> {
  const transport = access.createTransport()
  try {
    const read = await new TransportApiClient({ transport }).get({ resource: 'nodes', name })
    if (!read.ok && read.error.kind === 'not-found') return ''
    const why = read.ok
      ? 'its Node is still there'
      : `whether its Node is deleted is not known (${read.error.message.replace(/[.\s]+$/, '')})`
    return `${why}: delete it with kubectl delete node ${name}`
  } finally {
    await transport.close()
  }
}

function refused(kind: ActError['kind'], message: string): Result<never, ActError> {
  return err({ kind, message })
}
