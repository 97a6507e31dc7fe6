import type {
  KubeRequest,
  KubeResponse,
  Transport,
  WatchEvent,
} from '../../shared/kubernetes/request.ts'
import { fakePodOf } from '../../shared/model/inspect/fake-evidence.ts'
import { FakeWatch } from '../cluster/transport/fake-transport.ts'

/** An API server with one node and one pod, whose node proxy leads to its kubelet. */
export class FakeSeenCluster implements Transport {
  readonly asked: string[] = []
  readonly watches: FakeWatch[] = []
  readonly #newest = new Map<string, FakeWatch>()
  pods = [fakePodOf({ spec: { nodeName: 'worker-3' } })]
  isRefused = false

  readonly send = (request: KubeRequest): Promise<KubeResponse> => {
    const { path, query = {} } = request
    const proxied = /\/proxy(\/.*)$/.exec(path)?.[1]
    if (proxied !== undefined) return Promise.resolve(this.#kubelet(proxied))
    if (query['watch'] !== undefined) {
      const watch = new FakeWatch()
      this.watches.push(watch)
      this.#newest.set(path, watch)
      return Promise.resolve(watch.response)
    }
    this.asked.push(`${path}?${query['fieldSelector'] ?? ''}`)
    const plural = path.split('/').at(-1) ?? ''
    const items: Readonly<Record<string, readonly object[]>> = {
      pods: this.pods,
      nodes: [{ metadata: { name: 'worker-3', uid: 'n', resourceVersion: '1' } }],
    }
    const list = {
      kind: 'List',
      apiVersion: 'v1',
      metadata: { resourceVersion: '1' },
      items: items[plural] ?? [],
    }
    return Promise.resolve({ kind: 'object', status: 200, body: list })
  }

  /** Over the newest watch of a resource: `pods`. */
  tell(resource: string, ...events: readonly WatchEvent[]): void {
    for (const [path, watch] of this.#newest)
      if (path.endsWith(`/${resource}`)) watch.push(...events)
  }

  #kubelet(path: string): KubeResponse {
    this.asked.push(path)
    if (this.isRefused)
      return {
        kind: 'text',
        status: 503,
        contentType: 'text/plain',
        body: 'connect: connection refused',
      }
    if (!/pods/.test(path))
      return { kind: 'text', status: 404, contentType: 'text/plain', body: '' }
    return { kind: 'object', status: 200, body: { kind: 'PodList', items: this.pods } }
  }
}
