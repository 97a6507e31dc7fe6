import type { ReactNode } from 'react'
import { useEffect } from 'react'
import type { Toast } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import styles from './Toasts.module.css'

const shownMs = 8000

function ToastCard({ toast }: { readonly toast: Toast }): ReactNode {
  const dismiss = useAppState((state) => state.dismissToast)
  useEffect(() => {
    const timer = setTimeout(() => dismiss(toast.id), shownMs)
    return () => clearTimeout(timer)
  }, [dismiss, toast.id])
  return (
    <div className={styles['toast']}>
      <Icon name="check" />
      <span>{toast.message}</span>
      <Button
        variant="quiet"
        icon="close"
        label={text.common.close}
        onClick={() => dismiss(toast.id)}
      />
    </div>
  )
}

/** Short messages about what has started. Nothing here needs an answer. */
export function Toasts(): ReactNode {
  const toasts = useAppState((state) => state.toasts)
  const hasEditor = useAppState((state) => state.view === 'manifests')
  return (
    <output className={classNames(styles['place'], hasEditor && styles['overEditor'])}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </output>
  )
}
