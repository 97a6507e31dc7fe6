import { Client, credentials, Metadata, status } from '@grpc/grpc-js'
import type { ServiceError } from '@grpc/grpc-js'
import { isIP } from 'node:net'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { grpcCodeName } from '../cri/grpc-errors.ts'
import { joinHostPort } from '../kubelet/probe/host-port.ts'
import type { GrpcServingStatus, PodNetwork } from '../kubelet/probe/pod-network.ts'
import { decodeStatus, encodeService, healthCheckPath } from './health-messages.ts'

function targetOf(host: string, port: number): string {
  const kinds: Readonly<Record<number, string>> = { 4: 'ipv4:', 6: 'ipv6:' }
  return `${kinds[isIP(host)] ?? 'dns:'}${joinHostPort(host, port)}`
}

function isReady(client: Client, deadline: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.waitForReady(deadline, (error) => {
      resolve(error === undefined)
    })
  })
}

/** grpc.health.v1.Health/Check on a connection of its own. */
export const grpcHealthCheck: PodNetwork['grpcHealthCheck'] = async (request) => {
  const { host, port, service, userAgent } = request
  const deadline = Date.now() + request.timeoutMs
  const client = new Client(targetOf(host, port), credentials.createInsecure(), {
    'grpc.primary_user_agent': userAgent,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_http_proxy': 0,
    'grpc.enable_retries': 0,
    'grpc.service_config_disable_resolution': 1,
  })
  try {
    if (!(await isReady(client, deadline))) return err({ kind: 'not-connected' })
    const checked = await check(client, service, deadline)
    if (checked.ok) return checked
    const { code, details } = checked.error
    return err({ kind: 'status', code: grpcCodeName(code), message: goDetails(code, details) })
  } finally {
    client.close()
  }
}

function check(
  client: Client,
  service: string,
  deadline: number,
): Promise<Result<GrpcServingStatus, ServiceError>> {
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      healthCheckPath,
      encodeService,
      decodeStatus,
      service,
      new Metadata(),
      { deadline },
      (error, answer) => {
        resolve(error === null ? ok(answer ?? 'UNKNOWN') : err(error))
      },
    )
  })
}

/** The end of a connection in the words of grpc-go. */
function goDetails(code: number, details: string): string {
  return code === status.UNAVAILABLE && details === 'Connection dropped'
    ? 'error reading from server: EOF'
    : details
}
