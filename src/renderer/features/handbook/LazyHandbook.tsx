import type { ReactNode } from 'react'
import { lazy, Suspense } from 'react'
import styles from './LazyHandbook.module.css'

// Its text comes with it, when it is first opened. `lazy` wants a default export, which this code has nowhere else.
const View = lazy(async () => ({ default: (await import('./HandbookView.tsx')).HandbookView }))
const Panel = lazy(async () => ({ default: (await import('./HandbookPanel.tsx')).HandbookPanel }))

/** The view of the whole handbook. */
export function LazyHandbookView(): ReactNode {
  return (
    <Suspense fallback={<p className={styles['loading']}>Loading…</p>}>
      <View />
    </Suspense>
  )
}

/** The panel beside the view. */
export function LazyHandbookPanel(): ReactNode {
  return (
    <Suspense fallback={<div className={styles['panel']} />}>
      <Panel />
    </Suspense>
  )
}
