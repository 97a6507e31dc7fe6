import type { ReactNode } from 'react'

/** Flow. */
export function FlowView(): ReactNode {
  return <h1>Flow</h1>
}
