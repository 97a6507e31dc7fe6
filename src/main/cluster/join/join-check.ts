import { isJsonObject, listAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Node, Taint } from '../../../shared/kubernetes/objects.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ApiError } from '../../kubelet/ports.ts'
import { callApi } from '../client/api-call.ts'
import { TransportApiClient } from '../client/api-client.ts'
import { selfReview } from '../client/self-review.ts'
import type { SelfReview } from '../client/self-review.ts'
import { nodeShouldRunDaemonPod } from './daemon-set-match.ts'
import type { NodeFacts } from './daemon-set-match.ts'
import type { ClusterAccess } from '../kubeconfig/kubeconfig.ts'

export interface JoinRequest {
  readonly access: ClusterAccess
  readonly nodeName: string
  readonly taints: readonly Taint[]
  /** The node's labels; default: those of a Linux node of that name. */
  readonly labels?: Readonly<Record<string, string>>
  /** The user said that a simulated node may join a server that is not on loopback. */
  readonly allowSimulated: boolean
}

/** The effect of joining. `lines`: one fact each, to be printed before the node joins. */
export interface JoinReport {
  readonly lines: readonly string[]
  /** Namespace/name of the DaemonSets that would create a pod there; undefined if they could not be listed. */
  readonly daemonSets: readonly string[] | undefined
}

/**
 * Why the node does not join; `message` is one sentence, `lines` are the facts found before. `unreachable`: no response;
 * `refused`: credentials or permissions; `node-in-use`: another node has that name; `needs-allow-simulated`: not on
 * loopback. The program exits with code 2.
 */
export interface JoinError {
  readonly kind: 'unreachable' | 'refused' | 'node-in-use' | 'needs-allow-simulated'
  readonly message: string
  readonly lines: readonly string[]
}

/** Nodescope's own nodes have this taint key, or a label of that name. */
const agentKey = 'nodescope.dev/agent'

function defaultLabels(nodeName: string): Readonly<Record<string, string>> {
  return {
    'kubernetes.io/hostname': nodeName,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
  }
}

/** Finds out, with reads only, the user's identity on the server and what would happen to the node. */
export async function describeJoin(request: JoinRequest): Promise<Result<JoinReport, JoinError>> {
  const transport = request.access.createTransport()
  try {
    return await new JoinCheck(request, transport).run()
  } finally {
    await transport.close()
  }
}

class JoinCheck {
  readonly #request: JoinRequest
  readonly #transport: Transport
  readonly #api: TransportApiClient
  readonly #lines: string[] = []
  #facts: NodeFacts

  constructor(request: JoinRequest, transport: Transport) {
    this.#request = request
    this.#transport = transport
    this.#api = new TransportApiClient({ transport })
    const { nodeName, taints, labels = defaultLabels(nodeName) } = request
    this.#facts = { name: nodeName, labels, taints }
  }

  async run(): Promise<Result<JoinReport, JoinError>> {
    const { access, allowSimulated, nodeName } = this.#request
    const isAllowed = access.isLoopback || allowSimulated
    const found =
      isAllowed || access.plugin === undefined ? await this.#inspect() : this.#withoutPlugin()
    if (isAllowed) return found
    // Even if the server does not respond.
    if (!found.ok) this.#lines.push(`warning ${found.error.message}`)
    const message = `${access.server} is not on this machine: pods scheduled to a simulated node there do not really run. Pass --allow-simulated to join "${nodeName}" anyway.`
    return this.#stop('needs-allow-simulated', message)
  }

  /** Runs no program for a join that is refused anyway. */
  #withoutPlugin(): Result<never, JoinError> {
    const { server, contextName, plugin = '' } = this.#request.access
    this.#lines.push(`server ${server}, context ${contextName}`)
    const message = `The server is not contacted, because that would run the credential plugin of the kubeconfig: ${plugin}`
    return this.#stop('needs-allow-simulated', message)
  }

  async #inspect(): Promise<Result<JoinReport, JoinError>> {
    const server = await this.#server()
    if (server !== undefined) return server
    await this.#user()
    const node = await this.#node()
    if (node !== undefined) return node
    const daemonSets = await this.#daemonSets()
    return ok({ lines: [...this.#lines], daemonSets })
  }

  #stop(kind: JoinError['kind'], message: string): Result<never, JoinError> {
    return err({ kind, message, lines: [...this.#lines] })
  }

  #failed(error: ApiError, doing: string): Result<never, JoinError> {
    if (error.code === undefined) return this.#stop('unreachable', error.message)
    const reason = error.message.replace(/[.\s]+$/, '')
    const { server, userName } = this.#request.access
    switch (error.kind) {
      case 'unauthorized':
        return this.#stop(
          'refused',
          `${server} refuses the credentials of "${userName}": ${reason}.`,
        )
      case 'forbidden':
        return this.#denied(doing, `: ${reason}`)
      default:
        return this.#stop('unreachable', `${server} does not respond: ${reason}.`)
    }
  }

  #denied(doing: string, reason = ''): Result<never, JoinError> {
    const { server, userName } = this.#request.access
    return this.#stop('refused', `${server} does not allow "${userName}" to ${doing}${reason}.`)
  }

  async #server(): Promise<Result<never, JoinError> | undefined> {
    const { access } = this.#request
    const version = await callApi(this.#transport, { method: 'GET', path: '/version' })
    const gitVersion =
      version.ok && isJsonObject(version.value) ? textAt(version.value, 'gitVersion') : ''
    const named = gitVersion === '' ? '' : ` (Kubernetes ${gitVersion})`
    this.#lines.push(`server ${access.server}${named}, context ${access.contextName}`)
    if (!access.isVerified)
      this.#lines.push('warning the certificate of this server is not checked')
    if (version.ok || version.error.kind === 'forbidden') return undefined
    if (version.error.kind === 'not-found') {
      const message = `${access.server} responds, but is not a Kubernetes API server.`
      return this.#stop('unreachable', message)
    }
    return this.#failed(version.error, 'ask for its version')
  }

  async #user(): Promise<void> {
    const status = await this.#review({ kind: 'SelfSubjectReview' })
    const user = objectAt(status, 'userInfo')
    const name = textAt(user, 'username')
    // Servers before 1.28 have no SelfSubjectReview, and some forbid it.
    if (name === '') {
      const { userName } = this.#request.access
      this.#lines.push(
        `user ${userName} (from the kubeconfig; the server does not report the user)`,
      )
      return
    }
    const groups = listAt(user, 'groups').map(String)
    this.#lines.push(`user ${name}${groups.length === 0 ? '' : ` (groups ${groups.join(', ')})`}`)
  }

  async #node(): Promise<Result<never, JoinError> | undefined> {
    const { nodeName, taints } = this.#request
    const node = await this.#api.get({ resource: 'nodes', name: nodeName })
    if (!node.ok) {
      if (node.error.kind !== 'not-found') return this.#failed(node.error, 'read nodes')
      if (await this.#isDenied({ verb: 'create' }))
        return this.#denied(`create the node "${nodeName}"`)
      const tainted = taints.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`)
      const how = tainted.length === 0 ? 'without a taint' : `with the taint ${tainted.join(', ')}`
      this.#lines.push(`node ${nodeName} will be created, ${how}`)
      return undefined
    }
    if (await this.#isDenied({ verb: 'patch', subresource: 'status' }))
      return this.#denied(`write the status of the node "${nodeName}"`)
    // The kubelet updates labels when it registers; it sets taints only when it creates the Node.
    const labels = { ...node.value.metadata.labels, ...this.#facts.labels }
    this.#facts = { name: nodeName, labels, taints: node.value.spec?.taints ?? [] }
    const pods = await this.#podCount()
    if (isOurs(node.value)) {
      this.#lines.push(`node ${nodeName} already exists, created by Nodescope${pods}`)
      return undefined
    }
    this.#lines.push(`node ${nodeName} already exists, not created by Nodescope${pods}`)
    if (await this.#isReadyWithoutLease(node.value)) {
      const message = `The node "${nodeName}" is Ready and was not created by Nodescope; choose another name with --node.`
      return this.#stop('node-in-use', message)
    }
    this.#lines.push(
      `warning node ${nodeName} and its pods will be taken over, unless its lease shows a running kubelet`,
    )
    return undefined
  }

  /** Without that permission the node would wait forever, with the reason only in the log. False if the server gives no review. */
  async #isDenied(act: { readonly verb: string; readonly subresource?: string }): Promise<boolean> {
    const resourceAttributes = { ...act, resource: 'nodes', name: this.#request.nodeName }
    const status = await this.#review({
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    })
    return status['allowed'] === false
  }

  /** The status of a review; empty if the server gives none. */
  async #review(review: SelfReview): Promise<JsonObject> {
    const status = await selfReview(this.#transport, review)
    return status.ok ? status.value : {}
  }

  /** `LeaseGuard` checks a lease. Without one, the Ready condition is the only sign of another kubelet. */
  async #isReadyWithoutLease(node: Node): Promise<boolean> {
    const { name } = node.metadata
    const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')
    if (ready?.status !== 'True') return false
    const lease = await this.#api.get({ resource: 'leases', namespace: 'kube-node-lease', name })
    return !lease.ok && lease.error.kind === 'not-found'
  }

  async #podCount(): Promise<string> {
    const pods = await this.#api.list({
      resource: 'pods',
      fieldSelector: `spec.nodeName=${this.#request.nodeName}`,
    })
    return pods.ok ? `, with ${pods.value.length} ${pods.value.length === 1 ? 'pod' : 'pods'}` : ''
  }

  async #daemonSets(): Promise<readonly string[] | undefined> {
    const all = await this.#api.list({ resource: 'daemonsets' })
    if (!all.ok) {
      this.#lines.push(`daemonsets unknown: ${all.error.message}`)
      return undefined
    }
    const landing = all.value
      .filter((daemonSet) => nodeShouldRunDaemonPod(daemonSet, this.#facts))
      .map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)
      .toSorted()
    if (landing.length === 0) {
      const of =
        all.value.length === 0
          ? 'there is none'
          : `none of ${all.value.length} schedules a pod here`
      this.#lines.push(`daemonsets ${of}`)
    }
    for (const name of landing) this.#lines.push(`daemonset ${name} will schedule a pod here`)
    return landing
  }
}

function isOurs(node: Node): boolean {
  const isTainted = node.spec?.taints?.some(({ key }) => key === agentKey) === true
  return isTainted || node.metadata.labels?.[agentKey] !== undefined
}
