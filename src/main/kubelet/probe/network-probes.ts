import { formatDuration } from '../../../shared/go/duration.ts'
import { goQuote } from '../../../shared/go/text.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Clock } from '../ports.ts'
import { joinHostPort } from './host-port.ts'
import { httpGet } from './http-client.ts'
import { userAgentVersion } from './http-request.ts'
import type { HttpRequest } from './http-request.ts'
import type { PodNetwork } from './pod-network.ts'
import { probeError, probed } from './probe-outcome.ts'
import type { ProbeOutcome } from './probe-outcome.ts'

interface NetworkProbeDeps {
  readonly network: PodNetwork
  readonly clock: Clock
}

/** pkg/probe/http/http.go DoHTTPProbe. */
export async function httpProbe(
  deps: NetworkProbeDeps,
  request: HttpRequest,
  timeoutMs: number,
  causes: TraceCauses,
): Promise<ProbeOutcome> {
  const response = await httpGet(deps, request, timeoutMs, causes)
  if (!response.ok) return probed('failure', response.error.message)
  const { statusCode, body, bodyError } = response.value
  if (bodyError !== undefined) return probeError('failure', bodyError)
  if (statusCode >= 200 && statusCode < 300) return probed('success', body)
  if (statusCode >= 300 && statusCode < 400)
    return probed('warning', `Probe terminated redirects, Response body: ${body}`)
  return probed('failure', `HTTP probe failed with statuscode: ${statusCode}`)
}

interface Target {
  readonly host: string
  readonly port: number
  readonly timeoutMs: number
}

/** pkg/probe/tcp/tcp.go DoTCPProbe. */
export async function tcpProbe(
  { network }: NetworkProbeDeps,
  target: Target,
  causes: TraceCauses,
): Promise<ProbeOutcome> {
  const connected = await network.tcpConnect(target, causes)
  return connected.ok ? probed('success', '') : probed('failure', connected.error)
}

/** pkg/probe/grpc/grpc.go grpcProber.Probe. */
export async function grpcProbe(
  { network }: NetworkProbeDeps,
  target: Target & { readonly service: string },
  causes: TraceCauses,
): Promise<ProbeOutcome> {
  const userAgent = `kube-probe/${userAgentVersion}`
  const checked = await network.grpcHealthCheck({ ...target, userAgent }, causes)
  if (checked.ok) {
    return checked.value === 'SERVING'
      ? probed('success', 'service healthy')
      : probed('failure', `service unhealthy (responded with ${goQuote(checked.value)})`)
  }
  const within = formatDuration(target.timeoutMs)
  if (checked.error.kind === 'not-connected') {
    const address = goQuote(joinHostPort(target.host, target.port))
    const why = 'context deadline exceeded'
    return probed(
      'failure',
      `timeout: failed to connect service ${address} within ${within}: ${why}`,
    )
  }
  const { code, message } = checked.error
  if (code === 'Unimplemented') {
    const what = 'this server does not implement the grpc health protocol (grpc.health.v1.Health)'
    return probed('failure', `error: ${what}: ${message}`)
  }
  if (code === 'DeadlineExceeded')
    return probed('failure', `timeout: health rpc did not complete within ${within}`)
  const error = `rpc error: code = ${code} desc = ${message}`
  return probed('failure', `error: health rpc probe failed: ${error}`)
}
