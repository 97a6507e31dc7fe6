import type { ReactNode } from 'react'
import { text } from '../../../text/text.ts'
import { useFlow } from '../flow-context.ts'
import { Lines } from '../lists/PartLists.tsx'

const details = text.flow.details

/** The probes of pods on the node. */
export function ProberContent(): ReactNode {
  const { noResult, probe, ...words } = details.probers
  const prober = useFlow((flow) => flow.prober)
  const lines = (prober?.lines ?? []).map(
    ({ podName, container, type, periodSeconds, result }) => ({
      name: podName,
      note: probe(type, container, periodSeconds),
      side: result ?? noResult,
    }),
  )
  return <Lines {...words} lines={lines} more={(prober?.workers ?? 0) - lines.length} />
}

/** Volumes, then the ConfigMaps and Secrets that are watched for pods. */
export function VolumeContent(): ReactNode {
  const { volume: volumeWords, mounted, waiting, ...words } = details.volumeLines
  const volumes = useFlow((flow) => flow.volumes)
  const all = (volumes?.mounted ?? 0) + (volumes?.waiting ?? 0)
  const lines = (volumes?.lines ?? []).map(({ podName, volume, plugin, isMounted }) => ({
    name: podName,
    note: volumeWords(volume, plugin),
    side: isMounted ? mounted : waiting,
  }))
  const watched = (volumes?.configMaps ?? 0) + (volumes?.secrets ?? 0)
  const objects = (volumes?.objects ?? []).map((name) => ({ name, side: '' }))
  return (
    <>
      <Lines {...words} lines={lines} more={all - lines.length} />
      <Lines {...details.objectLines} lines={objects} more={watched - objects.length} />
    </>
  )
}

/** Pulls in progress. */
export function PullContent(): ReactNode {
  const pulling = useFlow((flow) => flow.images?.pulling ?? []) ?? []
  // Two pods may pull the same image.
  const lines = [...new Set(pulling)].map((name) => ({ name, side: '' }))
  return <Lines {...details.pulls} lines={lines} />
}

/** The images of the node, as image garbage collection knows them. */
export function ImageContent(): ReactNode {
  const { size, ...words } = details.imageLines
  const images = useFlow((flow) => flow.images)
  const lines = (images?.lines ?? []).map(({ name, sizeBytes, isUsed }) => ({
    name,
    side: size(sizeBytes, isUsed),
  }))
  return <Lines {...words} lines={lines} more={(images?.present ?? 0) - lines.length} />
}
