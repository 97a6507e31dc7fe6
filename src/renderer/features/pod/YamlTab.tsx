import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { stringify } from 'yaml'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import styles from './YamlTab.module.css'

const words = text.pod.yaml

type Version = 'api' | 'pod' | 'mirror' | 'status'

function EmptyVersion({
  version,
  row: { kind, worker, mirrorReason },
  apiNote,
}: {
  readonly version: Version
  readonly row: PodRow
  readonly apiNote: string
}): ReactNode {
  const { title, reason } = words.empty[version]
  const special: Readonly<Record<Version, string>> = {
    api: apiNote,
    pod: worker === 'noKubelet' ? words.noKubelet : kind === 'mirror' ? words.orphan : '',
    mirror: mirrorReason,
    status: '',
  }
  return (
    <EmptyState title={title}>{special[version] === '' ? reason : special[version]}</EmptyState>
  )
}

function firstVersion({ kind, worker }: PodRow): Version {
  if (worker === 'noKubelet') return 'api'
  return kind === 'mirror' ? 'mirror' : 'pod'
}

/** Of a pod whose kubelet is not this program, only the object of the API is known. */
function offeredVersions({ kind }: PodRow, isSeen: boolean): readonly Version[] {
  if (isSeen) return [kind === 'regular' ? 'api' : 'mirror']
  return kind === 'regular' ? ['api', 'pod', 'status'] : ['pod', 'mirror', 'status']
}

/** The pod as YAML, read only and kept current: the API object or mirror, what the kubelet works with, or the status alone. */
export function YamlTab({ row }: { readonly row: PodRow }): ReactNode {
  const objects = useAppState((state) => state.podObjects)
  const isSeen = useAppState(({ clusters }) =>
    clusters.some(({ id, seen }) => id === row.cluster && seen !== null),
  )
  const offered = offeredVersions(row, isSeen)
  const [wanted, setChosen] = useState<Version>(firstVersion(row))
  const chosen = offered.includes(wanted) ? wanted : (offered[0] ?? 'api')
  const object = objects === null ? null : objects[chosen]
  const yaml = useMemo(() => (object === null ? '' : stringify(object, { lineWidth: 0 })), [object])
  return (
    <div className={styles['yaml']}>
      <div className={styles['head']}>
        <Segmented
          label={words.object}
          segments={offered.map((value) => ({ value, ...words.versions[value] }))}
          value={chosen}
          onChange={setChosen}
        />
        {object === null ? null : (
          <CopyButton value={yaml} label={text.common.copyThe(text.pod.tabs.yaml)} />
        )}
      </div>
      {objects === null ? (
        <p className={styles['loading']}>{words.loading}</p>
      ) : object === null ? (
        <EmptyVersion version={chosen} row={row} apiNote={objects.apiNote} />
      ) : (
        <div className={styles['text']}>
          <CodeEditor
            key={chosen}
            value={yaml}
            readOnly
            language="yaml"
            label={words.label(row.name)}
          />
        </div>
      )}
    </div>
  )
}
