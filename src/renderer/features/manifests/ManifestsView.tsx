import type { ReactNode } from 'react'

/** Manifests. */
export function ManifestsView(): ReactNode {
  return <h1>Manifests</h1>
}
