import { assertNever } from '../../../shared/assert-never.ts'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import { text } from '../../text/text.ts'
import { clockText } from '../../words/time.ts'

const { clusters, nodes } = text.frame

export interface ClusterStatus {
  /** Its shape says the same as its color. */
  readonly sign: 'full' | 'ring' | 'cross'
  readonly tone: 'ok' | 'warn' | 'error'
  readonly word: string
}

export function clusterStatus(
  { connection, isCutOff }: ClusterView,
  isPageLost: boolean,
): ClusterStatus {
  if (isPageLost) return { sign: 'cross', tone: 'error', word: clusters.pageLost }
  switch (connection.kind) {
    case 'connected':
      return { sign: 'full', tone: 'ok', word: clusters.connected }
    case 'connecting':
      return { sign: 'ring', tone: 'warn', word: clusters.connecting }
    case 'waiting':
      return { sign: 'ring', tone: 'warn', word: clusters.waiting }
    case 'away':
      return {
        sign: 'cross',
        tone: 'error',
        word: isCutOff === true ? clusters.cutOff : clusters.unreachable,
      }
    default:
      return assertNever(connection, 'connection')
  }
}

/** A node's STATUS as kubectl prints it, or what is worse; while the API server is unreachable, the last STATUS with its time. */
export function nodeStatus(
  { registered, status, agent, machine, shutdown, isCutOff }: NodeView,
  { connection, kind }: Pick<ClusterView, 'connection'> & Partial<Pick<ClusterView, 'kind'>>,
): {
  readonly tone: 'plain' | 'warn' | 'error'
  readonly word: string
} {
  if (kind === 'log') return { tone: 'plain', word: nodes.fromLog }
  if (machine === 'off') return { tone: 'error', word: nodes.off }
  if (agent === 'stopped') return { tone: 'error', word: nodes.stopped }
  if (shutdown.phase !== 'off') return { tone: 'warn', word: nodes.shuttingDown }
  // The connection's time is not the time at which this node was cut off.
  if (isCutOff === true) return { tone: 'warn', word: nodes.cutOff }
  if (connection.kind === 'away')
    return { tone: 'warn', word: nodes.asOf(status, clockText(connection.since)) }
  if (!registered) return { tone: 'warn', word: nodes.notRegistered }
  return {
    tone: status === 'Ready' ? 'plain' : status.startsWith('Ready') ? 'warn' : 'error',
    word: status,
  }
}
