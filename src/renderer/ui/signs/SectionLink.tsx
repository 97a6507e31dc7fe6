import type { ReactNode } from 'react'
import { formatRoute, viewRoute } from '../../routing/route.ts'
import { useAppState } from '../../store/store-context.ts'

/** A link to a section of the handbook. A click opens it in the panel or the Handbook view; its address is the view's. */
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
  /** The name, if the words are not enough. */
  readonly label?: string
  readonly isCurrent?: boolean
  readonly isInTabOrder?: boolean
  readonly children: ReactNode
}): ReactNode {
  const openSection = useAppState((state) => state.openSection)
  return (
    <a
      className={className}
      href={formatRoute({ ...viewRoute('handbook'), item: section })}
      title={title}
      aria-label={label}
      aria-current={isCurrent ? 'true' : undefined}
      tabIndex={isInTabOrder ? undefined : -1}
      onClick={(event) => {
        // With a modifier key, the browser opens another tab or window.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        openSection(section)
      }}
    >
      {children}
    </a>
  )
}
