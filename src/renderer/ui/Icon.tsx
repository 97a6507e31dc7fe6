import type { ReactNode } from 'react'
import styles from './icon.module.css'
import { classNames } from './class-names.ts'

const icons = {
  flow: (
    <>
      <path d="M2 4.5h3M2 11.5h3M11 8h3" />
      <rect x="5" y="2.5" width="3.5" height="4" rx="1" />
      <rect x="5" y="9.5" width="3.5" height="4" rx="1" />
      <path d="M8.5 4.5c2 0 1 3.5 2.5 3.5M8.5 11.5c2 0 1-3.5 2.5-3.5" />
    </>
  ),
  timeline: (
    <>
      <path d="M2 4h6M5 8h7M3 12h4M10.5 12H14" />
    </>
  ),
  events: (
    <>
      <path d="M8 2v2M8 12v2M2 8h2M12 8h2" />
      <circle cx="8" cy="8" r="2.2" />
    </>
  ),
  labs: (
    <>
      <path d="M6 2h4M6.8 2v4L3 13.2c-.3.6 0 .8.5.8h9c.5 0 .8-.2.5-.8L9.2 6V2M5 10h6" />
    </>
  ),
  rec: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <circle cx="8" cy="8" r="1.8" fill="currentColor" />
    </>
  ),
  gear: (
    <>
      <circle cx="8" cy="8" r="2" />
      <path d="M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4" />
    </>
  ),
  play: (
    <>
      <path d="M5 3.2v9.6L12.5 8z" />
    </>
  ),
  step: (
    <>
      <path d="M4 3.5v9L10 8zM12 3.5v9" />
    </>
  ),
  right: (
    <>
      <path d="m6 4 4 4-4 4" />
    </>
  ),
  more: (
    <>
      <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" />
    </>
  ),
  cols: (
    <>
      <rect x="2" y="2.5" width="12" height="11" rx="1.5" />
      <path d="M6 2.5v11M10 2.5v11" />
    </>
  ),
  swap: (
    <>
      <path d="M2.5 5.5h11M10.5 2.5l3 3-3 3M13.5 10.5h-11M5.5 7.5l-3 3 3 3" />
    </>
  ),
  plus: (
    <>
      <path d="M8 3v10M3 8h10" />
    </>
  ),
  undo: (
    <>
      <path d="M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.5 3.5 2.5 6.5l3 3" />
    </>
  ),
  pods: (
    <>
      <rect x="2" y="2.5" width="3.2" height="11" rx="1" />
      <rect x="6.6" y="2.5" width="3.2" height="7" rx="1" />
      <rect x="11.2" y="2.5" width="2.8" height="4" rx="1" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4" />
      <path d="m10 10 3.5 3.5" />
    </>
  ),
  down: (
    <>
      <path d="m4 6 4 4 4-4" />
    </>
  ),
  up: (
    <>
      <path d="m4 10 4-4 4 4" />
    </>
  ),
  close: (
    <>
      <path d="m4 4 8 8M12 4l-8 8" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
    </>
  ),
  check: (
    <>
      <path d="m3 8.5 3.5 3.5L13 4.5" />
    </>
  ),
  warn: (
    <>
      <path d="M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.01" />
    </>
  ),
  error: (
    <>
      <path d="M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4zM8 5v3.8M8 11v.01" />
    </>
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 7.3v3.7M8 5v.01" />
    </>
  ),
  kill: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="m5.8 5.8 4.4 4.4M10.2 5.8l-4.4 4.4" />
    </>
  ),
  evict: (
    <>
      <path d="M6.5 3h-3a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h3M7 8h7M11.2 5.2 14 8l-2.8 2.8" />
    </>
  ),
  filter: (
    <>
      <path d="M2 3.5h12L9.5 8.5v4l-3 1.5V8.5z" />
    </>
  ),
  help: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.2 6.3c0-1 .8-1.7 1.8-1.7s1.8.7 1.8 1.6c0 1.3-1.8 1.4-1.8 2.6M8 11.2v.01" />
    </>
  ),
  shield: (
    <>
      <path d="M8 1.8 13 3.5v4c0 3.2-2 5.4-5 6.7-3-1.3-5-3.5-5-6.7v-4z" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8l2.5 1.5" />
    </>
  ),
  edit: (
    <>
      <path d="M10.8 2.7l2.5 2.5L6 12.5l-3.3.8.8-3.3z" />
    </>
  ),
  folder: (
    <>
      <path d="M2 12.5v-9h4l1.5 1.8H14v7.2z" />
    </>
  ),
  term: (
    <>
      <rect x="1.5" y="2.5" width="13" height="11" rx="1.5" />
      <path d="m4.5 6 2 2-2 2M8.5 10.5h3" />
    </>
  ),
  plug: (
    <>
      <path d="M5.5 2v3M10.5 2v3M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0zM8 12v2.5" />
    </>
  ),
  node: (
    <>
      <rect x="2" y="2.5" width="12" height="4.5" rx="1" />
      <rect x="2" y="9" width="12" height="4.5" rx="1" />
      <path d="M4.5 4.75h.01M4.5 11.25h.01" />
    </>
  ),
  mirror: (
    <>
      <path d="M8 1.5v13" />
      <path d="M5.5 4.5 2 8l3.5 3.5z" />
      <path d="M10.5 4.5 14 8l-3.5 3.5z" strokeDasharray="1.6 1.8" />
    </>
  ),
  sun: (
    <>
      <circle cx="8" cy="8" r="2.8" />
      <path d="M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1" />
    </>
  ),
  link: (
    <>
      <path d="M6.5 9.5 9.5 6.5M7 4.5l1-1a3 3 0 0 1 4.3 4.3l-1.1 1.1M9 11.5l-1 1a3 3 0 0 1-4.3-4.3l1.1-1.1" />
    </>
  ),
  unlink: (
    <>
      <path d="M7 4.5l1-1a3 3 0 0 1 4.3 4.3l-1.1 1.1M9 11.5l-1 1a3 3 0 0 1-4.3-4.3l1.1-1.1M2.5 2.5l2 2M11.5 11.5l2 2" />
    </>
  ),
  arrow: (
    <>
      <path d="M2.5 8h11M9.5 4l4 4-4 4" />
    </>
  ),
  trash: (
    <>
      <path d="M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9" />
    </>
  ),
  pause: (
    <>
      <path d="M5.5 3.5v9M10.5 3.5v9" />
    </>
  ),
  eye: (
    <>
      <path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z" />
      <circle cx="8" cy="8" r="1.8" />
    </>
  ),
  moon: (
    <>
      <path d="M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6z" />
    </>
  ),
  contrast: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
    </>
  ),
  screen: (
    <>
      <rect x="2" y="3" width="12" height="8" rx="1.2" />
      <path d="M6 13.5h4" />
    </>
  ),
  home: (
    <>
      <path d="M2.5 7.5 8 2.8l5.5 4.7M4 6.5v6.7h3V9.8h2v3.4h3V6.5" />
    </>
  ),
  notSimulated: (
    <>
      <path d="M1.5 8c2-4 3.5-4 5 0s3.5 4 5.5 0M3 13.5 13 2.5" />
    </>
  ),
} satisfies Readonly<Record<string, ReactNode>>

export type IconName = keyof typeof icons

/** A line drawing of 16 px in the colour of the text; never the only carrier of a meaning. */
export function Icon({
  name,
  className,
}: {
  readonly name: IconName
  readonly className?: string | undefined
}): ReactNode {
  return (
    <svg className={classNames(styles['icon'], className)} viewBox="0 0 16 16" aria-hidden="true">
      {icons[name]}
    </svg>
  )
}
