import type { ContainerView } from '../../../shared/model/pod-detail.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import type { NodeCondition, PodCondition } from './scenario-step.ts'

type Shown = Pick<OpenSandbox, 'session' | 'queries'>

/** The whole last line that the first container of a pod has printed; empty without one. */
export async function lastLineOf(
  { session, queries }: Shown,
  { key }: Pick<PodRow, 'key'>,
): Promise<string> {
  const container = session.detail(key)?.containers[0]?.name
  if (container === undefined) return ''
  const logs = await queries.logs(key, {
    container,
    previous: false,
    sinceSeconds: null,
    after: null,
  })
  const lines = (logs?.parts.at(-1)?.text ?? '').split('\n').filter((line) => line !== '')
  // Each line has its time before it.
  return lines.at(-1)?.replace(/^\S+ /, '') ?? ''
}

function isNamed({ pod, namespace = 'default', node }: PodCondition, row: PodRow): boolean {
  return row.name === pod && row.namespace === namespace && row.node === (node ?? row.node)
}

const rowFields = ['status', 'worker', 'mirror', 'kind', 'restarts', 'readyContainers'] as const

function fitsContainer(condition: PodCondition, container: ContainerView | undefined): boolean {
  const { exitCode, message = '' } = condition
  if (exitCode !== undefined && container?.exitCode !== exitCode) return false
  return message === '' || container?.message.includes(message) === true
}

async function fits(cluster: Shown, condition: PodCondition, row: PodRow): Promise<boolean> {
  for (const field of rowFields)
    if (condition[field] !== undefined && condition[field] !== row[field]) return false
  const { restartRequested, lastLine } = condition
  const detail = cluster.session.detail(row.key)
  const isRequested = detail?.worker?.restartRequested ?? false
  if (restartRequested !== undefined && restartRequested !== isRequested) return false
  if (!fitsContainer(condition, detail?.containers[0])) return false
  return lastLine === undefined || (await lastLineOf(cluster, row)) === lastLine
}

/** The rows that fit, in the order of the page. */
export async function fittingRows(
  cluster: Shown,
  condition: PodCondition,
): Promise<readonly PodRow[]> {
  const found: PodRow[] = []
  for (const row of cluster.session.rows())
    if (isNamed(condition, row) && (await fits(cluster, condition, row))) found.push(row)
  return found
}

/** Whether the page shows the node like this. */
export function nodeFits({ session }: Shown, condition: NodeCondition): boolean {
  const node = session.view().nodes.find(({ name }) => name === condition.node)
  if (node === undefined) return false
  const isOn = node.machine === 'on'
  const { status = node.status, kubelet = node.agent, powered = isOn } = condition
  return node.status === status && node.agent === kubelet && isOn === powered
}
