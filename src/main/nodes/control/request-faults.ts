import { parseDuration } from '../../../shared/go/duration.ts'
import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import { systemClock } from '../../clock/system-clock.ts'
import type { Clock, Random } from '../../kubelet/ports.ts'
import type { SandboxApiServer } from '../../sandbox/api-server.ts'
import { expired, injectedError, statusResponse } from '../../sandbox/api-status.ts'
import type { Caller } from '../../sandbox/auth/caller.ts'
import { controlGroup } from '../../sandbox/control/control-types.ts'
import { requestInfo } from '../../sandbox/endpoints/request-info.ts'
import type { Verb } from '../../sandbox/endpoints/request-info.ts'
import type { Fault } from './faults.ts'

type Handle = SandboxApiServer['handle']

function matches(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`).test(text)
}

/** Faults of requests to the API server: it is slow, refuses, or has forgotten the version of a watch. */
export class RequestFaults {
  readonly #deps: {
    readonly server: { readonly handle: Handle }
    readonly clock: Clock
    readonly random: Random
  }
  /** Those that are about requests. */
  faults: readonly Fault[] = []

  constructor(deps: {
    readonly server: { readonly handle: Handle }
    readonly clock: Clock
    readonly random: Random
  }) {
    this.#deps = deps
  }

  /** As the server's own. The page is never refused, so that it can take faults back; nor are requests for nodescope.dev. */
  readonly handle: Handle = (request, caller) => {
    const { server } = this.#deps
    if (this.faults.length === 0 || caller.client === 'nodescope')
      return server.handle(request, caller)
    return this.#handle(request, caller)
  }

  async #handle(request: KubeRequest, caller: Caller): Promise<KubeResponse> {
    const { server, clock } = this.#deps
    const info = requestInfo(request)
    if (!info.ok || info.value.type.group === controlGroup) return server.handle(request, caller)
    const { verb } = info.value
    for (const fault of this.faults) {
      if (!this.#applies(fault, request, caller, verb)) continue
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
