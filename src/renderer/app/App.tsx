import type { ReactNode } from 'react'
import { useRef } from 'react'
import { assertNever } from '../../shared/assert-never.ts'
import { ActDialogView } from '../features/acts/ActDialogView.tsx'
import { AttentionBanners } from '../features/attention/AttentionBanners.tsx'
import { ManifestProblems } from '../features/attention/ManifestProblems.tsx'
import { FlowView } from '../features/flow/FlowView.tsx'
import { Bar } from '../features/frame/Bar.tsx'
import { KeysDialog } from '../features/frame/KeysDialog.tsx'
import { LeadNote } from '../features/frame/LeadHint.tsx'
import { LinkNotice } from '../features/frame/LinkNotice.tsx'
import { Rail } from '../features/frame/Rail.tsx'
import { SettingsDialog } from '../features/frame/SettingsDialog.tsx'
import { Toasts } from '../features/frame/Toasts.tsx'
import { useFrameKeys } from '../features/frame/use-frame-keys.ts'
import { LazyHandbookPanel, LazyHandbookView } from '../features/handbook/LazyHandbook.tsx'
import { KubeletLogView } from '../features/kubelet-log/KubeletLogView.tsx'
import { LogDrop } from '../features/kubelet-log/LogDrop.tsx'
import { LogLabel, LogStrip } from '../features/kubelet-log/LogStrip.tsx'
import { LoopStrip } from '../features/loop/LoopStrip.tsx'
import { ManifestsView } from '../features/manifests/ManifestsView.tsx'
import { MirrorsView } from '../features/mirrors/MirrorsView.tsx'
import { useMirrorKeys } from '../features/mirrors/use-mirror-keys.ts'
import { GotchaStrip } from '../features/gotchas/GotchaStrip.tsx'
import { GotchasView } from '../features/gotchas/GotchasView.tsx'
import { NodeActsMenu } from '../features/nodes/NodeActsMenu.tsx'
import { NodeDialogView } from '../features/nodes/NodeDialogView.tsx'
import { Palette } from '../features/palette/Palette.tsx'
import { BehaviorDialog } from '../features/pod/behavior/BehaviorDialog.tsx'
import { PodDrawer } from '../features/pod/PodDrawer.tsx'
import { PodsView } from '../features/pods/PodsView.tsx'
import { RecordingStrip } from '../features/recording/RecordingStrip.tsx'
import { StartView } from '../features/start/StartView.tsx'
import type { ViewName } from '../store/view-name.ts'
import { useAppState } from '../store/store-context.ts'
import { text } from '../text/text.ts'
import { classNames } from '../ui/class-names.ts'
import styles from './App.module.css'
import { useFocusReturn } from './use-focus-return.ts'

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
    case 'log':
      return <KubeletLogView />
    case 'gotchas':
      return <GotchasView />
    case 'handbook':
      return <LazyHandbookView />
    case 'start':
      return <StartView notices={<ManifestProblems />} />
    default:
      return assertNever(view, 'view')
  }
}

/** The dialogs over the page: at most one of each. */
function Dialogs(): ReactNode {
  const dialog = useAppState((state) => state.dialog)
  const nodeDialog = useAppState((state) => state.nodeDialog)
  const openDialog = useAppState((state) => state.openDialog)
  const behaviorOf = useAppState((state) => state.behaviorOf)
  const setOpenDialog = useAppState((state) => state.setOpenDialog)
  const close = (): void => setOpenDialog(null)
  return (
    <>
      {dialog === null ? null : (
        <ActDialogView
          key={`${dialog.act} ${dialog.key} ${dialog.container ?? ''}`}
          dialog={dialog}
        />
      )}
      {behaviorOf === null ? null : (
        <BehaviorDialog key={`${behaviorOf.key} ${behaviorOf.container}`} of={behaviorOf} />
      )}
      {nodeDialog === null ? null : <NodeDialogView key={nodeDialog.act} dialog={nodeDialog} />}
      {openDialog === 'keys' ? <KeysDialog onClose={close} /> : null}
      {openDialog === 'settings' ? <SettingsDialog onClose={close} /> : null}
      {openDialog === 'palette' ? <Palette onClose={close} /> : null}
    </>
  )
}

/** The whole page: bar, rail, the view, the panels and the dialogs. */
export function App(): ReactNode {
  const view = useAppState((state) => state.view)
  const cursor = useAppState((state) => state.cursor)
  const isDrawerOpen = useAppState((state) => state.isDrawerOpen)
  const isHandbookOpen = useAppState((state) => state.isHandbookOpen)
  const main = useRef<HTMLElement>(null)
  useFrameKeys()
  useMirrorKeys()
  useFocusReturn(isDrawerOpen, main)
  useFocusReturn(isHandbookOpen, main)
  return (
    <div className={classNames(styles['app'], isHandbookOpen && styles['reading'])}>
      <button type="button" className={styles['skip']} onClick={() => main.current?.focus()}>
        {text.frame.skip}
      </button>
      <Bar acts={<NodeActsMenu />} subject={view === 'log' ? <LogLabel /> : undefined} />
      <Rail />
      <main ref={main} className={styles['main']} tabIndex={-1}>
        <AttentionBanners />
        <GotchaStrip />
        <RecordingStrip />
        <LinkNotice />
        <LeadNote />
        <View view={view} />
        <Toasts />
      </main>
      {isDrawerOpen && cursor !== null ? <PodDrawer podKey={cursor} /> : <span />}
      {isHandbookOpen ? <LazyHandbookPanel /> : <span />}
      {view === 'log' ? <LogStrip /> : <LoopStrip />}
      <LogDrop />
      <Dialogs />
    </div>
  )
}
