import type { ReactNode } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { MirrorLink } from '../../ui/signs/MirrorLink.tsx'
import { StatusWord } from '../../ui/signs/StatusWord.tsx'
import { SourceTag } from '../../ui/Tag.tsx'
import { WorkerState } from '../../ui/signs/WorkerState.tsx'
import styles from './CurrentPods.module.css'

const words = text.start.here

const rowsShown = 8

function Mirror({ row }: { readonly row: PodRow }): ReactNode {
  if (row.kind === 'mirror') return words.orphanedMirror
  if (row.mirror === null) return words.noMirror
  if (row.mirror !== 'matched') return <MirrorLink state={row.mirror} />
  return (
    <span className={styles['has']}>
      <Glyph name="mirror" />
      {words.mirror}
    </span>
  )
}

function Line({ row }: { readonly row: PodRow }): ReactNode {
  const openDrawer = useAppState((state) => state.openDrawer)
  return (
    <tr>
      <td className={styles['sign']}>{row.kind === 'static' ? <Glyph name="static" /> : null}</td>
      <th scope="row">
        <button
          type="button"
          className={styles['name']}
          title={row.name}
          onClick={() => openDrawer(row.key)}
        >
          {row.name}
        </button>
      </th>
      <td className={classNames(styles['faint'], styles['namespace'])} title={row.namespace}>
        {row.namespace}
      </td>
      <td className={styles['source']}>
        <SourceTag source={row.source} />
      </td>
      <td className={styles['num']}>
        {row.readyContainers}/{row.totalContainers}
      </td>
      <td className={styles['status']} title={row.status}>
        <StatusWord word={row.status} tone={row.tone} />
      </td>
      <td className={styles['worker']}>
        <WorkerState state={row.worker} isChip />
      </td>
      <td className={styles['uid']}>{row.uid}</td>
      <td className={styles['mirror']}>
        <Mirror row={row} />
      </td>
    </tr>
  )
}

/** The first pods of the shown node. */
export function CurrentPods({ rows }: { readonly rows: readonly PodRow[] }): ReactNode {
  const show = useAppState((state) => state.show)
  const setPodScope = useAppState((state) => state.setPodScope)
  return (
    <section className={styles['here']} aria-label={words.title}>
      <div className={styles['head']}>
        <h2>{words.title}</h2>
        <Button
          onClick={() => {
            setPodScope('node')
            show('pods')
          }}
        >
          {rows.length > rowsShown ? words.all(rows.length) : words.open}
        </Button>
      </div>
      {rows.length === 0 ? (
        <p className={styles['empty']}>{words.none}</p>
      ) : (
        <table className={styles['table']}>
          <tbody>
            {rows.slice(0, rowsShown).map((row) => (
              <Line key={row.key} row={row} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
