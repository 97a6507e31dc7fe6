import {
  isJsonObject,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import type { Container } from '../../../shared/kubernetes/objects.ts'
import type { ProbeType } from '../../../shared/model/trace-event.ts'
import type { HttpHeader } from './pod-network.ts'

/** A number, or the name of one of the container's ports. */
export type PortReference = number | string

export interface HttpGetAction {
  readonly scheme: string
  /** Empty: the pod's address. */
  readonly host: string
  readonly port: PortReference
  readonly path: string
  readonly headers: readonly HttpHeader[]
}

/** What a probe or a hook does (core/v1 ProbeHandler, LifecycleHandler). */
export type HandlerSpec =
  | { readonly kind: 'exec'; readonly command: readonly string[] }
  | { readonly kind: 'httpGet'; readonly action: HttpGetAction }
  | { readonly kind: 'tcpSocket'; readonly host: string; readonly port: PortReference }
  | { readonly kind: 'grpc'; readonly port: number; readonly service: string }
  | { readonly kind: 'sleep'; readonly seconds: number }
  | { readonly kind: 'none' }

/** core/v1 Probe. */
export interface ProbeSpec {
  readonly handler: HandlerSpec
  readonly initialDelaySeconds: number
  readonly timeoutSeconds: number
  readonly periodSeconds: number
  readonly successThreshold: number
  readonly failureThreshold: number
}

const probeFields = {
  liveness: 'livenessProbe',
  readiness: 'readinessProbe',
  startup: 'startupProbe',
} as const

function portOf(action: JsonObject): PortReference {
  const port = action['port']
  return typeof port === 'string' ? port : (numberAt(action, 'port') ?? 0)
}

/** The handler of an object of the API; with several, the first in the order in which the kubelet asks for them. */
export function handlerSpecOf(handler: JsonObject): HandlerSpec {
  const at = (kind: string): JsonObject | undefined =>
    isJsonObject(handler[kind]) ? objectAt(handler, kind) : undefined
  const exec = at('exec')
  if (exec !== undefined) return { kind: 'exec', command: listAt(exec, 'command').map(String) }
  const get = at('httpGet')
  if (get !== undefined) {
    const headers = objectsAt(get, 'httpHeaders').map((header): HttpHeader => [
      textAt(header, 'name'),
      textAt(header, 'value'),
    ])
    const [scheme, host, path] = [textAt(get, 'scheme'), textAt(get, 'host'), textAt(get, 'path')]
    return { kind: 'httpGet', action: { scheme, host, port: portOf(get), path, headers } }
  }
  const tcp = at('tcpSocket')
  if (tcp !== undefined) return { kind: 'tcpSocket', host: textAt(tcp, 'host'), port: portOf(tcp) }
  const grpc = at('grpc')
  if (grpc !== undefined) {
    return { kind: 'grpc', port: numberAt(grpc, 'port') ?? 0, service: textAt(grpc, 'service') }
  }
  const sleep = at('sleep')
  return sleep === undefined
    ? { kind: 'none' }
    : { kind: 'sleep', seconds: numberAt(sleep, 'seconds') ?? 0 }
}

/** As `kubectl describe` writes a probe's handler (kubectl pkg/describe/describe.go DescribeProbe). */
export function handlerText(handler: HandlerSpec): string {
  switch (handler.kind) {
    case 'exec':
      return `exec [${handler.command.join(' ')}]`
    case 'httpGet': {
      const { scheme, host, port, path } = handler.action
      const start = `http-get ${(scheme || 'HTTP').toLowerCase()}://${host}:${port}`
      return path === '' ? start : `${start}${path.startsWith('/') ? '' : '/'}${path}`
    }
    case 'tcpSocket':
      return `tcp-socket ${handler.host}:${handler.port}`
    case 'grpc':
      return `grpc <pod>:${handler.port} ${handler.service}`.trimEnd()
    case 'sleep':
    case 'none':
      return 'unknown'
    default:
      return assertNever(handler, 'handler of a probe')
  }
}

/** The container's probe of that type; undefined when it has none. Absent numbers are the API's defaults. */
export function probeSpecOf(container: Container, type: ProbeType): ProbeSpec | undefined {
  const probe = container[probeFields[type]]
  if (!isJsonObject(probe)) return undefined
  return {
    handler: handlerSpecOf(probe),
    initialDelaySeconds: numberAt(probe, 'initialDelaySeconds') ?? 0,
    timeoutSeconds: numberAt(probe, 'timeoutSeconds') || 1,
    periodSeconds: numberAt(probe, 'periodSeconds') || 10,
    successThreshold: numberAt(probe, 'successThreshold') || 1,
    failureThreshold: numberAt(probe, 'failureThreshold') || 3,
  }
}
