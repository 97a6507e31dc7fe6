import type { ReactNode } from 'react'
import { lazy, Suspense } from 'react'
import { text } from '../../text/text.ts'
import styles from './LazyHandbook.module.css'

// Loaded with the handbook's text when it is first opened. `lazy` needs a default export.
const View = lazy(async () => ({ default: (await import('./HandbookView.tsx')).HandbookView }))
const Panel = lazy(async () => ({ default: (await import('./HandbookPanel.tsx')).HandbookPanel }))

export function LazyHandbookView(): ReactNode {
  return (
    <Suspense fallback={<p className={styles['loading']}>{text.common.loading}</p>}>
      <View />
    </Suspense>
  )
}

export function LazyHandbookPanel(): ReactNode {
  return (
    <Suspense fallback={<div className={styles['panel']} />}>
      <Panel />
    </Suspense>
  )
}
