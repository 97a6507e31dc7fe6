import type { ReactNode } from 'react'
import { flowNode } from '../../../store/shown-node.ts'
import { useAppState, useTicking } from '../../../store/store-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import tone from '../../../ui/tone.module.css'
import { elapsedShare } from '../../../words/time.ts'
import { useArrow, useFlowPlace } from '../flow-context.ts'
import type { Box } from '../layout/box.ts'
import { right } from '../layout/box.ts'
import styles from './Picture.module.css'

/** Part of a circle, clockwise from the top, as a path. Pure. */
export function arcPath(x: number, y: number, radius: number, part: number): string {
  if (part >= 0.999) return `M${x} ${y - radius}a${radius} ${radius} 0 1 1 -.01 0`
  const angle = part * 2 * Math.PI
  const endX = (x + radius * Math.sin(angle)).toFixed(2)
  const endY = (y - radius * Math.cos(angle)).toFixed(2)
  return `M${x} ${y - radius}A${radius} ${radius} 0 ${part > 0.5 ? 1 : 0} 1 ${endX} ${endY}`
}

/** How much of the lease is spent: 0 just renewed, 1 expired. Pure. */
export function leaseSpent(renewedAt: number | null, seconds: number, now: number): number {
  return renewedAt === null ? 1 : elapsedShare(renewedAt, renewedAt + seconds * 1000, now)
}

/** The ring fills as the lease is spent; it is full when the lease has expired. */
export function LeaseRing({ box }: { readonly box: Box }): ReactNode {
  const { cluster } = useFlowPlace()
  const { sight } = useArrow('nodeController-apiServer')
  const renewedAt = useAppState((state) => flowNode(state)?.leaseRenewedAt ?? null)
  const seconds = useAppState((state) => flowNode(state)?.leaseDurationSeconds ?? 0)
  const spentAt = (now: number): number => Math.round(leaseSpent(renewedAt, seconds, now) * 40) / 40
  const spent = useTicking(cluster, spentAt, 1)
  const color = tone[spent >= 1 ? 'error' : spent > 0.5 ? 'warn' : 'ok']
  const [x, y] = [right(box) - 26, box.y + 28]
  const arc = arcPath(x, y, 12, Math.max(0.02, spent))
  if (sight === 'notKnown') return null
  return (
    <>
      <circle cx={x} cy={y} r="12" className={styles['leaseTrack']} />
      <path d={arc} className={classNames(styles['lease'], color)} />
    </>
  )
}
