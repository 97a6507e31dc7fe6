import type { ReactNode } from 'react'
import { useId } from 'react'
import { text } from '../../text/text.ts'
import type { SvgLabel } from '../../ui/SvgLabels.tsx'
import { SvgLabels } from '../../ui/SvgLabels.tsx'
import styles from './Pictures.module.css'

const { faint, strong, accent } = styles
const { workerStates } = text.common

function Picture({
  definitions,
  labels,
  children,
}: {
  readonly definitions: ReactNode
  readonly labels: readonly SvgLabel[]
  readonly children: ReactNode
}): ReactNode {
  return (
    <svg className={styles['picture']} viewBox="0 0 352 120" aria-hidden="true">
      <defs>{definitions}</defs>
      {children}
      <SvgLabels labels={labels} />
    </svg>
  )
}

function Diamond({
  x,
  look,
}: {
  readonly x: number
  readonly look: 'static' | 'mirror'
}): ReactNode {
  return <path d={`M${x} 42l11 11-11 11-11-11z`} className={styles[look]} />
}

function ArrowHead({ id }: { readonly id: string }): ReactNode {
  return (
    <marker
      id={id}
      viewBox="0 0 9 9"
      refX="7"
      refY="4.5"
      markerWidth="9"
      markerHeight="9"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M.5.5 8.5 4.5.5 8.5z" className={styles['accentFill']} />
    </marker>
  )
}

function Hatch({ id }: { readonly id: string }): ReactNode {
  return (
    <pattern
      id={id}
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(-45)"
    >
      <rect width="6" height="6" className={styles['hatchWash']} />
      <rect width="6" height="3.4" className={styles['hatch']} />
    </pattern>
  )
}

/** The static pod stays; its mirror is deleted and recreated. */
export function MirrorPicture(): ReactNode {
  const arrow = useId()
  const words = text.start.mirror.picture
  return (
    <Picture
      definitions={<ArrowHead id={arrow} />}
      labels={[
        { x: 38, y: 88, anchor: 'middle', words: words.static },
        { x: 38, y: 104, anchor: 'middle', look: faint, words: words.runs },
        { x: 166, y: 88, anchor: 'middle', words: words.deleted },
        { x: 286, y: 88, anchor: 'middle', look: strong, words: words.recreated },
        { x: 286, y: 104, anchor: 'middle', look: faint, words: words.newUid },
      ]}
    >
      <Diamond x={38} look="static" />
      <path d="M58 53h30M112 53h32M94 50h12M94 56h12" className={styles['wire']} />
      <Diamond x={166} look="mirror" />
      <path d="M153 40l26 26" className={styles['strike']} />
      <path d="M196 53h62" className={styles['beam']} markerEnd={`url(#${arrow})`} />
      <Diamond x={286} look="mirror" />
    </Picture>
  )
}

/** Five seconds from SIGTERM to SIGKILL. */
export function GracePicture(): ReactNode {
  const hatch = useId()
  const { number, syncWord, terminatingWord, terminatedWord } = styles
  const { sigkill, sigterm } = text.common
  const seconds = [0, 1, 2, 3, 4, 5].map(
    (second) =>
      ({ x: 84 + second * 36, y: 86, anchor: 'middle', look: number, words: second }) as const,
  )
  return (
    <Picture
      definitions={<Hatch id={hatch} />}
      labels={[
        { x: 84, y: 30, anchor: 'middle', look: strong, words: sigterm },
        { x: 264, y: 30, anchor: 'middle', look: styles['killWord'], words: sigkill },
        ...seconds,
        { x: 286, y: 86, look: faint, words: text.start.grace.picture.seconds },
        { x: 8, y: 108, look: syncWord, words: workerStates.SyncPod },
        { x: 128, y: 108, look: terminatingWord, words: workerStates.TerminatingPod },
        { x: 344, y: 108, anchor: 'end', look: terminatedWord, words: workerStates.TerminatedPod },
      ]}
    >
      <rect x="8" y="44" width="76" height="18" className={styles['sync']} />
      <rect x="84" y="44" width="180" height="18" fill={`url(#${hatch})`} />
      <rect x="264" y="51" width="80" height="4" className={styles['terminated']} />
      <path d="M84 36v34" className={styles['tick']} />
      <path d="M264 36v34" className={styles['kill']} />
    </Picture>
  )
}

/** The new pod waits until the old one of its name has stopped. */
export function ManifestPicture(): ReactNode {
  const hatch = useId()
  const { syncWord, waitingWord } = styles
  const words = text.start.manifest.picture
  return (
    <Picture
      definitions={<Hatch id={hatch} />}
      labels={[
        { x: 8, y: 38, look: faint, words: words.old },
        { x: 8, y: 74, look: faint, words: words.new },
        { x: 132, y: 12, anchor: 'middle', look: accent, words: words.saved },
        { x: 138, y: 100, look: waitingWord, words: workerStates.waiting },
        { x: 344, y: 100, anchor: 'end', look: syncWord, words: workerStates.SyncPod },
        { x: 236, y: 12, anchor: 'middle', look: faint, words: words.free },
      ]}
    >
      <rect x="70" y="26" width="62" height="16" className={styles['sync']} />
      <rect x="132" y="26" width="104" height="16" fill={`url(#${hatch})`} />
      <rect x="132.5" y="62.5" width="103" height="15" className={styles['waiting']} />
      <rect x="236" y="62" width="108" height="16" className={styles['sync']} />
      <path d="M132 18v68" className={styles['beam']} />
      <path d="M236 22v60" className={styles['tick']} />
    </Picture>
  )
}

/** The clock is stopped, and steps to the next event. */
export function ClockPicture(): ReactNode {
  const arrow = useId()
  const words = text.start.clock.picture
  return (
    <Picture
      definitions={<ArrowHead id={arrow} />}
      labels={[
        { x: 154, y: 29, anchor: 'middle', look: styles['onPlate'], words: words.stopped },
        { x: 30, y: 92, anchor: 'middle', look: faint, words: words.watch },
        { x: 92, y: 92, anchor: 'middle', look: faint, words: words.merge },
        { x: 154, y: 96, anchor: 'middle', look: strong, words: words.sync },
        { x: 216, y: 92, anchor: 'middle', look: accent, words: words.next },
        { x: 184, y: 114, anchor: 'middle', look: faint, words: words.kubectl },
      ]}
    >
      <path d="M8 66H344" className={styles['rail']} />
      {[30, 92, 154].map((x) => (
        <circle key={x} cx={x} cy="66" r="5" className={styles['past']} />
      ))}
      {[216, 278, 334].map((x) => (
        <circle key={x} cx={x} cy="66" r="5" className={styles['future']} />
      ))}
      <path d="M154 34V80" className={styles['beam']} />
      <rect x="122" y="16" width="64" height="18" rx="3" className={styles['plate']} />
      <path d="M162 54q26-18 46 0" className={styles['beam']} markerEnd={`url(#${arrow})`} />
    </Picture>
  )
}
