import type { ReactNode } from 'react'
import { lazy, Suspense } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { text } from '../../text/text.ts'
import styles from './YamlTab.module.css'

// `lazy` needs a default export; no other module has one.
const Tab = lazy(async () => ({ default: (await import('./YamlTab.tsx')).YamlTab }))

/** Loaded when first shown, so that the page's first paint does not wait for the YAML library. */
export function LazyYamlTab({ row }: { readonly row: PodRow }): ReactNode {
  return (
    <Suspense
      fallback={
        <div className={styles['yaml']}>
          <p className={styles['loading']}>{text.common.loading}</p>
        </div>
      }
    >
      <Tab row={row} />
    </Suspense>
  )
}
