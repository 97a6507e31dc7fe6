import type { Transport } from '../../shared/kubernetes/request.ts'
import type { Node } from '../../shared/kubernetes/objects.ts'
import type { KubeletProblem } from '../../shared/model/inspect/kubelet-facts.ts'
import type { CredentialSource } from '../cluster/kubeconfig/credential.ts'
import { directWay } from './kubelet-client/direct-way.ts'
import type { KubeletWay } from './kubelet-client/direct-way.ts'
import { kubeletAddress } from './kubelet-client/kubelet-address.ts'
import { proxyWay } from './kubelet-client/proxy-way.ts'

/**
 * The ways to a node's kubelet: straight to the address of its Node, then through the API server's node proxy, unless one is
 * asked for. A problem: none, and why.
 */
export function waysToKubelet(from: {
  readonly node: Node | undefined
  readonly credentials: CredentialSource
  readonly acceptedFingerprint: string | undefined
  readonly transport: Transport
  readonly wanted?: 'direct' | 'proxy' | undefined
}): readonly KubeletWay[] | KubeletProblem {
  const { node, credentials, acceptedFingerprint, transport, wanted } = from
  if (node === undefined)
    return { kind: 'no-address', message: 'Not asked: the API server has no such Node.' }
  const nodeName = node.metadata.name
  const proxy = wanted === 'direct' ? [] : [proxyWay({ nodeName, transport })]
  if (wanted === 'proxy') return proxy
  const address = kubeletAddress(node)
  if (address.ok)
    return [
      directWay({ nodeName, address: address.value, credentials, acceptedFingerprint }),
      ...proxy,
    ]
  return proxy.length > 0 ? proxy : { kind: 'no-address', message: address.error }
}
