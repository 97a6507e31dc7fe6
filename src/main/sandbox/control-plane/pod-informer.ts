import type { Informer } from '../../cluster/informer/informer.ts'

/** The pods of the cluster, also by the node they are bound to. */
export type PodInformer = Informer<'pods', 'nodeName'>
