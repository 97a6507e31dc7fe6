import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../ports.ts'
import { refusingNetwork } from './refusing-network.ts'
import type {
  GrpcHealthCheckError,
  GrpcHealthCheckRequest,
  GrpcServingStatus,
  HttpGetRequest,
  HttpGetResponse,
  PodNetwork,
} from './pod-network.ts'

/** A network for tests: answers as it is told to, refuses the rest, and keeps what it was asked. */
export class FakePodNetwork implements PodNetwork {
  readonly gets: HttpGetRequest[] = []
  readonly connects: { readonly host: string; readonly port: number }[] = []
  readonly checks: GrpcHealthCheckRequest[] = []
  /** Answers of `httpGet`, by `host:port`. */
  readonly http = new Map<
    string,
    (request: HttpGetRequest) => Result<Partial<HttpGetResponse>, string>
  >()
  /** Answers of `tcpConnect`, by `host:port`. */
  readonly tcp = new Map<string, Result<undefined, string>>()
  /** Answers of `grpcHealthCheck`, by `host:port`. */
  readonly grpc = new Map<string, Result<GrpcServingStatus, GrpcHealthCheckError>>()
  readonly #closed: PodNetwork

  constructor(clock: Clock) {
    this.#closed = refusingNetwork(clock)
  }

  readonly httpGet: PodNetwork['httpGet'] = (request) => {
    this.gets.push(request)
    const answer = this.http.get(`${request.host}:${request.port}`)?.(request)
    if (answer === undefined) return this.#closed.httpGet(request)
    if (!answer.ok) return Promise.resolve(answer)
    return Promise.resolve(ok({ statusCode: 200, body: '', headers: [], ...answer.value }))
  }

  readonly tcpConnect: PodNetwork['tcpConnect'] = (destination) => {
    this.connects.push({ host: destination.host, port: destination.port })
    const answer = this.tcp.get(`${destination.host}:${destination.port}`)
    return answer === undefined ? this.#closed.tcpConnect(destination) : Promise.resolve(answer)
  }

  readonly grpcHealthCheck: PodNetwork['grpcHealthCheck'] = (request) => {
    this.checks.push(request)
    const answer = this.grpc.get(`${request.host}:${request.port}`)
    return answer === undefined ? this.#closed.grpcHealthCheck(request) : Promise.resolve(answer)
  }
}
