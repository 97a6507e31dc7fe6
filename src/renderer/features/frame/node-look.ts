import { assertNever } from '../../../shared/assert-never.ts'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import { clockText } from '../../words/time.ts'

export interface ClusterLook {
  /** `full` a disc, `ring` a ring, `cross` a cross: the colour is never alone. */
  readonly sign: 'full' | 'ring' | 'cross'
  readonly tone: 'ok' | 'warn' | 'error'
  readonly word: string
}

export function clusterLook(
  { connection, isCutOff }: ClusterView,
  isPageLost: boolean,
): ClusterLook {
  if (isPageLost) return { sign: 'cross', tone: 'error', word: 'page disconnected' }
  switch (connection.kind) {
    case 'connected':
      return { sign: 'full', tone: 'ok', word: 'connected' }
    case 'connecting':
      return { sign: 'ring', tone: 'warn', word: 'connecting' }
    case 'waiting':
      return { sign: 'ring', tone: 'warn', word: 'waiting' }
    case 'away':
      return {
        sign: 'cross',
        tone: 'error',
        word: isCutOff === true ? 'nodes cut off' : 'API server unreachable',
      }
    default:
      return assertNever(connection, 'connection')
  }
}

/** A node's STATUS as kubectl writes it, or what is worse than that; while nobody can be asked, when it was last known. */
export function nodeLook(
  { registered, status, agent, machine, shutdown, isCutOff }: NodeView,
  { connection }: Pick<ClusterView, 'connection'>,
): {
  readonly tone: 'plain' | 'warn' | 'error'
  readonly word: string
} {
  if (machine === 'off') return { tone: 'error', word: 'machine off' }
  if (agent === 'stopped') return { tone: 'error', word: 'kubelet stopped' }
  if (shutdown.phase !== 'off') return { tone: 'warn', word: 'shutting down' }
  // What was cut here is away on the cluster's own clock, which the connection does not tell.
  if (isCutOff === true) return { tone: 'warn', word: 'cut off' }
  if (connection.kind === 'away')
    return { tone: 'warn', word: `${status}, as of ${clockText(connection.since)}` }
  if (!registered) return { tone: 'warn', word: 'not registered yet' }
  return {
    tone: status === 'Ready' ? 'plain' : status.startsWith('Ready') ? 'warn' : 'error',
    word: status,
  }
}
