import type { ReactNode } from 'react'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { clockText, lastingText } from '../../words/time.ts'
import { fitText, mono } from './fit.ts'
import { useArrow, useFlow, useFlowPlace } from './flow-context.ts'
import { useLayout } from './layout.ts'
import styles from './Picture.module.css'
import { Sign } from './Sign.tsx'
import { useStandstill } from './standstill.ts'
import { ArrowCount, useAgo, useGlow } from './WireWords.tsx'

function serverText(label: string, server: string): string {
  return `${label}, ${server.replace(/^https?:\/\//, '')}`
}

function Calls(): ReactNode {
  const { y } = useLayout().parts.apiServer
  const calls = useFlow((flow) => flow.mirrorClient.calls) ?? 0
  const { node } = useFlowPlace()
  const lastText = useFlow((flow) => flow.mirrorClient.lastCall?.text ?? '') ?? ''
  const at = useFlow((flow) => flow.mirrorClient.lastCall?.at ?? null) ?? null
  const ago = useAgo(at)
  const glow = useGlow(at)
  return (
    <>
      <text x="736" y={y + 25} className={classNames(styles['number'], glow)}>
        {calls}
      </text>
      <text x={742 + String(calls).length * 9} y={y + 25}>
        in 10 min
      </text>
      <text x="736" y={y + 44} className={styles['faint']}>
        {lastText === ''
          ? 'no call yet'
          : fitText(`last ${lastText.replace(`-${node}`, '')}, ${ago}`, 190)}
      </text>
    </>
  )
}

function PerMinute({
  arrow,
  x,
  foot,
}: {
  readonly arrow: 'statusManager-apiServer' | 'nodeController-apiServer'
  readonly x: number
  readonly foot?: string
}): ReactNode {
  const { y } = useLayout().parts.apiServer
  const { lastMinute, at } = useArrow(arrow)
  const ago = useAgo(at)
  return (
    <>
      <ArrowCount arrow={arrow} x={x} y={y + 25} isBig />
      <text x={x + 6 + String(lastMinute).length * 9} y={y + 25}>
        a minute
      </text>
      <text x={x} y={y + 44} className={styles['faint']}>
        {foot ?? (ago === '' ? 'nothing yet' : `last ${ago}`)}
      </text>
    </>
  )
}

/** Since when the server does not answer, in its own words. */
function Away({ since }: { readonly since: number }): ReactNode {
  const { y } = useLayout().parts.apiServer
  const { wallClock } = useStore()
  const flow = useFlow((view) => view.now)
  // The wall is read again whenever the picture is told anew.
  const lasted = flow === undefined ? '' : `, ${lastingText(wallClock() - since)}`
  return (
    <text x="68" y={y + 44} className={styles['error']}>
      {fitText(`unreachable since ${clockText(since)}${lasted}`, 205)}
    </text>
  )
}

export function ApiBand(): ReactNode {
  const { x, y, width, height } = useLayout().parts.apiServer
  const cluster = useAppState((state) => shownCluster(state))
  const isCutOff = useAppState((state) => shownNode(state)?.isCutOff === true)
  const pods = useFlow((flow) => flow.api.pods) ?? 0
  const mirrors = useFlow((flow) => flow.api.mirrors) ?? 0
  const duration = useAppState((state) => shownNode(state)?.leaseDurationSeconds ?? 0)
  return (
    <g>
      <rect
        {...{ x, y, width, height }}
        rx="8"
        className={styles['band']}
        data-frame="API server"
      />
      <Sign name="api" x={42} y={y + 14} size={16} ink={styles['textInk']} />
      <text x="68" y={y + 25} className={classNames(styles['title'], styles['big'])}>
        API server
      </text>
      {isCutOff ? (
        <text x="68" y={y + 44} className={styles['error']}>
          this node is cut off
        </text>
      ) : cluster?.connection.kind === 'away' ? (
        <Away since={cluster.connection.since} />
      ) : (
        <text x="68" y={y + 44} className={classNames(styles['mono'], styles['faint'])}>
          {cluster === undefined
            ? ''
            : fitText(serverText(cluster.label, cluster.server), 205, mono)}
        </text>
      )}
      <text x="282" y={y + 25} className={styles['number']}>
        {pods}
      </text>
      <text x="282" y={y + 44}>
        {pods === 1 ? 'pod on this node' : 'pods on this node'}
      </text>
      <text x="414" y={y + 25} className={styles['number']}>
        {mirrors}
      </text>
      <text x="414" y={y + 44}>
        {mirrors === 1 ? 'of them a mirror' : 'of them mirrors'}
      </text>
      <Calls />
      <PerMinute arrow="statusManager-apiServer" x={951} />
      <PerMinute
        arrow="nodeController-apiServer"
        x={1144}
        {...(duration > 0 ? { foot: `lasts ${duration} s` } : {})}
      />
    </g>
  )
}

function readyText(ready: number, all: number): string {
  if (all === 0) return 'no source'
  if (ready < all) return `${ready} of ${all} sources ready`
  return all === 1 ? 'its source is ready' : `all ${all} sources ready`
}

export function KubeletFrame(): ReactNode {
  const { frame } = useLayout()
  const { node } = useFlowPlace()
  const sources = useAppState((state) => shownNode(state)?.sources)
  const still = useStandstill()
  const ready = sources?.filter((source) => source.ready).length ?? 0
  return (
    <g>
      <rect {...frame} rx="12" className={styles['frame']} data-frame="kubelet" />
      <text x="146" y={frame.y + 35} className={classNames(styles['title'], styles['big'])}>
        kubelet
      </text>
      <text x="146" y={frame.y + 54}>
        {fitText(node, 260)}
      </text>
      <text
        x="146"
        y={frame.y + 72}
        className={
          still !== ''
            ? styles['error']
            : ready < (sources?.length ?? 0)
              ? styles['warn']
              : styles['faint']
        }
      >
        {still === '' ? readyText(ready, sources?.length ?? 0) : fitText(still, 260)}
      </text>
    </g>
  )
}
