import type { ActError, Receipt } from '../../../shared/ipc/contract.ts'
import type { CordonFacts, NodeRowsAct } from '../../../shared/model/forecast/rows-forecast.ts'
import { cordonForecast } from '../../../shared/model/forecast/rows-forecast.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ApiClient } from '../../kubelet/ports.ts'
import { refusedWords } from './refused-words.ts'

/** As kubectl cordon patches it. */
export async function setUnschedulable(
  api: Pick<ApiClient, 'patch'>,
  node: string,
  isCordoned: boolean,
): Promise<Result<null, ActError>> {
  const spec = { unschedulable: isCordoned ? true : null }
  const patched = await api.patch(
    { resource: 'nodes', name: node },
    { type: 'strategic', body: { spec } },
  )
  if (patched.ok) return ok(null)
  const what = isCordoned ? 'Cordon' : 'Uncordon'
  return err({ kind: 'failed', message: refusedWords(what, patched.error) })
}

/** Cordons or uncordons a node, if the forecast that the page shows allows it. `where`: after the name, ` on CLUSTER`. */
export async function cordonNode(
  api: Pick<ApiClient, 'patch'>,
  act: NodeRowsAct,
  facts: CordonFacts,
  where = '',
): Promise<Result<Receipt, ActError>> {
  const { refusal } = cordonForecast(act, facts)
  if (refusal !== '')
    return err({ kind: refusal === facts.readOnly ? 'read-only' : 'refused', message: refusal })
  const done = await setUnschedulable(api, facts.name, act === 'cordon')
  if (!done.ok) return done
  return ok({ message: `${act === 'cordon' ? 'Cordoned' : 'Uncordoned'} ${facts.name}${where}` })
}
