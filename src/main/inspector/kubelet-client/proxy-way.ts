import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { KubeletWay } from './direct-way.ts'

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  return body === undefined ? '' : JSON.stringify(body)
}

/** Through the API server's node proxy, which needs get nodes/proxy. The API server checks the kubelet's certificate, or not. */
export function proxyWay(deps: {
  readonly nodeName: string
  readonly transport: Transport
}): KubeletWay {
  const base = `/api/v1/nodes/${encodeURIComponent(deps.nodeName)}/proxy`
  return {
    name: 'proxy',
    get: async (path) => {
      const { pathname, searchParams } = new URL(path, 'https://node')
      const query = Object.fromEntries(searchParams)
      try {
        const answer = await deps.transport.send({
          method: 'GET',
          path: `${base}${pathname}`,
          query,
        })
        if (answer.kind === 'watch') {
          answer.stream.stop()
          return err({ kind: 'away', message: `${path}: the API server answered with a watch.` })
        }
        return ok({ status: answer.status, body: textOf(answer.body) })
      } catch (error) {
        const message = error instanceof TransportError ? error.message : String(error)
        return err({ kind: 'away', message: `${path}: ${message}` })
      }
    },
    certificate: () => undefined,
    close: () => Promise.resolve(),
  }
}
