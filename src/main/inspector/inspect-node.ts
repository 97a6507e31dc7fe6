import type { InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { CredentialSource } from '../cluster/kubeconfig/credential.ts'
import type { WatchedObjectsDeps } from './watched-objects.ts'
import { kubeletAddress } from './kubelet-client/kubelet-address.ts'
import { NodeInspector } from './node-inspector.ts'
import { pollKubelet } from './poll-kubelet.ts'
import { watchedObjects } from './watched-objects.ts'
import { waysToKubelet } from './ways-to-kubelet.ts'

export interface InspectNodeDeps extends Omit<WatchedObjectsDeps, 'onChange'> {
  readonly credentials: CredentialSource
  /** PEM of the cluster's CA: that of the kubeconfig; undefined: it has none. */
  readonly clusterCa: string | undefined
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
  const {
    nodeName,
    credentials,
    clusterCa,
    acceptedFingerprint,
    transport,
    clock,
    wanted,
    onView,
  } = deps
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
  const objects = watchedObjects({ ...deps, onChange: () => inspector.objectsChanged() })
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
        trust: { clusterCa, acceptedFingerprint: acceptedFingerprint() },
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
