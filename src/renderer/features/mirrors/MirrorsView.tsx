import type { ReactNode } from 'react'

/** Mirror pods. */
export function MirrorsView(): ReactNode {
  return <h1>Mirror pods</h1>
}
