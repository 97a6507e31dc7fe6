import type { CSSProperties, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import type { DrawerTab } from '../../store/slices/detail-slice.ts'
import { hasSeveralNodes } from '../../store/shown-node.ts'
import { useAppState, useIsThere, useRow } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyLink } from '../../ui/CopyLink.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SourceTag, StaticTag, MirrorTag } from '../../ui/Tag.tsx'
import { Acts } from './Acts.tsx'
import { useContainerKeys } from './container-acts/use-container-keys.ts'
import { ContainersTab } from './summary/ContainersTab.tsx'
import { drawerPanelId, drawerTabId } from './drawer-ids.ts'
import { DrawerEdge } from './DrawerEdge.tsx'
import { DrawerTabs } from './DrawerTabs.tsx'
import { EventsTab } from './EventsTab.tsx'
import { GoneNote } from './GoneNote.tsx'
import { HistoryTab } from './history/HistoryTab.tsx'
import { LazyYamlTab } from './LazyYamlTab.tsx'
import { LogsTab } from './logs/LogsTab.tsx'
import styles from './PodDrawer.module.css'
import { TerminalTab } from './terminal/TerminalTab.tsx'
import { SummaryTab } from './summary/SummaryTab.tsx'
import { Uids } from './summary/Uids.tsx'
import { VolumesTab } from './volumes/VolumesTab.tsx'
import { useDrawerKeys } from './use-drawer-keys.ts'

interface TabProps {
  readonly row: PodRow
  readonly detail: PodDetail | null
}

function DrawerHead({ row, detail, isThere }: TabProps & { readonly isThere: boolean }): ReactNode {
  const closeDrawer = useAppState((state) => state.closeDrawer)
  const hasSeveral = useAppState(hasSeveralNodes)
  return (
    <div className={styles['top']}>
      <div className={styles['title']}>
        <h2 className={styles['name']} title={row.name}>
          {row.name}
        </h2>
        <CopyLink row={row} />
        <Button
          variant="quiet"
          icon="close"
          label={text.pod.close}
          title={text.pod.closeTitle}
          onClick={closeDrawer}
        />
      </div>
      <div className={styles['facts']}>
        <span>{row.namespace}</span>
        {row.node === '' ? (
          <span title={text.pod.noNodeTitle}>{text.pod.noNode}</span>
        ) : hasSeveral ? (
          <span title={text.pod.node}>{row.node}</span>
        ) : null}
        <SourceTag source={row.source} />
        {row.kind === 'static' ? <StaticTag /> : null}
        {row.kind === 'mirror' ? <MirrorTag word={text.pod.orphanMirror} /> : null}
        {detail === null || detail.facts.controlledBy === '' ? null : (
          <span className={styles['owner']}>{detail.facts.controlledBy}</span>
        )}
      </div>
      {row.kind === 'regular' ? <Uids row={row} /> : null}
      {isThere ? <Acts row={row} facts={detail?.facts ?? null} /> : null}
    </div>
  )
}

const tabs: Readonly<Record<DrawerTab, (props: TabProps) => ReactNode>> = {
  summary: SummaryTab,
  containers: ContainersTab,
  logs: LogsTab,
  terminal: TerminalTab,
  volumes: VolumesTab,
  history: ({ row, detail }) => <HistoryTab cluster={row.cluster} events={detail?.trace ?? []} />,
  events: EventsTab,
  yaml: LazyYamlTab,
}

function drawerStyle(width: number): CSSProperties {
  return { ['--drawer-width' as string]: `${width}px` }
}

/** The panel of one pod, in every view; its details arrive after it opens, and are kept current. */
export function PodDrawer({ podKey }: { readonly podKey: PodKey }): ReactNode {
  const known = useRow(podKey)
  const isThere = useIsThere(podKey)
  const latest = useAppState((state) => state.detail)
  const tab = useAppState((state) => state.drawerTab)
  const events = useAppState((state) => state.podEvents)
  const width = useAppState((state) => state.drawerWidth)
  const openings = useAppState((state) => state.openings)
  const drawer = useRef<HTMLElement>(null)
  useDrawerKeys()
  // After the layout effects, one of which stores where the focus was.
  useEffect(() => drawer.current?.focus(), [openings])
  const detail = latest?.row.key === podKey ? latest : null
  useContainerKeys(isThere ? detail : null)
  const row = known ?? detail?.row
  if (row === undefined) return <span />
  const Tab = tabs[tab]
  return (
    <aside
      ref={drawer}
      tabIndex={-1}
      className={styles['drawer']}
      style={width === null ? undefined : drawerStyle(width)}
      aria-label={text.pod.label(row.namespace, row.name)}
    >
      <DrawerEdge drawer={drawer} />
      <div className={styles['body']}>
        <DrawerHead row={row} detail={detail} isThere={isThere} />
        {isThere ? null : <GoneNote row={row} />}
        <DrawerTabs
          counts={{
            ...(detail === null ? {} : { containers: detail.containers.length }),
            ...(events === null ? {} : { events: events.events.length }),
          }}
        />
        <div
          id={drawerPanelId}
          role="tabpanel"
          tabIndex={-1}
          aria-labelledby={drawerTabId(tab)}
          className={classNames(styles['panel'], styles[tab], !isThere && styles['gone'])}
        >
          <Tab key={row.key} row={row} detail={detail} />
        </div>
      </div>
    </aside>
  )
}
