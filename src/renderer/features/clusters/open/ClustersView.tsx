import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { ClusterView } from '../../../../shared/model/cluster-view.ts'
import type { KubeconfigContext } from '../../../../shared/model/seen/kubeconfigs.ts'
import type { ListedKubeconfig } from '../../../store/slices/clusters-slice.ts'
import { contextId, sourceId } from '../../../store/slices/clusters-slice.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterField } from '../../../ui/FilterField.tsx'
import { isTyping } from '../../../ui/is-typing.ts'
import { KeysLine } from '../../../ui/KeysLine.tsx'
import { movedIndex } from '../../../ui/list/list-keys.ts'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { clusterStyle } from '../cluster-color.ts'
import styles from './ClustersView.module.css'
import { ContextTable } from './ContextTable.tsx'
import { kubeconfigName } from './kubeconfig-words.ts'
import { KubeconfigList } from './KubeconfigList.tsx'
import { OpeningFacts } from './OpeningFacts.tsx'
import { showCluster } from './show-cluster.ts'

const words = text.clusters.open

function OpenCluster({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const showNode = useAppState((state) => state.showNode)
  const show = useAppState((state) => state.show)
  const close = useAppState((state) => state.closeCluster)
  const { id, label, server, seen } = cluster
  return (
    <li className={styles['open']} style={clusterStyle(seen?.color ?? 0)}>
      <span className={seen === null ? styles['noSwatch'] : styles['swatch']} />
      <b>{label}</b>
      <small>{server}</small>
      <Button isSmall onClick={() => showCluster(cluster, { showNode, show })}>
        {words.show}
      </Button>
      {seen === null ? null : (
        <Button
          variant="quiet"
          isSmall
          icon="close"
          label={words.close(label)}
          title={words.close(label)}
          onClick={() => void close(id)}
        />
      )}
    </li>
  )
}

function matches(context: KubeconfigContext, filter: string): boolean {
  const { name, server, userName, namespace } = context
  const all = `${name} ${server} ${userName} ${namespace}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

function Contexts({ kubeconfig }: { readonly kubeconfig: ListedKubeconfig }): ReactNode {
  const { contexts, currentContext, source } = kubeconfig
  const open = useAppState((state) => state.openContext)
  const opening = useAppState((state) => state.openingContext)
  const [filter, setFilter] = useState('')
  const [chosen, setChosen] = useState(currentContext)
  const [colors, setColors] = useState<Readonly<Record<string, number>>>({})
  const table = useRef<HTMLDivElement>(null)
  const shown = contexts.filter((context) => matches(context, filter))
  const context = shown.find(({ name }) => name === chosen) ?? shown[0]
  const openThis = ({ name, color }: KubeconfigContext): void =>
    void open({ source, context: name, color: colors[name] ?? color })
  usePageKeys(({ key }) => {
    const names = [...(table.current?.querySelectorAll<HTMLElement>('[data-context]') ?? [])]
    const at = names.findIndex((name) => name === document.activeElement)
    const index = movedIndex(key, { at, count: names.length, pageRows: 10 })
    if (index === undefined) return false
    names[index]?.focus()
    return true
  })
  const servers = new Set(contexts.map(({ server }) => server)).size
  return (
    <>
      <div className={styles['head']}>
        <h2>{kubeconfigName(kubeconfig)}</h2>
        <p>{words.summary(contexts.length, servers)}</p>
        <span className={styles['grow']} />
        <div className={styles['filter']}>
          <FilterField
            label={words.filter}
            placeholder={words.filter}
            text={filter}
            shown={shown.length}
            total={contexts.length}
            onChange={setFilter}
            onLeave={() => undefined}
          />
        </div>
      </div>
      <div ref={table} className={styles['contexts']}>
        <ContextTable
          kubeconfig={kubeconfig}
          contexts={shown}
          chosen={context?.name ?? ''}
          onChoose={setChosen}
          onOpen={openThis}
        />
      </div>
      {context === undefined ? null : (
        <OpeningFacts
          context={context}
          color={colors[context.name] ?? context.color ?? 0}
          isOpening={opening === contextId({ source, context: context.name })}
          onColor={(color) => setColors({ ...colors, [context.name]: color })}
          onOpen={() => openThis(context)}
        />
      )}
    </>
  )
}

/** A pasted text with contexts is a kubeconfig. */
function usePaste(): void {
  const read = useAppState((state) => state.readKubeconfig)
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const pasted = event.clipboardData?.getData('text') ?? ''
      if (isTyping(event.target) || pasted.trim() === '') return
      event.preventDefault()
      void read({ kind: 'text', name: '', text: pasted })
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [read])
}

/** Opening a cluster: its kubeconfig, its context, and what opening it does. Nothing is contacted to fill the list. */
export function ClustersView(): ReactNode {
  const kubeconfigs = useAppState((state) => state.kubeconfigs)
  const clusters = useAppState((state) => state.clusters)
  const list = useAppState((state) => state.listKubeconfigs)
  const wanted = useAppState((state) => state.chosenKubeconfig)
  const setWanted = useAppState((state) => state.chooseKubeconfig)
  useEffect(() => void list(), [list, clusters.length])
  usePaste()
  const chosen =
    kubeconfigs?.find(({ source }) => sourceId(source) === wanted) ??
    kubeconfigs?.find(({ contexts }) => contexts.length > 0)
  return (
    <div className={styles['view']}>
      <div className={styles['columns']}>
        <div className={styles['left']}>
          <h1>{words.title}</h1>
          <h2 className={styles['label']}>{words.here}</h2>
          <ul className={styles['files']}>
            {clusters.map((cluster) => (
              <OpenCluster key={cluster.id} cluster={cluster} />
            ))}
          </ul>
          <KubeconfigList
            chosen={chosen === undefined ? '' : sourceId(chosen.source)}
            onChoose={setWanted}
          />
        </div>
        <div className={styles['right']}>
          {chosen === undefined ? (
            <div className={styles['nothing']}>
              {kubeconfigs === null ? null : (
                <EmptyState title={words.empty.title}>{words.empty.meaning}</EmptyState>
              )}
            </div>
          ) : (
            <Contexts key={sourceId(chosen.source)} kubeconfig={chosen} />
          )}
        </div>
      </div>
      <KeysLine keys={words.keys} />
    </div>
  )
}
