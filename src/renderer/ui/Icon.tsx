import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './icon.module.css'
import * as drawings from './lucide-icons.ts'

/** Our own icons, 16 units wide: lucide has none for these. */
const signs = {
  events: (
    <>
      <path d="M8 2v2M8 12v2M2 8h2M12 8h2" />
      <circle cx="8" cy="8" r="2.2" />
    </>
  ),
  flow: (
    <>
      <path d="M2 4.5h3M2 11.5h3M11 8h3" />
      <rect x="5" y="2.5" width="3.5" height="4" rx="1" />
      <rect x="5" y="9.5" width="3.5" height="4" rx="1" />
      <path d="M8.5 4.5c2 0 1 3.5 2.5 3.5M8.5 11.5c2 0 1-3.5 2.5-3.5" />
    </>
  ),
  mirror: (
    <>
      <path d="M8 1.5v13" />
      <path d="M5.5 4.5 2 8l3.5 3.5z" />
      <path d="M10.5 4.5 14 8l-3.5 3.5z" strokeDasharray="1.6 1.8" />
    </>
  ),
  notSimulated: <path d="M1.5 8c2-4 3.5-4 5 0s3.5 4 5.5 0M3 13.5 13 2.5" />,
  pods: (
    <>
      <rect x="2" y="2.5" width="3.2" height="11" rx="1" />
      <rect x="6.6" y="2.5" width="3.2" height="7" rx="1" />
      <rect x="11.2" y="2.5" width="2.8" height="4" rx="1" />
    </>
  ),
} satisfies Readonly<Record<string, ReactNode>>

export type IconName = keyof typeof drawings | keyof typeof signs

function isOwn(name: IconName): name is keyof typeof signs {
  return name in signs
}

/** An icon of 16 px in the color of the text; never the only sign of a meaning. */
export function Icon({
  name,
  className,
}: {
  readonly name: IconName
  readonly className?: string | undefined
}): ReactNode {
  if (!isOwn(name)) {
    // The type of `name` says that it is one of them.
    // oxlint-disable-next-line import/namespace
    const Drawing = drawings[name]
    return <Drawing className={classNames(styles['icon'], styles['drawing'], className)} />
  }
  return (
    <svg className={classNames(styles['icon'], className)} viewBox="0 0 16 16" aria-hidden="true">
      {signs[name]}
    </svg>
  )
}
