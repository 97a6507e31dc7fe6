import type { Log } from '../kubelet/ports.ts'
import type { Parsers } from '../parsing/kubernetes-text.ts'
import type { RecordingFile } from '../recorder/recording-file.ts'
import type { Assets } from './assets.ts'
import type { GotchaOpener } from './gotcha-opener.ts'

export interface SessionPorts {
  readonly log: Log
  readonly assets: Assets
  readonly parsers: Parsers
  readonly host: 'electron' | 'web'
  /** Prints a line on the terminal before anything is written to a cluster: which server, user and node. */
  readonly printLine: (line: string) => void
  /** For kubeconfigs, their proxies and their credential plugins. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The host's own dialog for files of this machine; none chosen: an empty list. Absent: the host has none. */
  readonly chooseFiles?: (() => Promise<readonly string[]>) | undefined
  /** Absent: this session has no gotchas. */
  readonly gotchaOpener?: GotchaOpener
}

/** What a cluster is opened with. */
export interface ClusterPorts extends SessionPorts {
  readonly recording: RecordingFile | undefined
}
