import { ok } from '../../../shared/result.ts'
import type { PodNetwork } from '../../kubelet/probe/pod-network.ts'

/** A network on which everything listens and is healthy: simulated containers do not say yet on which ports they listen. */
export const openNetwork: PodNetwork = {
  httpGet: () => Promise.resolve(ok({ statusCode: 200, body: '', headers: [] })),
  tcpConnect: () => Promise.resolve(ok(undefined)),
  grpcHealthCheck: () => Promise.resolve(ok('SERVING')),
}
