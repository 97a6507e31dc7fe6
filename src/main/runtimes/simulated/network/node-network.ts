import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'
import { sleep } from '../../../kubelet/container/deferred.ts'
import type { Clock } from '../../../kubelet/ports.ts'
import { joinHostPort } from '../../../kubelet/probe/host-port.ts'
import type {
  GrpcHealthCheckError,
  GrpcHealthCheckRequest,
  GrpcServingStatus,
  HttpGetRequest,
  HttpGetResponse,
  PodNetwork,
} from '../../../kubelet/probe/pod-network.ts'
import { connectionTo } from './connection.ts'
import type { NetworkPlace } from './connection.ts'
import type { Listener } from './listener.ts'

/** Linux gives up after its sixth SYN. */
const connectLimitMs = 127_000
/** Of a body; the kubelet reads no more. */
const maxBody = 10 * 1024

/** The simulated network as the kubelet of a node reaches it. */
export class NodeNetwork implements PodNetwork {
  readonly #clock: Clock
  readonly #place: NetworkPlace
  /** The node's address as pods see it. */
  readonly #address: string

  constructor(deps: {
    readonly clock: Clock
    readonly place: NetworkPlace
    readonly address: string
  }) {
    this.#clock = deps.clock
    this.#place = deps.place
    this.#address = deps.address
  }

  async httpGet(request: HttpGetRequest): Promise<Result<HttpGetResponse, string>> {
    const { scheme, path, headers } = request
    const listener = await this.#connect(request)
    if (!listener.ok) return listener
    const { http } = listener.value
    if (http === undefined) return err('EOF')
    if (scheme === 'https') return err('http: server gave HTTP response to HTTPS client')
    const answer = http({ method: 'GET', path, headers, from: this.#address })
    if (answer === undefined) return err('EOF')
    const { statusCode, body, headers: answered = [] } = answer
    return ok({ statusCode, body: body.slice(0, maxBody), headers: answered })
  }

  async tcpConnect(
    destination: Parameters<PodNetwork['tcpConnect']>[0],
  ): Promise<Result<undefined, string>> {
    const listener = await this.#connect(destination)
    if (!listener.ok) return listener
    if (listener.value.isFailing?.() === true) return err(refusal(destination))
    listener.value.onConnect?.()
    return ok(undefined)
  }

  async grpcHealthCheck(
    request: GrpcHealthCheckRequest,
  ): Promise<Result<GrpcServingStatus, GrpcHealthCheckError>> {
    const found = connectionTo(this.#place, addressOf(request.host), request.port)
    if (typeof found !== 'string' && found.health !== undefined)
      return found.health(request.service)
    await sleep(this.#clock, request.timeoutMs)
    return err({ kind: 'not-connected' })
  }

  async #connect({
    host,
    port,
    timeoutMs,
  }: Pick<HttpGetRequest, 'host' | 'port' | 'timeoutMs'>): Promise<Result<Listener, string>> {
    const found = connectionTo(this.#place, addressOf(host), port)
    if (typeof found !== 'string') return ok(found)
    if (found === 'refused') return err(refusal({ host, port }))
    if (!/^[\d.]+$|:/.test(host)) return err(`dial tcp: lookup ${host}: no such host`)
    const dial = dialTo({ host, port })
    await sleep(this.#clock, Math.min(timeoutMs, connectLimitMs))
    return err(
      timeoutMs < connectLimitMs ? `${dial} i/o timeout` : `${dial} connect: connection timed out`,
    )
  }
}

function dialTo({ host, port }: Pick<HttpGetRequest, 'host' | 'port'>): string {
  return `dial tcp ${joinHostPort(addressOf(host), port)}:`
}

function refusal(destination: Pick<HttpGetRequest, 'host' | 'port'>): string {
  return `${dialTo(destination)} connect: connection refused`
}

function addressOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host
}
