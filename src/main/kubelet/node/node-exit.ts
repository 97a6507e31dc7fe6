/** What an agent may do to its Node on exit (node#exit; Nodescope's --delete-node-on-exit, --agent-exit-condition). */
import type { Node, NodeCondition } from '../../../shared/kubernetes/objects.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { TraceSubject } from '../../../shared/model/trace-event.ts'
import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { sleep } from '../container/deferred.ts'
import type { ApiClient, ApiError, ApiErrorKind, CorePorts } from '../ports.ts'
import { withCondition } from '../status/conditions.ts'
import { nodePatch } from './node-status.ts'

/** A kubelet does neither. */
export interface NodeExitOptions {
  /** Ready turns False with the reason AgentExit, and the node is cordoned; it stays so until the next start, and cordoned after it. */
  readonly agentExitCondition: boolean
  readonly deleteNode: boolean
  /** ms on the clock; default 3 s. An exit must not hang on a server that is away. */
  readonly limitMs?: number
}

const defaultLimitMs = 3000
const retryMs = 200

/** What may be otherwise a moment later. */
const passing: ReadonlySet<ApiErrorKind> = new Set([
  'unavailable',
  'timeout',
  'too-many-requests',
  'conflict',
])

const subject: TraceSubject = { kind: 'node' }

type ExitAct = 'condition' | 'cordon' | 'delete'

/** One exit: used once. */
export class NodeExit {
  readonly #deps: NodeExitDeps
  #isOver = false

  constructor(deps: NodeExitDeps) {
    this.#deps = deps
  }

  /**
   * Resolves when all is done or given up, or at the limit; does nothing where `isNodeThere` says that there is no
   * Node of ours, or does not resolve in time. Each act leaves its event, also one that failed.
   */
  async run(isNodeThere: Promise<boolean>): Promise<void> {
    let cancelLimit = (): void => undefined
    const { clock, exit } = this.#deps
    const limit = new Promise<void>((resolve) => {
      cancelLimit = clock.after(exit.limitMs ?? defaultLimitMs, resolve)
    })
    await Promise.race([isNodeThere.then((isThere) => this.#leave(isThere)), limit])
    cancelLimit()
    this.#isOver = true
  }

  async #leave(isNodeThere: boolean): Promise<void> {
    if (!isNodeThere) return
    const { agentExitCondition, deleteNode } = this.#deps.exit
    if (agentExitCondition) {
      await this.#try('condition', () => this.#markExit())
      await this.#try('cordon', () => this.#cordon())
    }
    if (deleteNode) await this.#try('delete', () => this.#delete())
  }

  async #markExit(): Promise<Result<unknown, ApiError>> {
    const { api, clock } = this.#deps
    const read = await api.get(this.#key())
    if (!read.ok) return read
    const body = nodePatch(read.value, withExit(read.value, toTimestamp(clock.now())))
    return api.patch(this.#key(), { type: 'strategic', subresource: 'status', body })
  }

  #cordon(): Promise<Result<unknown, ApiError>> {
    const body = { spec: { unschedulable: true } }
    return this.#deps.api.patch(this.#key(), { type: 'strategic', body })
  }

  async #delete(): Promise<Result<unknown, ApiError>> {
    const deleted = await this.#deps.api.delete(this.#key(), {})
    return !deleted.ok && deleted.error.kind === 'not-found' ? ok(undefined) : deleted
  }

  async #try(act: ExitAct, call: () => Promise<Result<unknown, ApiError>>): Promise<void> {
    const { clock, trace, log } = this.#deps
    while (!this.#isOver) {
      const done = await call()
      if (done.ok) {
        trace.emit({ kind: 'node.left', subject, causes: [], data: { act } })
        return
      }
      const { kind, message } = done.error
      log.warn('node not left as asked', { act, message })
      trace.emit({ kind: 'node.leaveFailed', subject, causes: [], data: { act, message } })
      if (!passing.has(kind)) return
      await sleep(clock, retryMs)
    }
  }

  #key(): { readonly resource: 'nodes'; readonly name: string } {
    return { resource: 'nodes', name: this.#deps.nodeName }
  }
}

export interface NodeExitDeps extends CorePorts {
  readonly nodeName: string
  readonly exit: NodeExitOptions
  readonly api: ApiClient
}

/** The Node with Ready False, in the place of its Ready. */
function withExit(node: Node, now: string): Node {
  const { conditions = [] } = node.status ?? {}
  const known = conditions.find(({ type }) => type === 'Ready')
  const ready: NodeCondition = {
    type: 'Ready',
    status: 'False',
    lastHeartbeatTime: now,
    lastTransitionTime: known?.status === 'False' ? (known.lastTransitionTime ?? now) : now,
    reason: 'AgentExit',
    message: 'Node not ready due to agent exited',
  }
  return { ...node, status: { ...node.status, conditions: withCondition(conditions, ready) } }
}
