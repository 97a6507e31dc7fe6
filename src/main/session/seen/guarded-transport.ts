import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { KubeRequest, Transport } from '../../../shared/kubernetes/request.ts'
import type { Changes } from './changes.ts'

/** Reviews are created and change nothing. */
const reviewPattern = /^\/apis\/(authentication|authorization)\.k8s\.io\//

function isRead({ method, path }: KubeRequest): boolean {
  return method === 'GET' || reviewPattern.test(path)
}

/**
 * Refuses every request that changes the cluster while changes are not allowed, wherever it comes from. One that the server
 * took extends the time; what it refused, and a dry run, do not.
 */
export function guardedTransport(
  transport: Transport,
  changes: Changes,
  cluster: string,
): Transport {
  return {
    send: async (request) => {
      if (isRead(request)) return transport.send(request)
      const refusal = changes.refusal(cluster)
      if (refusal !== '') throw new TransportError('invalid', refusal, { isUnsent: true })
      const response = await transport.send(request)
      if (response.status < 400 && request.query?.['dryRun'] === undefined) changes.extend()
      return response
    },
  }
}
