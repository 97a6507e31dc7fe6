import { equalJson } from '../../../shared/json.ts'
import type { ConfigMap } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import { descriptionAnnotation, rootCa, rootCaConfigMap } from '../registry/root-ca.ts'
import { Controller } from './controller.ts'
import type { ControllerContext } from './controller.ts'

/**
 * Keeps the ConfigMap `kube-root-ca.crt` in every namespace: creates it, also after its deletion, and restores its data and its
 * annotation. Source: pkg/controller/certificates/rootcacertpublisher/publisher.go.
 */
export class RootCaPublisher extends Controller {
  constructor(context: ControllerContext) {
    super(context)
    const enqueueNamespace = (
      { metadata }: { readonly metadata: { readonly name: string } },
      causes: TraceCauses,
    ): void => {
      this.queue.add(metadata.name, causes)
    }
    context.namespaces.addEventHandler({
      onAdd: enqueueNamespace,
      onUpdate: enqueueNamespace,
    })
    const enqueue = (
      { metadata: { name, namespace = '' } }: ConfigMap,
      causes: TraceCauses,
    ): void => {
      if (name === rootCaConfigMap) this.queue.add(namespace, causes)
    }
    context.configMaps.addEventHandler({ onUpdate: enqueue, onDelete: enqueue })
  }

  protected async sync(namespace: string, causes: TraceCauses): Promise<void> {
    const { client, configMaps, namespaces } = this.context
    const found = namespaces.get('', namespace)
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return
    const current = configMaps.get(namespace, rootCaConfigMap)
    if (current === undefined) {
      // The server refuses if it exists, as at every start.
      await client.create({ resource: 'configmaps', namespace }, rootCa, causes)
      return
    }
    const { data } = rootCa
    const description = current.metadata.annotations?.[descriptionAnnotation] ?? ''
    if (description !== '' && equalJson(current.data, data)) return
    const annotations = { ...current.metadata.annotations, ...rootCa.metadata.annotations }
    const next = { ...current, data, metadata: { ...current.metadata, annotations } }
    await client.update(addressOf('configmaps', current), next, causes)
  }
}
