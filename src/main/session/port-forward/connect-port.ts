import { TransportError } from '../../../shared/kubernetes/request.ts'
import { err } from '../../../shared/result.ts'
import type { ClusterAccess } from '../../cluster/kubeconfig/kubeconfig.ts'
import { resourcePath } from '../../cluster/client/resource-paths.ts'
import { connectTo } from '../../cri/streaming/forwarded-port.ts'
import { openPort } from '../../cri/streaming/port-stream.ts'
import type { StreamUrls } from '../../cri/streaming/stream-urls.ts'
import type { ClusterSession } from '../cluster/cluster-session.ts'
import { headersOf } from '../seen/pod-streams.ts'
import type { ConnectPort } from './port-forwards.ts'

type Targets = Pick<ClusterSession, 'actTarget'>

/** Through the kubelet's own server. `urls`: of a runtime in this process; undefined: the runtime serves its streams. */
export function connectThroughKubelet(
  session: Targets,
  urls: Pick<StreamUrls, 'take'> | undefined,
): ConnectPort {
  return async (key, port) => {
    const { kubelet, facts } = session.actTarget(key) ?? {}
    if (kubelet === undefined || facts === undefined) return err('No kubelet has this pod.')
    if (facts.kubelet === 'stopped')
      return err('The kubelet, which serves port-forward, does not run. Start it in Node.')
    const { namespace, name } = facts
    const url = await kubelet.server.stream({
      kind: 'portForward',
      namespace,
      name,
      container: '',
      command: [],
      stdin: false,
      stdout: false,
      stderr: false,
      tty: false,
    })
    if (!url.ok)
      return err(`The kubelet refused the connection (${url.error.status}): ${url.error.body}`)
    if (urls === undefined) return openPort({ url: url.value, who: 'The runtime' }, port)
    const pending = urls.take(url.value)
    return pending?.kind === 'port-forward'
      ? connectTo(pending.connect, port)
      : err('The runtime no longer has this stream.')
  }
}

/** POST pods/portforward through the API server. `refusal`: why not; empty: it may be. */
export function connectThroughApi(
  session: Targets,
  { server, credentials, proxyUrl }: ClusterAccess,
  allowed: { readonly refusal: () => string; readonly extend: () => void },
): ConnectPort {
  return async (key, port) => {
    const { facts } = session.actTarget(key) ?? {}
    if (facts === undefined) return err('The API server no longer has this pod.')
    const refusal = allowed.refusal()
    if (refusal !== '') return err(refusal)
    if (proxyUrl !== undefined)
      return err('Port forwarding through a proxy is not supported yet: use kubectl port-forward.')
    allowed.extend()
    try {
      const { tls, headers } = await credentials.get()
      const path = resourcePath({ resource: 'pods', namespace: facts.namespace, name: facts.name })
      return await openPort(
        {
          url: `${server}${path}/portforward?ports=${port}`,
          who: 'The API server',
          tls,
          headers: headersOf(server, headers),
        },
        port,
      )
    } catch (error) {
      if (error instanceof TransportError) return err(error.message)
      throw error
    }
  }
}
