import { parseDuration } from '../../../shared/go/duration.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { KubeRequest, KubeResponse, WatchStream } from '../../../shared/kubernetes/request.ts'
import { systemClock } from '../../clock/system-clock.ts'
import type { Clock, Random } from '../../kubelet/ports.ts'
import type { ResourceRegistry } from '../../sandbox/registry/resource-registry.ts'
import type { SandboxApiServer } from '../../sandbox/api-server.ts'
import { expired, injectedError, statusResponse } from '../../sandbox/api-status.ts'
import type { Caller } from '../../sandbox/auth/caller.ts'
import { controlGroup } from '../../sandbox/control/control-types.ts'
import { requestInfo } from '../../sandbox/endpoints/request-info.ts'
import type { Verb } from '../../sandbox/endpoints/request-info.ts'
import type { Fault } from '../../../shared/model/node/fault.ts'

type Handle = SandboxApiServer['handle']

/** Without it kubectl cannot take an outage back. */
const discoveryPath = /^\/(api|apis|openapi)(\/|$)/

/** Whether a text fits a pattern in which `*` stands for any text. */
export function matches(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`).test(text)
}

/** Faults of requests to the API server: it is slow, refuses, or has forgotten the version of a watch. */
export class RequestFaults {
  readonly #deps: {
    readonly server: { readonly handle: Handle; readonly registry: ResourceRegistry }
    readonly clock: Clock
    readonly random: Random
  }
  /** Of controllers and of clients outside; a kubelet's are dropped at its own end. */
  readonly #watches = new Map<WatchStream, string>()
  /** Those that are about requests. */
  faults: readonly Fault[] = []

  constructor(deps: {
    readonly server: { readonly handle: Handle; readonly registry: ResourceRegistry }
    readonly clock: Clock
    readonly random: Random
  }) {
    this.#deps = deps
  }

  /** As the server's own. The page is never refused, so that it can take faults back; nor are requests for nodescope.dev. */
  readonly handle: Handle = (request, caller) => {
    const { server } = this.#deps
    if (caller.client === 'nodescope') return server.handle(request, caller)
    const answer =
      this.faults.length === 0 ? server.handle(request, caller) : this.#handle(request, caller)
    if (caller.client === 'kubelet' || request.query?.['watch'] === undefined) return answer
    return answer.then((response) => this.#followed(response, caller))
  }

  get isOutage(): boolean {
    return this.faults.some(({ type }) => type === 'Outage')
  }

  get registry(): ResourceRegistry {
    return this.#deps.server.registry
  }

  /** Closes the watches of users that the pattern fits; absent: of all. */
  dropWatches(user?: string): void {
    for (const [stream, of] of this.#watches) if (matches(user, of)) stream.stop()
  }

  /** Throws as if nothing listened, during an outage. */
  readonly refuseInOutage = (): void => {
    if (this.isOutage)
      throw new TransportError(
        'unavailable',
        'The API server refused the connection: nothing listens there.',
        { isUnsent: true },
      )
  }

  #followed(response: KubeResponse, { user }: Caller): KubeResponse {
    if (response.kind !== 'watch') return response
    const { stream } = response
    this.#watches.set(stream, user)
    stream.onEnd?.(() => this.#watches.delete(stream))
    return response
  }

  async #handle(request: KubeRequest, caller: Caller): Promise<KubeResponse> {
    const { server, clock } = this.#deps
    const info = requestInfo(request, server.registry)
    if (info.ok && info.value.type.group === controlGroup) return server.handle(request, caller)
    if (!info.ok) {
      if (!discoveryPath.test(request.path)) this.refuseInOutage()
      return server.handle(request, caller)
    }
    this.refuseInOutage()
    const { verb } = info.value
    for (const fault of this.faults) {
      if (fault.type === 'Outage' || !this.#applies(fault, request, caller, verb)) continue
      if (fault.type === 'Error')
        return statusResponse(
          injectedError(
            fault.code ?? 500,
            fault.message ?? 'this request was made to fail in Nodescope',
          ),
        )
      if (fault.type === 'Gone')
        return statusResponse(expired('too old resource version: made so in Nodescope'))
      // kubectl waits in real time: while the clock is paused it would wait for ever.
      const waits = caller.user.startsWith('system:') ? clock : systemClock
      await new Promise<void>((resolve) => {
        waits.after(parseDuration(fault.latency ?? '') ?? 0, resolve)
      })
    }
    return server.handle(request, caller)
  }

  #applies(fault: Fault, request: KubeRequest, caller: Caller, verb: Verb): boolean {
    if (fault.type === 'Gone' && verb !== 'watch') return false
    if (fault.verbs !== undefined && !fault.verbs.includes(verb)) return false
    if (!matches(fault.path, request.path) || !matches(fault.user, caller.user)) return false
    return fault.share === undefined || this.#deps.random.next() < fault.share
  }
}
