import type { LucideIcon } from 'lucide-react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import ArrowRight from 'lucide-react/icons/arrow-right'
import BookOpen from 'lucide-react/icons/book-open'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import ChevronUp from 'lucide-react/icons/chevron-up'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import CircleX from 'lucide-react/icons/circle-x'
import Clock from 'lucide-react/icons/clock'
import Contrast from 'lucide-react/icons/contrast'
import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Eye from 'lucide-react/icons/eye'
import FlaskConical from 'lucide-react/icons/flask-conical'
import Folder from 'lucide-react/icons/folder'
import Funnel from 'lucide-react/icons/funnel'
import Info from 'lucide-react/icons/info'
import Link from 'lucide-react/icons/link'
import LogOut from 'lucide-react/icons/log-out'
import Maximize2 from 'lucide-react/icons/maximize-2'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import OctagonAlert from 'lucide-react/icons/octagon-alert'
import Pause from 'lucide-react/icons/pause'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Plug from 'lucide-react/icons/plug'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import Server from 'lucide-react/icons/server'
import Settings from 'lucide-react/icons/settings'
import Shield from 'lucide-react/icons/shield'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import SkipForward from 'lucide-react/icons/skip-forward'
import Sun from 'lucide-react/icons/sun'
import Trash2 from 'lucide-react/icons/trash-2'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Undo2 from 'lucide-react/icons/undo-2'
import Unlink from 'lucide-react/icons/unlink'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './icon.module.css'

/** Lucide's drawings, by what they say on this page. */
const drawings = {
  arrow: ArrowRight,
  back: ArrowLeft,
  book: BookOpen,
  check: Check,
  clock: Clock,
  close: X,
  contrast: Contrast,
  copy: Copy,
  down: ChevronDown,
  edit: Pencil,
  error: OctagonAlert,
  evict: LogOut,
  eye: Eye,
  filter: Funnel,
  folder: Folder,
  gear: Settings,
  grow: Maximize2,
  help: CircleQuestionMark,
  info: Info,
  kill: CircleX,
  labs: FlaskConical,
  link: Link,
  moon: Moon,
  more: Ellipsis,
  node: Server,
  pause: Pause,
  play: Play,
  plug: Plug,
  plus: Plus,
  right: ChevronRight,
  screen: Monitor,
  search: Search,
  shield: Shield,
  step: SkipForward,
  sun: Sun,
  swap: ArrowLeftRight,
  term: SquareTerminal,
  trash: Trash2,
  undo: Undo2,
  unlink: Unlink,
  up: ChevronUp,
  warn: TriangleAlert,
} as const satisfies Readonly<Record<string, LucideIcon>>

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
    const Drawing = drawings[name]
    return <Drawing className={classNames(styles['icon'], styles['drawing'], className)} />
  }
  return (
    <svg className={classNames(styles['icon'], className)} viewBox="0 0 16 16" aria-hidden="true">
      {signs[name]}
    </svg>
  )
}
