import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { assertNever } from '../../shared/assert-never.ts'
import { ActDialogView } from '../features/acts/ActDialogView.tsx'
import { FlowView } from '../features/flow/FlowView.tsx'
import { Bar } from '../features/frame/Bar.tsx'
import { KeysDialog } from '../features/frame/KeysDialog.tsx'
import { Rail } from '../features/frame/Rail.tsx'
import { Toasts } from '../features/frame/Toasts.tsx'
import { LoopStrip } from '../features/loop/LoopStrip.tsx'
import { ManifestsView } from '../features/manifests/ManifestsView.tsx'
import { MirrorsView } from '../features/mirrors/MirrorsView.tsx'
import { PodDrawer } from '../features/pod/PodDrawer.tsx'
import { PodsView } from '../features/pods/PodsView.tsx'
import { StartView } from '../features/start/StartView.tsx'
import { ManifestProblems } from '../features/trouble/ManifestProblems.tsx'
import { Trouble } from '../features/trouble/Trouble.tsx'
import type { ViewName } from '../store/state.ts'
import { useAppState, useStore } from '../store/store-context.ts'
import { classNames } from '../ui/class-names.ts'
import styles from './App.module.css'

function useHelpKey(): void {
  const { state } = useStore()
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      const { target } = event
      if (event.key !== '?' || event.defaultPrevented) return
      if (target instanceof Element && target.closest('input, textarea, dialog') !== null) return
      event.preventDefault()
      state.getState().setKeysOpen(true)
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [state])
}

function View({ view }: { readonly view: ViewName }): ReactNode {
  switch (view) {
    case 'flow':
      return <FlowView />
    case 'pods':
      return <PodsView notices={<ManifestProblems />} />
    case 'mirrors':
      return <MirrorsView />
    case 'manifests':
      return <ManifestsView />
    case 'start':
      return <StartView notices={<ManifestProblems />} />
    default:
      return assertNever(view, 'view')
  }
}

/** The frame, and what is in it now. */
export function App(): ReactNode {
  const view = useAppState((state) => state.view)
  const cursor = useAppState((state) => state.cursor)
  const isDrawerOpen = useAppState((state) => state.isDrawerOpen)
  const dialog = useAppState((state) => state.dialog)
  const isKeysOpen = useAppState((state) => state.isKeysOpen)
  const setKeysOpen = useAppState((state) => state.setKeysOpen)
  useHelpKey()
  return (
    <div className={classNames(styles['app'], view === 'pods' && styles['folded'])}>
      <Bar />
      <Rail />
      <main className={styles['main']}>
        <Trouble />
        <View view={view} />
        <Toasts />
      </main>
      {isDrawerOpen && cursor !== null ? <PodDrawer podKey={cursor} /> : <span />}
      <LoopStrip />
      {dialog === null ? null : (
        <ActDialogView key={`${dialog.act} ${dialog.key}`} dialog={dialog} />
      )}
      {isKeysOpen ? <KeysDialog onClose={() => setKeysOpen(false)} /> : null}
    </div>
  )
}
