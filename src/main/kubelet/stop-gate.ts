import { err } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { TraceSeq } from '../../shared/model/trace-event.ts'
import { aroundCalls, isForPages } from './around-calls.ts'
import type { HostFileError } from './host/host-files.ts'
import type {
  ApiClient,
  ApiError,
  ContainerHost,
  ImageService,
  Log,
  RuntimeError,
  RuntimeService,
  TokenClient,
  Trace,
} from './ports.ts'

const stoppedApi: ApiError = { kind: 'unavailable', message: 'the kubelet has stopped' }
const stoppedRuntime: RuntimeError = { kind: 'unavailable', message: 'the kubelet has stopped' }
const stoppedFiles: HostFileError = { kind: 'failed', message: 'the kubelet has stopped' }

/**
 * A kubelet that exits stops in the middle of its work and writes nothing. Here its workers may still be in a
 * call when it stops: from then on the gate refuses every call as `unavailable` and drops what goes to trace and
 * log. A call that is under way ends in the server or the runtime as usual.
 */
export class StopGate {
  #isStopped = false

  get isStopped(): boolean {
    return this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
  }

  api(api: ApiClient): ApiClient {
    return {
      get: (key, causes) => this.#api(() => api.get(key, causes)),
      list: (scope, causes) => this.#api(() => api.list(scope, causes)),
      create: (scope, object, causes) => this.#api(() => api.create(scope, object, causes)),
      update: (key, object, causes) => this.#api(() => api.update(key, object, causes)),
      patch: (key, patch, causes) => this.#api(() => api.patch(key, patch, causes)),
      delete: (key, options, causes) => this.#api(() => api.delete(key, options, causes)),
      evict: (key, options, causes) => this.#api(() => api.evict(key, options, causes)),
    }
  }

  tokenClient(client: TokenClient): TokenClient {
    return {
      createToken: (account, spec, causes) =>
        this.#api(() => client.createToken(account, spec, causes)),
    }
  }

  runtimeService(service: RuntimeService): RuntimeService {
    return this.#gated(service)
  }

  imageService(service: ImageService): ImageService {
    return this.#gated(service)
  }

  containerHost(host: ContainerHost | undefined): ContainerHost | undefined {
    if (host === undefined) return undefined
    const files = aroundCalls(
      host.files,
      (call) => call !== 'holdsPayload' && Promise.resolve(err(stoppedFiles)),
      () => !this.#isStopped,
    )
    return { ...host, files }
  }

  /** After the stop, `emit` returns the number of the last event. */
  trace(trace: Trace): Trace {
    let last: TraceSeq = 0
    return {
      emit: (event) => {
        if (!this.#isStopped) last = trace.emit(event)
        return last
      },
    }
  }

  log(log: Log): Log {
    const gated =
      (level: keyof Log): Log[keyof Log] =>
      (message, fields) => {
        if (!this.#isStopped) log[level](message, fields)
      }
    return {
      debug: gated('debug'),
      info: gated('info'),
      warn: gated('warn'),
      error: gated('error'),
    }
  }

  #api<T>(call: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> {
    return this.#isStopped ? Promise.resolve(err(stoppedApi)) : call()
  }

  #gated<T extends object>(service: T): T {
    return aroundCalls(
      service,
      () => Promise.resolve(err(stoppedRuntime)),
      (call) => !this.#isStopped || isForPages(call),
    )
  }
}
