import type { ReactNode } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { Banner } from './Banner.tsx'

/** What main did not answer is shown as it was last, and is asked for again. */
export function NotCurrent(): ReactNode {
  const failures = Object.entries(useAppState((state) => state.notCurrent))
  const [first] = failures
  if (first === undefined) return null
  return (
    <Banner title={`Not current: ${failures.map(([what]) => what).join(', ')}`}>
      Nodescope did not answer: {first[1]} The page shows the last answer and asks again.
    </Banner>
  )
}
