import type { InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { CredentialSource } from '../cluster/kubeconfig/credential.ts'
import type { Clock } from '../kubelet/ports.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import type { WatchedObjects } from './node-objects.ts'
import { kubeletAddress } from './kubelet-client/kubelet-address.ts'
import { NodeInspector } from './node-inspector.ts'
import { pollKubelet } from './poll-kubelet.ts'
import { waysToKubelet } from './ways-to-kubelet.ts'

export interface InspectNodeDeps {
  readonly nodeName: string
  /** The objects about the node; `onChange` is called after each change of them. */
  readonly openObjects: (onChange: () => void) => WatchedObjects
  /** To the API server, for the node proxy. */
  readonly transport: Transport
  readonly clock: Clock
  readonly credentials: CredentialSource
  /** The fingerprint that the user has accepted for this node's kubelet. */
  readonly acceptedFingerprint: () => string | undefined
  /** Default: straight, then through the API server where that is not possible. */
  readonly wanted?: 'direct' | 'proxy'
  readonly onView: (view: InspectView) => void
}

/** A node that a page looks at. */
export interface InspectedNode {
  readonly view: () => InspectView
  /** After the user has accepted a certificate: asks the kubelet again at once. */
  readonly askAgain: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** A page gets at most four views a second; without news one each second, because ages grow. */
const viewEveryMs = 250
const idleViewEveryMs = 1000

/** Watches one node and reads its kubelet until it is stopped: only while a page looks at it. */
export function inspectNode(deps: InspectNodeDeps): InspectedNode {
  const { nodeName, credentials, acceptedFingerprint, transport, clock, wanted, onView } = deps
  let isStopped = false
  let lastAt = 0
  let cancelView: (() => void) | undefined
  const push = (): void => {
    cancelView?.()
    if (isStopped) return
    lastAt = clock.now()
    onView(inspector.view())
    cancelView = clock.after(idleViewEveryMs, push)
  }
  const changed = (): void => {
    cancelView?.()
    cancelView = clock.after(Math.max(0, lastAt + viewEveryMs - clock.now()), push)
  }
  const objects = deps.openObjects(() => {
    inspector.objectsChanged()
  })
  const inspector: NodeInspector = new NodeInspector({
    nodeName,
    objects,
    clock,
    address: () => {
      const node = objects.node()
      const address = node === undefined ? undefined : kubeletAddress(node)
      return address?.ok === true ? `${address.value.host}:${address.value.port}` : null
    },
    ways: () =>
      waysToKubelet({
        node: objects.node(),
        credentials,
        acceptedFingerprint: acceptedFingerprint(),
        transport,
        wanted,
      }),
    onChange: changed,
  })
  objects.start()
  const endPolling = pollKubelet({
    read: (paths) => inspector.read(paths),
    reading: (path) => inspector.reading(path),
    clock,
  })
  return {
    view: () => inspector.view(),
    askAgain: async () => {
      await inspector.reset()
      await inspector.read(['/pods', '/runningpods/'])
    },
    stop: async () => {
      isStopped = true
      cancelView?.()
      endPolling()
      objects.stop()
      await inspector.reset()
    },
  }
}
