import { err } from '../../../shared/result.ts'
import { sleep } from '../container/deferred.ts'
import type { Clock } from '../ports.ts'
import { joinHostPort } from './host-port.ts'
import type { PodNetwork } from './pod-network.ts'

/** A network on which nothing listens: every connection is refused. */
export function refusingNetwork(clock: Clock): PodNetwork {
  const refused = (host: string, port: number): string =>
    `dial tcp ${joinHostPort(host, port)}: connect: connection refused`
  return {
    httpGet: ({ host, port }) => Promise.resolve(err(refused(host, port))),
    tcpConnect: ({ host, port }) => Promise.resolve(err(refused(host, port))),
    grpcHealthCheck: async ({ timeoutMs }) => {
      await sleep(clock, timeoutMs)
      return err({ kind: 'not-connected' })
    },
  }
}
