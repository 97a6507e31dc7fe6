import type { ReactNode } from 'react'
import { formatRoute, noFilter } from '../../routing/route.ts'
import { useAppState } from '../../store/store-context.ts'

/** Leads to a section of the handbook, beside the view or in the Handbook view; its address is that of the latter. */
export function SectionLink({
  section,
  className,
  title,
  label,
  isCurrent = false,
  isInTabOrder = true,
  children,
}: {
  /** `images` or `images#pulling`. */
  readonly section: string
  readonly className?: string | undefined
  readonly title?: string
  /** The name, where the words are not enough. */
  readonly label?: string
  readonly isCurrent?: boolean
  readonly isInTabOrder?: boolean
  readonly children: ReactNode
}): ReactNode {
  const openSection = useAppState((state) => state.openSection)
  const address = formatRoute({
    view: 'handbook',
    pod: null,
    tab: '',
    node: null,
    item: section,
    beside: null,
    filter: noFilter,
  })
  return (
    <a
      className={className}
      href={address}
      title={title}
      aria-label={label}
      aria-current={isCurrent ? 'true' : undefined}
      tabIndex={isInTabOrder ? undefined : -1}
      onClick={(event) => {
        // With a key it is the browser's: another tab, another window.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        openSection(section)
      }}
    >
      {children}
    </a>
  )
}
