import { objectAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { objectKey } from '../../cluster/client/resource-paths.ts'
import type { ControllerContext } from './controller.ts'
import { WorkloadController } from './workloads/workload-controller.ts'
import type { Outcome } from './workloads/workload-controller.ts'

/**
 * Says in an event of each new claim why it is pending; nothing binds it. A real controller repeats the event every 15 s.
 * Source: pkg/controller/volume/persistentvolume syncUnboundClaim (v1.34).
 */
export class PendingClaimController extends WorkloadController {
  constructor(context: ControllerContext) {
    super(context, { component: 'persistentvolume-controller', caches: [context.storageClasses] })
    context.claims.addEventHandler({
      onAdd: (claim, causes) => {
        const isUnbound = textAt(objectAt(claim, 'spec'), 'volumeName') === ''
        if (isUnbound) this.queue.add(objectKey(claim.metadata), causes)
      },
    })
  }

  protected reconcile(namespace: string, name: string, causes: TraceCauses): Promise<Outcome> {
    const claim = this.context.claims.get(namespace, name)
    if (claim !== undefined) this.#explain(claim, causes)
    return Promise.resolve(undefined)
  }

  #explain(claim: KubeObject, causes: TraceCauses): void {
    const className = textAt(objectAt(claim, 'spec'), 'storageClassName')
    const found = this.context.storageClasses.get('', className)
    const none = 'no persistent volumes available for this claim and no storage class is set'
    const missing = `storageclass.storage.k8s.io ${JSON.stringify(className)} not found`
    const event =
      className === ''
        ? ({ type: 'Normal', reason: 'FailedBinding', message: none } as const)
        : ({ type: 'Warning', reason: 'ProvisioningFailed', message: missing } as const)
    if (className === '' || found === undefined) {
      void this.events.write('v1/persistentvolumeclaims', claim, event, causes)
    }
  }
}
