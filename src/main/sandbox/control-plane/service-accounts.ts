import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { Controller } from './controller.ts'
import type { ControllerContext } from './controller.ts'

/** Creates the service account `default` of every namespace, also after its deletion. Source: pkg/controller/serviceaccount. */
export class ServiceAccountsController extends Controller {
  constructor(context: ControllerContext) {
    super(context)
    context.namespaces.addEventHandler({
      onAdd: ({ metadata }, causes) => {
        this.queue.add(metadata.name, causes)
      },
    })
    context.accounts.addEventHandler({
      onDelete: ({ metadata: { namespace = '', name } }, causes) => {
        if (name === 'default') this.queue.add(namespace, causes)
      },
    })
  }

  protected async sync(namespace: string, causes: TraceCauses): Promise<void> {
    const { client, namespaces } = this.context
    const found = namespaces.get('', namespace)
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return
    // The server refuses if it exists, as at every start.
    const account = { metadata: { name: 'default' } }
    await client.create({ resource: 'serviceaccounts', namespace }, account, causes)
  }
}
