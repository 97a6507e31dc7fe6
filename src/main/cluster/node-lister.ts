import type { Node } from '../../shared/kubernetes/objects.ts'
import type { NodeLister } from '../kubelet/ports.ts'
import { Reflector } from './reflector.ts'
import type { ReflectorDeps } from './reflector.ts'

/** The kubelet's node informer: a reflector on the one Node with this name. The caller starts and stops it. */
export function nodeReflector(
  deps: Omit<ReflectorDeps<'nodes'>, 'resource' | 'namespace' | 'fieldSelector'> & {
    readonly nodeName: string
  },
): Reflector<'nodes'> {
  const { nodeName, ...rest } = deps
  return new Reflector({
    ...rest,
    resource: 'nodes',
    fieldSelector: `metadata.name=${nodeName}`,
  })
}

/** The lister over that reflector. It also looks at the name, in case a server ignores the selector. */
export function reflectorNodeLister(
  reflector: Pick<Reflector<'nodes'>, 'store' | 'hasSynced'>,
  nodeName: string,
): NodeLister {
  return {
    get: (): Node | undefined => {
      for (const node of reflector.store.values()) {
        if (node.metadata.name === nodeName) return node
      }
      return undefined
    },
    hasSynced: () => reflector.hasSynced(),
  }
}
