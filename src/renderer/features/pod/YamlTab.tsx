import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { stringify } from 'yaml'
import { assertNever } from '../../../shared/assert-never.ts'
import type { PodObjects } from '../../../shared/model/pod-objects.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState } from '../../store/store-context.ts'
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { Segment } from '../../ui/Segmented.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import styles from './YamlTab.module.css'

type Version = 'api' | 'pod' | 'mirror' | 'status'

const versions: readonly Segment<Version>[] = [
  { value: 'api', label: 'API object', title: 'The object that the API server has now' },
  { value: 'pod', label: 'In the kubelet', title: 'The pod as the kubelet uses it' },
  { value: 'mirror', label: 'Mirror in the API', title: 'The mirror as the kubelet last saw it' },
  { value: 'status', label: 'Status', title: 'The last status that the kubelet computed' },
]

function objectOf(objects: PodObjects, version: Version): object | null {
  switch (version) {
    case 'api':
      return objects.api
    case 'pod':
      return objects.pod
    case 'mirror':
      return objects.mirror
    case 'status':
      return objects.status
    default:
      return assertNever(version, 'version of the pod')
  }
}

function Nothing({
  version,
  row,
  apiNote,
}: {
  readonly version: Version
  readonly row: PodRow
  readonly apiNote: string
}): ReactNode {
  switch (version) {
    case 'api':
      return (
        <EmptyState title="No API object">
          {apiNote === '' ? 'The API server no longer has this pod.' : apiNote}
        </EmptyState>
      )
    case 'pod':
      return (
        <EmptyState title="Not in the kubelet">
          {row.worker === 'noKubelet'
            ? 'No kubelet has this pod yet; it exists only in the API server.'
            : row.kind === 'mirror'
              ? 'This is an orphaned mirror: the node has no static pod of its name.'
              : 'It has left the kubelet’s config.'}
        </EmptyState>
      )
    case 'mirror':
      return (
        <EmptyState title="No mirror in the API">
          {row.mirrorReason === '' ? 'The API server has no mirror of this pod.' : row.mirrorReason}
        </EmptyState>
      )
    case 'status':
      return (
        <EmptyState title="No status yet">
          The kubelet computes one when its worker first syncs the pod.
        </EmptyState>
      )
    default:
      return assertNever(version, 'version of the pod')
  }
}

function firstVersion({ kind, worker }: PodRow): Version {
  if (worker === 'noKubelet') return 'api'
  return kind === 'mirror' ? 'mirror' : 'pod'
}

/** The pod as YAML, read only and kept current: the API object or mirror, what the kubelet works with, or the status alone. */
export function YamlTab({ row }: { readonly row: PodRow }): ReactNode {
  const objects = useAppState((state) => state.podObjects)
  const [chosen, setChosen] = useState<Version>(firstVersion(row))
  const left = row.kind === 'regular' ? 'mirror' : 'api'
  const offered = versions.filter(({ value }) => value !== left)
  const object = objects === null ? null : objectOf(objects, chosen)
  const text = useMemo(() => (object === null ? '' : stringify(object, { lineWidth: 0 })), [object])
  return (
    <div className={styles['yaml']}>
      <div className={styles['head']}>
        <Segmented
          label="Object"
          segments={offered}
          value={chosen}
          onChange={(version) => setChosen(version)}
        />
        {object === null ? null : <CopyButton value={text} label="Copy the YAML" />}
      </div>
      {objects === null ? (
        <p className={styles['loading']}>Loading from the kubelet…</p>
      ) : object === null ? (
        <Nothing version={chosen} row={row} apiNote={objects.apiNote} />
      ) : (
        <div className={styles['text']}>
          <CodeEditor
            key={chosen}
            value={text}
            readOnly
            language="yaml"
            label={`YAML of ${row.name}`}
          />
        </div>
      )}
    </div>
  )
}
