import type { ReactNode } from 'react'
import { useState } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { shortUid } from '../../words/uid.ts'
import { Lesson } from './Lesson.tsx'
import styles from './Lessons.module.css'
import { GracePicture, ManifestPicture, MirrorPicture } from './Pictures.tsx'
import { namespaceFlag } from './start-facts.ts'

/** The uid that the mirror had when this page first showed it; another one now means that it came back. */
function MirrorOutcome({ row }: { readonly row: PodRow }): ReactNode {
  const [first, setFirst] = useState(row.mirrorUid)
  if (first === null) {
    if (row.mirrorUid !== null) setFirst(row.mirrorUid)
    return null
  }
  if (row.mirrorUid === first)
    return <span className={styles['hint']}>mirror {shortUid(first)}</span>
  if (row.mirrorUid === null)
    return <span className={styles['hint']}>gone; the kubelet makes it anew</span>
  return (
    <span className={styles['done']}>
      <Icon name="check" />
      <span>
        {shortUid(first)} became {shortUid(row.mirrorUid)}
      </span>
    </span>
  )
}

export function MirrorLesson({
  number,
  row,
}: {
  readonly number: number
  readonly row: PodRow
}): ReactNode {
  const openDrawer = useAppState((state) => state.openDrawer)
  return (
    <Lesson
      number={number}
      title="Delete a mirror pod"
      picture={<MirrorPicture />}
      words="It comes back with a new UID. The container keeps its start time: only the API’s copy was deleted."
    >
      <CommandLine
        line={`kubectl delete pod${namespaceFlag(row)} ${row.name} --wait=false`}
        isWrapped
      />
      <div className={styles['row']}>
        <Button onClick={() => openDrawer(row.key)}>Watch it here</Button>
        <MirrorOutcome key={row.key} row={row} />
      </div>
    </Lesson>
  )
}

export function GraceLesson({
  number,
  row,
}: {
  readonly number: number
  readonly row: PodRow
}): ReactNode {
  const askAct = useAppState((state) => state.askAct)
  const openDrawer = useAppState((state) => state.openDrawer)
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  return (
    <Lesson
      number={number}
      title="Count down a grace period"
      picture={<GracePicture />}
      words={`${row.name} gets SIGTERM at once and SIGKILL after five seconds, unless it leaves before. A process that ignores SIGTERM ends with exit code 137.`}
    >
      <CommandLine
        line={`kubectl delete pod${namespaceFlag(row)} ${row.name} --grace-period=5`}
        isWrapped
      />
      <div className={styles['row']}>
        {isReadOnly ? null : (
          <Button
            onClick={() => {
              openDrawer(row.key)
              askAct({ act: 'kill', key: row.key, graceSeconds: 5 })
            }}
          >
            Kill it with 5 s…
          </Button>
        )}
        <span className={styles['hint']}>
          {isReadOnly ? 'read-only here' : 'killed here, its object stays'}
        </span>
      </div>
    </Lesson>
  )
}

export function ManifestLesson({
  number,
  path,
}: {
  readonly number: number
  readonly path: string
}): ReactNode {
  return (
    <Lesson
      number={number}
      title="Edit a manifest"
      picture={<ManifestPicture />}
      words="Change a file here and save it. The new version has a new UID and waits until the old pod of its name has stopped."
    >
      <CommandLine line={path} prompt="" isWrapped label="Copy the path of the manifest folder" />
      <div className={styles['row']}>
        <span className={styles['hint']}>
          the folder is watched; a new file is a new static pod
        </span>
      </div>
    </Lesson>
  )
}
