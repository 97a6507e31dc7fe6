import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import { apiErrorOfResponse, apiErrorOfThrown } from '../../cluster/client/api-errors.ts'
import { resourcePath } from '../../cluster/client/resource-paths.ts'
import type { Credential } from '../../cluster/kubeconfig/credential.ts'
import type { ClusterAccess } from '../../cluster/kubeconfig/kubeconfig.ts'
import { openSpdyTerminal } from '../../cri/streaming/spdy-terminal.ts'
import { openTerminal } from '../../cri/streaming/terminal-stream.ts'
import { podNamespace } from '../../kubelet/pod/identity.ts'
import type { ReadLog } from '../rows/pod-logs.ts'
import type { OpenExec } from '../terminals/pod-terminals.ts'

/** GET pods/log through the API server, which asks the kubelet. */
export function readLogOf(transport: Transport): ReadLog {
  return async (pod, container, query) => {
    const { name } = pod.metadata
    const path = `${resourcePath({ resource: 'pods', namespace: podNamespace(pod), name })}/log`
    try {
      const response = await transport.send({
        method: 'GET',
        path,
        query: { container, ...query },
        headers: { accept: '*/*' },
      })
      const refusal = apiErrorOfResponse(response)
      if (refusal !== undefined) return err(refusal.message)
      if (response.kind === 'text')
        return ok(
          typeof response.body === 'string'
            ? response.body
            : new TextDecoder().decode(response.body),
        )
      return err('The API server did not answer with a log.')
    } catch (error) {
      return err(apiErrorOfThrown(error).message)
    }
  }
}

/** Node takes lists of values, which the types of ws do not know. */
export function headersOf(server: string, headers: Credential['headers']): Record<string, string> {
  // Like client-go: plain HTTP would expose them.
  const sent: Record<string, unknown> = server.startsWith('https:') ? { ...headers } : {}
  return sent as Record<string, string>
}

/** Newest first, like kubectl. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

/** GET pods/exec by WebSocket through the API server; if it refuses that, POST pods/exec over SPDY, like kubectl. */
export function openExecOf({ server, credentials, proxyUrl }: ClusterAccess): OpenExec {
  return async ({ namespace, name }, { container, command }, listener) => {
    if (proxyUrl !== undefined)
      return err('A terminal through a proxy is not supported yet: use kubectl exec -it.')
    try {
      const { tls, headers } = await credentials.get()
      const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', tty: 'true' })
      for (const word of command) query.append('command', word)
      const path = `${resourcePath({ resource: 'pods', namespace, name })}/exec`
      const to = {
        url: `${server}${path}?${query.toString()}`,
        who: 'The API server',
        headers: headersOf(server, headers),
      }
      return await openTerminal(
        {
          ...to,
          protocols,
          options: { ...tls, handshakeTimeout: 30_000, headers: to.headers },
          otherwise: async () => openSpdyTerminal({ ...to, tls }, listener),
        },
        listener,
      )
    } catch (error) {
      if (error instanceof TransportError) return err(error.message)
      throw error
    }
  }
}
