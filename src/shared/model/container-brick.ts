import type { ContainerStatus } from '../kubernetes/objects.ts'
import type { ContainerBrick } from './pod-row.ts'

/** What a status says of a container, as its square shows it. Undefined: it has none yet. */
export function containerBrick(status: ContainerStatus | undefined): ContainerBrick {
  const state = status?.state
  if (state?.running !== undefined) return status?.ready === true ? 'running' : 'notready'
  if (state?.terminated !== undefined) return state.terminated.exitCode === 0 ? 'exited' : 'down'
  const reason = state?.waiting?.reason ?? ''
  return reason.endsWith('BackOff') || reason.startsWith('Err') || reason.endsWith('Error')
    ? 'down'
    : 'waiting'
}
