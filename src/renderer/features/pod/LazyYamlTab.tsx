import type { ReactNode } from 'react'
import { lazy, Suspense } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import styles from './YamlTab.module.css'

// `lazy` wants a default export, which this code has nowhere else.
const Tab = lazy(async () => ({ default: (await import('./YamlTab.tsx')).YamlTab }))

/** Fetched when it is first shown, so that the page's first paint does not pay for YAML. */
export function LazyYamlTab({ row }: { readonly row: PodRow }): ReactNode {
  return (
    <Suspense
      fallback={
        <div className={styles['yaml']}>
          <p className={styles['loading']}>Loading…</p>
        </div>
      }
    >
      <Tab row={row} />
    </Suspense>
  )
}
