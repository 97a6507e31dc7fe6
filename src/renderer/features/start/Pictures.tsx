import type { ReactNode } from 'react'
import { useId } from 'react'
import styles from './Pictures.module.css'

function Diamond({
  x,
  isFull = false,
}: {
  readonly x: number
  readonly isFull?: boolean
}): ReactNode {
  return (
    <path
      d={`M${x} 42l11 11-11 11-11-11z`}
      className={isFull ? styles['static'] : styles['mirror']}
    />
  )
}

/** The static pod stays; its mirror goes and comes back. */
export function MirrorPicture(): ReactNode {
  const arrow = useId()
  return (
    <svg className={styles['picture']} viewBox="0 0 352 120" aria-hidden="true">
      <defs>
        <marker
          id={arrow}
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
      </defs>
      <Diamond x={38} isFull />
      <path d="M58 53h30M112 53h32M94 50h12M94 56h12" className={styles['wire']} />
      <Diamond x={166} />
      <path d="M153 40l26 26" className={styles['strike']} />
      <path d="M196 53h62" className={styles['beam']} markerEnd={`url(#${arrow})`} />
      <Diamond x={286} />
      <text x="38" y="88" textAnchor="middle">
        static pod
      </text>
      <text x="38" y="104" textAnchor="middle" className={styles['faint']}>
        runs on
      </text>
      <text x="166" y="88" textAnchor="middle">
        deleted
      </text>
      <text x="286" y="88" textAnchor="middle" className={styles['strong']}>
        back again
      </text>
      <text x="286" y="104" textAnchor="middle" className={styles['faint']}>
        with a new UID
      </text>
    </svg>
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

/** Five seconds from SIGTERM to SIGKILL. */
export function GracePicture(): ReactNode {
  const hatch = useId()
  return (
    <svg className={styles['picture']} viewBox="0 0 352 120" aria-hidden="true">
      <defs>
        <Hatch id={hatch} />
      </defs>
      <rect x="8" y="44" width="76" height="18" className={styles['sync']} />
      <rect x="84" y="44" width="180" height="18" fill={`url(#${hatch})`} />
      <rect x="264" y="51" width="80" height="4" className={styles['terminated']} />
      <path d="M84 36v34" className={styles['tick']} />
      <path d="M264 36v34" className={styles['kill']} />
      <text x="84" y="30" textAnchor="middle" className={styles['strong']}>
        SIGTERM
      </text>
      <text x="264" y="30" textAnchor="middle" className={styles['killWord']}>
        SIGKILL
      </text>
      {[0, 1, 2, 3, 4, 5].map((second) => (
        <text
          key={second}
          x={84 + second * 36}
          y="86"
          textAnchor="middle"
          className={styles['number']}
        >
          {second}
        </text>
      ))}
      <text x="286" y="86" className={styles['faint']}>
        seconds
      </text>
      <text x="8" y="108" className={styles['syncWord']}>
        SyncPod
      </text>
      <text x="128" y="108" className={styles['terminatingWord']}>
        TerminatingPod
      </text>
      <text x="344" y="108" textAnchor="end" className={styles['terminatedWord']}>
        TerminatedPod
      </text>
    </svg>
  )
}

/** The new pod waits until the old one of its name has gone. */
export function ManifestPicture(): ReactNode {
  const hatch = useId()
  return (
    <svg className={styles['picture']} viewBox="0 0 352 120" aria-hidden="true">
      <defs>
        <Hatch id={hatch} />
      </defs>
      <text x="8" y="38" className={styles['faint']}>
        old UID
      </text>
      <rect x="70" y="26" width="62" height="16" className={styles['sync']} />
      <rect x="132" y="26" width="104" height="16" fill={`url(#${hatch})`} />
      <text x="8" y="74" className={styles['faint']}>
        new UID
      </text>
      <rect x="132.5" y="62.5" width="103" height="15" className={styles['waiting']} />
      <rect x="236" y="62" width="108" height="16" className={styles['sync']} />
      <path d="M132 18v68" className={styles['beam']} />
      <path d="M236 22v60" className={styles['tick']} />
      <text x="132" y="12" textAnchor="middle" className={styles['accent']}>
        saved
      </text>
      <text x="138" y="100" className={styles['waitingWord']}>
        waiting to start
      </text>
      <text x="344" y="100" textAnchor="end" className={styles['syncWord']}>
        SyncPod
      </text>
      <text x="236" y="12" textAnchor="middle" className={styles['faint']}>
        the name is free
      </text>
    </svg>
  )
}

/** The clock stands, and goes on by one event. */
export function ClockPicture(): ReactNode {
  const arrow = useId()
  return (
    <svg className={styles['picture']} viewBox="0 0 352 120" aria-hidden="true">
      <defs>
        <marker
          id={arrow}
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
      </defs>
      <path d="M8 66H344" className={styles['rail']} />
      {[30, 92, 154].map((x) => (
        <circle key={x} cx={x} cy="66" r="5" className={styles['past']} />
      ))}
      {[216, 278, 334].map((x) => (
        <circle key={x} cx={x} cy="66" r="5" className={styles['future']} />
      ))}
      <path d="M154 34V80" className={styles['beam']} />
      <rect x="122" y="16" width="64" height="18" rx="3" className={styles['plate']} />
      <text x="154" y="29" textAnchor="middle" className={styles['onPlate']}>
        stopped
      </text>
      <path d="M162 54q26-18 46 0" className={styles['beam']} markerEnd={`url(#${arrow})`} />
      <text x="30" y="92" textAnchor="middle" className={styles['faint']}>
        watch
      </text>
      <text x="92" y="92" textAnchor="middle" className={styles['faint']}>
        merge
      </text>
      <text x="154" y="96" textAnchor="middle" className={styles['strong']}>
        sync
      </text>
      <text x="216" y="92" textAnchor="middle" className={styles['accent']}>
        next
      </text>
      <text x="184" y="114" textAnchor="middle" className={styles['faint']}>
        kubectl keeps answering
      </text>
    </svg>
  )
}
