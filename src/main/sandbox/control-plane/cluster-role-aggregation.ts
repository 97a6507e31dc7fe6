import { equalJson, objectAt, objectsAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { selectsLabels } from '../../../shared/kubernetes/disruption-budget.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import { Controller } from './controller.ts'
import type { ControllerContext } from './controller.ts'

const clusterRoles = 'rbac.authorization.k8s.io/v1/clusterroles'

function byName(a: KubeObject, b: KubeObject): number {
  return a.metadata.name < b.metadata.name ? -1 : 1
}

/**
 * Gives each ClusterRole with an aggregationRule the rules of the ClusterRoles that it selects.
 * Source: pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go (v1.34).
 */
export class ClusterRoleAggregation extends Controller {
  readonly #roles: Informer<typeof clusterRoles>

  constructor(context: ControllerContext, roles: Informer<typeof clusterRoles>) {
    super(context)
    this.#roles = roles
    const enqueue = (_role: KubeObject, causes: TraceCauses): void => {
      for (const one of roles.list())
        if (one['aggregationRule'] !== undefined) this.queue.add(one.metadata.name, causes)
    }
    roles.addEventHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue })
  }

  protected async sync(name: string, causes: TraceCauses): Promise<void> {
    const role = this.#roles.get('', name)
    if (role?.['aggregationRule'] === undefined) return
    const rules: JsonObject[] = []
    for (const selector of objectsAt(objectAt(role, 'aggregationRule'), 'clusterRoleSelectors')) {
      const selected = this.#roles
        .list()
        .filter((one) => one.metadata.name !== name)
        .filter(({ metadata }) => selectsLabels(selector, metadata.labels ?? {}))
      for (const rule of selected.toSorted(byName).flatMap((one) => objectsAt(one, 'rules')))
        if (!rules.some((known) => equalJson(known, rule))) rules.push(rule)
    }
    if (equalJson(rules, objectsAt(role, 'rules'))) return
    const updated = { ...role, rules }
    const answer = await this.context.client.update(addressOf(clusterRoles, role), updated, causes)
    if (answer.ok) this.queue.forget(name)
    else this.queue.addRateLimited(name, causes)
  }
}
