import type { ReactNode } from 'react'
import { useRef } from 'react'
import { assertNever } from '../../shared/assert-never.ts'
import { AllowDialog } from '../features/clusters/AllowDialog.tsx'
import { ChangesBanner } from '../features/clusters/ChangesBanner.tsx'
import { clusterStyle } from '../features/clusters/cluster-color.ts'
import { ClustersView } from '../features/clusters/open/ClustersView.tsx'
import { ClusterSwitcher } from '../features/clusters/open/ClusterSwitcher.tsx'
import { LeaveDialog } from '../features/clusters/LeaveDialog.tsx'
import { NodesView } from '../features/clusters/NodesView.tsx'
import { PluginDialog } from '../features/clusters/open/PluginDialog.tsx'
import { RightsView } from '../features/clusters/rights/RightsView.tsx'
import { SeenMirrorsView } from '../features/clusters/SeenMirrorsView.tsx'
import { SeenNodeDialogView } from '../features/clusters/SeenNodeDialogView.tsx'
import { useClusterKeys } from '../features/clusters/use-cluster-keys.ts'
import { WatchStrip } from '../features/clusters/WatchStrip.tsx'
import { ActDialogView } from '../features/acts/ActDialogView.tsx'
import { ApplyDialog } from '../features/apply/ApplyDialog.tsx'
import { AttentionBanners } from '../features/attention/AttentionBanners.tsx'
import { ManifestProblems } from '../features/attention/ManifestProblems.tsx'
import { EventsView } from '../features/events/EventsView.tsx'
import { FaultsDialog } from '../features/faults/FaultsDialog.tsx'
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
import { LogLabel, LogStrip } from '../features/kubelet-log/LogStrip.tsx'
import { InspectNode } from '../features/inspect/InspectNode.tsx'
import { LoopStrip } from '../features/loop/LoopStrip.tsx'
import { ManifestsView } from '../features/manifests/ManifestsView.tsx'
import { MirrorsView } from '../features/mirrors/MirrorsView.tsx'
import { useMirrorKeys } from '../features/mirrors/use-mirror-keys.ts'
import { ScenarioStrip } from '../features/gotchas/ScenarioStrip.tsx'
import { GotchasView } from '../features/gotchas/GotchasView.tsx'
import { NodeActsMenu } from '../features/nodes/NodeActsMenu.tsx'
import { NodeEditDialog } from '../features/nodes/NodeEditDialog.tsx'
import { NodeDialogView } from '../features/nodes/NodeDialogView.tsx'
import { Palette } from '../features/palette/Palette.tsx'
import { BehaviorDialog } from '../features/pod/behavior/BehaviorDialog.tsx'
import { PodDrawer } from '../features/pod/PodDrawer.tsx'
import { PodsView } from '../features/pods/PodsView.tsx'
import { PressureView } from '../features/pressure/PressureView.tsx'
import { RecorderStrip } from '../features/recording/RecorderStrip.tsx'
import { ScenarioDialogs } from '../features/scenarios/ScenarioDialogs.tsx'
import { RecordingStrip } from '../features/recording/RecordingStrip.tsx'
import { StartView } from '../features/start/StartView.tsx'
import { TimelineView } from '../features/timeline/TimelineView.tsx'
import { OwnerDialogView } from '../features/workloads/OwnerDialogView.tsx'
import { WorkloadsView } from '../features/workloads/WorkloadsView.tsx'
import type { ViewName } from '../store/view-name.ts'
import { shownCluster, shownSeen } from '../store/shown-node.ts'
import { useAppState } from '../store/store-context.ts'
import { text } from '../text/text.ts'
import { classNames } from '../ui/class-names.ts'
import { RowsActDialog } from '../ui/table/RowsActDialog.tsx'
import styles from './App.module.css'
import { DropZone } from './DropZone.tsx'
import { useFocusReturn } from './use-focus-return.ts'

function View({ view }: { readonly view: ViewName }): ReactNode {
  const isSeen = useAppState((state) => shownSeen(state) !== undefined)
  switch (view) {
    case 'flow':
      return <FlowView />
    case 'nodes':
      return <NodesView />
    case 'inspect':
      return <InspectNode />
    case 'rights':
      return <RightsView />
    case 'clusters':
      return <ClustersView />
    case 'pods':
      return <PodsView notices={<ManifestProblems />} />
    case 'workloads':
      return <WorkloadsView />
    case 'pressure':
      return <PressureView />
    case 'mirrors':
      return isSeen ? <SeenMirrorsView /> : <MirrorsView />
    case 'timeline':
      return <TimelineView />
    case 'events':
      return <EventsView />
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

/** The dialogs about clusters that are only looked at, and about opening them. */
function ClusterDialogs(): ReactNode {
  const cluster = useAppState(shownCluster)
  const isAllowOpen = useAppState((state) => state.isAllowOpen)
  const isSwitcherOpen = useAppState((state) => state.isSwitcherOpen)
  const question = useAppState((state) => state.pluginQuestion)
  const nodeDialog = useAppState((state) => state.seenNodeDialog)
  const ownerDialog = useAppState((state) => state.ownerDialog)
  const editedNode = useAppState((state) => state.editedNode)
  const faultsCluster = useAppState((state) => state.faultsCluster)
  const applyCluster = useAppState((state) => state.applyCluster)
  const leaving = useAppState(({ clusters, leavingCluster }) =>
    clusters.find(({ id }) => id === leavingCluster),
  )
  const seen = cluster?.seen ?? null
  return (
    <>
      {isAllowOpen && cluster !== undefined && seen !== null ? (
        <AllowDialog cluster={cluster} seen={seen} />
      ) : null}
      {applyCluster === null ? null : <ApplyDialog key={applyCluster} cluster={applyCluster} />}
      {editedNode === null ? null : <NodeEditDialog key={editedNode.node} node={editedNode} />}
      {faultsCluster === null ? null : <FaultsDialog key={faultsCluster} cluster={faultsCluster} />}
      {isSwitcherOpen ? <ClusterSwitcher /> : null}
      {leaving === undefined ? null : <LeaveDialog cluster={leaving} />}
      {question === null ? null : <PluginDialog asked={question} />}
      {ownerDialog === null ? null : <OwnerDialogView dialog={ownerDialog} />}
      {nodeDialog === null ? null : (
        <SeenNodeDialogView key={`${nodeDialog.act} ${nodeDialog.node.node}`} dialog={nodeDialog} />
      )}
    </>
  )
}

/** The dialogs over the page: at most one of each. */
function Dialogs(): ReactNode {
  const dialog = useAppState((state) => state.dialog)
  const nodeDialog = useAppState((state) => state.nodeDialog)
  const rowsDialog = useAppState((state) => state.rowsDialog)
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
      {rowsDialog === null ? null : <RowsActDialog dialog={rowsDialog} />}
      <ClusterDialogs />
      <ScenarioDialogs />
      {openDialog === 'keys' ? <KeysDialog onClose={close} /> : null}
      {openDialog === 'settings' ? <SettingsDialog onClose={close} /> : null}
      {openDialog === 'palette' ? <Palette onClose={close} /> : null}
    </>
  )
}

/** Below every view: what its source does now. */
function Strip({ view }: { readonly view: ViewName }): ReactNode {
  const seen = useAppState(shownSeen)
  const isPast = useAppState((state) => (shownCluster(state)?.recording ?? null) !== null)
  const isLogged = useAppState((state) => shownCluster(state)?.kind === 'log')
  if (view === 'log') return <LogStrip />
  // Nothing tells of the rounds of the loop.
  if (isLogged || (seen !== undefined && isPast)) return <span />
  return seen === undefined ? <LoopStrip /> : <WatchStrip seen={seen} />
}

/** The whole page: bar, rail, the view, the panels and the dialogs. */
export function App(): ReactNode {
  const view = useAppState((state) => state.view)
  const cursor = useAppState((state) => state.cursor)
  const isDrawerOpen = useAppState((state) => state.isDrawerOpen)
  const isHandbookOpen = useAppState((state) => state.isHandbookOpen)
  const seen = useAppState((state) => {
    const shown = shownSeen(state)
    // The bar of the log names no cluster; the banner of one that can be changed does.
    return state.view === 'log' && shown?.changes.kind !== 'allowed' ? undefined : shown
  })
  const main = useRef<HTMLElement>(null)
  useFrameKeys()
  useMirrorKeys()
  useClusterKeys()
  useFocusReturn(isDrawerOpen, main)
  useFocusReturn(isHandbookOpen, main)
  return (
    <div
      className={classNames(
        styles['app'],
        isHandbookOpen && styles['reading'],
        seen !== undefined && styles['real'],
        seen?.changes.kind === 'allowed' && styles['writes'],
      )}
      style={seen === undefined ? undefined : clusterStyle(seen.color)}
    >
      <button type="button" className={styles['skip']} onClick={() => main.current?.focus()}>
        {text.frame.skip}
      </button>
      <Bar acts={<NodeActsMenu />} subject={view === 'log' ? <LogLabel /> : undefined} />
      <Rail />
      <main ref={main} className={styles['main']} tabIndex={-1}>
        <ChangesBanner />
        <AttentionBanners />
        <ScenarioStrip />
        <RecordingStrip />
        <RecorderStrip />
        <LinkNotice />
        <LeadNote />
        <View view={view} />
        <Toasts />
      </main>
      {isDrawerOpen && cursor !== null ? <PodDrawer podKey={cursor} /> : <span />}
      {isHandbookOpen ? <LazyHandbookPanel /> : <span />}
      <Strip view={view} />
      <Dialogs />
      <DropZone />
    </div>
  )
}
