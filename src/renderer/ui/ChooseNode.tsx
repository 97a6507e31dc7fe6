import type { ReactNode } from 'react'
import { useAppState } from '../store/store-context.ts'
import { text } from '../text/text.ts'
import { Button } from './Button.tsx'
import styles from './ChooseNode.module.css'
import { EmptyState } from './EmptyState.tsx'

/** Stands in for a view of one node while the whole cluster is shown. */
export function ChooseNode({ meaning }: { readonly meaning: string }): ReactNode {
  const show = useAppState((state) => state.show)
  const { choose, toNodes } = text.inspect
  return (
    <div className={styles['view']}>
      <EmptyState title={choose} act={<Button onClick={() => show('nodes')}>{toNodes}</Button>}>
        {meaning}
      </EmptyState>
    </div>
  )
}
