import type { ReactNode } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Banner } from './Banner.tsx'

/** Nodescope did not answer a request of the page, which shows the last answer and asks again. */
export function NotCurrent(): ReactNode {
  const failures = Object.entries(useAppState((state) => state.notCurrent))
  const [first] = failures
  if (first === undefined) return null
  return (
    <Banner title={text.attention.notCurrent(failures.map(([what]) => what).join(', '))}>
      {text.attention.notCurrentMeaning(first[1])}
    </Banner>
  )
}
