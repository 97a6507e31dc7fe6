import type { ReactNode } from 'react'
import type {
  ReferredObject,
  VolumeSource,
} from '../../../../shared/model/inside-pod/pod-volumes.ts'
import { text } from '../../../text/text.ts'
import { fullTimeText } from '../../../words/time.ts'
import styles from './VolumesTab.module.css'

const words = text.pod.volumes

/** When the kubelet last knew it, where it no longer watches. */
export function AsOf({ at }: { readonly at: number | null }): ReactNode {
  if (at === null) return null
  return (
    <span className={styles['asOf']} title={`${words.state.asOfTitle}: ${fullTimeText(at)}`}>
      {words.state.asOf(at)}
    </span>
  )
}

function Referred({ object }: { readonly object: ReferredObject }): ReactNode {
  const keys = words.keysText(object)
  return (
    <>
      {object.kind} <b title={object.keys.join(', ')}>{object.name}</b>
      {keys === '' ? null : `, ${keys}`} <AsOf at={object.asOf} />
    </>
  )
}

/** What a volume is made of. */
export function SourceOf({ source }: { readonly source: VolumeSource }): ReactNode {
  switch (source.kind) {
    case 'object':
      return <Referred object={source.object} />
    case 'emptyDir':
      return words.emptyDir(source.medium, source.sizeLimit)
    case 'hostPath':
      return words.hostPath(source.path, source.type)
    case 'downwardAPI':
      return words.downwardAPI(source.items)
    case 'projected':
      return words.projected(source.parts)
    case 'claim':
      return (
        <>
          {words.claim} <b>{source.name}</b>
        </>
      )
    case 'storage':
      return source.type
  }
}
