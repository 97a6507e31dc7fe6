import type { ReactNode } from 'react'
import type { Bridge } from '../../../../shared/ipc/contract.ts'
import type { CgroupFile, PodCgroups } from '../../../../shared/model/inside-pod/pod-cgroups.ts'
import type { PodKey } from '../../../../shared/model/pod-row.ts'
import { useAnswer } from '../../../store/requests/use-answer.ts'
import { text } from '../../../text/text.ts'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'
import styles from './Cgroups.module.css'
import { Fold } from './Fold.tsx'

const words = text.pod.resources.cgroup

function askCgroups(bridge: Bridge, key: PodKey): Promise<PodCgroups | null> {
  return bridge.request('pod.cgroups', { key })
}

/** Asked again when `version` changes. */
interface PodProps {
  readonly pod: PodKey
  readonly version: unknown
}

function Files({ files }: { readonly files: readonly CgroupFile[] }): ReactNode {
  return (
    <dl className={styles['files']}>
      {files.map(({ name, value, amount, isSet }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
            <span>
              {isSet ? (name === 'cpu.weight' ? words.shares(amount) : amount) : words.unset}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Undefined: not answered yet. */
function useCgroups({ pod, version }: PodProps): PodCgroups | null | undefined {
  const { value, state } = useAnswer(text.pod.resources.askedCgroups, pod, askCgroups, version)
  return state === 'gone' ? null : (value ?? undefined)
}

function ContainerFiles({ name, ...props }: PodProps & { readonly name: string }): ReactNode {
  const cgroups = useCgroups(props)
  if (cgroups === undefined) return null
  const files = cgroups?.containers.find((one) => one.name === name)?.files
  if (cgroups === null || files === undefined) return <p className={styles['note']}>{words.none}</p>
  return (
    <>
      <Files files={files} />
      <p className={styles['note']}>{words.containerNote(cgroups)}</p>
      {cgroups.version === 1 ? null : (
        <p className={styles['note']}>
          {words.weight} {words.memoryQos}
        </p>
      )}
    </>
  )
}

function PodFiles(props: PodProps): ReactNode {
  const cgroups = useCgroups(props)
  if (cgroups === undefined) return null
  if (cgroups === null) return <p className={styles['note']}>{words.none}</p>
  const { path, qosClass } = cgroups
  return (
    <>
      <p className={styles['path']}>
        <span>{words.qosClass(qosClass)}</span> <code>{path === '' ? words.noPath : path}</code>
      </p>
      {path === '' ? null : <Files files={cgroups.pod} />}
      {path === '' ? null : <p className={styles['note']}>{words.podNote(cgroups)}</p>}
    </>
  )
}

/** What the kubelet asks the runtime to write to the cgroup of a container. */
export function ContainerCgroup({
  name,
  ...props
}: PodProps & { readonly name: string }): ReactNode {
  return (
    <Fold title={words.ofContainer} label={words.label(name)}>
      <ContainerFiles name={name} {...props} />
    </Fold>
  )
}

/** What a kubelet writes to the cgroup of the pod, and where that is. */
export function PodCgroup(props: PodProps): ReactNode {
  return (
    <div className={styles['pod']}>
      <Fold title={words.ofPod} label={words.podLabel}>
        <PodFiles {...props} />
        <SectionTag section="containers#cgroups" />
      </Fold>
    </div>
  )
}
