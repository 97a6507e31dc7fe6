import type { NodeLister } from '../../kubelet/ports.ts'
import { Informer } from './informer.ts'
import type { InformerDeps } from './informer.ts'

/** The kubelet's informer for its own Node. The caller starts and stops it. */
export function nodeInformer(
  deps: Omit<InformerDeps<'nodes', never>, 'resource' | 'namespace' | 'fieldSelector'> & {
    readonly nodeName: string
  },
): Informer<'nodes'> {
  const { nodeName, ...rest } = deps
  return new Informer({ ...rest, resource: 'nodes', fieldSelector: `metadata.name=${nodeName}` })
}

/** The lister over that informer. It gets the node by name, in case a server ignores the field selector. */
export function nodeListerOf(
  informer: Pick<Informer<'nodes'>, 'get' | 'hasSynced'>,
  nodeName: string,
): NodeLister {
  return { get: () => informer.get('', nodeName), hasSynced: informer.hasSynced }
}
