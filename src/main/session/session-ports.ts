import type { Log } from '../kubelet/ports.ts'
import type { Parsers } from '../parsing/kubernetes-text.ts'
import type { RecordingFile } from '../recorder/recording-file.ts'
import type { Assets } from './assets.ts'
import type { MuseumDoor } from './museum-door.ts'

export interface SessionPorts {
  readonly log: Log
  readonly assets: Assets
  readonly parsers: Parsers
  readonly host: 'electron' | 'web'
  /** Lines for the terminal before anything is written to a cluster: which server, which user, which node. */
  readonly tell: (line: string) => void
  /** For credential plugins of a kubeconfig. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Absent: nothing to be shown beside the cluster. */
  readonly museum?: MuseumDoor
}

/** What a cluster is opened with. */
export interface ClusterPorts extends SessionPorts {
  readonly recording: RecordingFile | undefined
}
