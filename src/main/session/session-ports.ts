import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import type { Parsers } from '../parsing/kubernetes-text.ts'
import type { RecordingFile } from '../recorder/recording-file.ts'
import type { Assets } from './assets.ts'

/** Resolves with the path. */
export type SaveFile = (name: string, text: string) => Promise<Result<string | undefined, string>>

export interface SessionPorts {
  readonly log: Log
  readonly assets: Assets
  readonly parsers: Parsers
  readonly host: 'electron' | 'web'
  /** Prints a line on the terminal before anything is written to a cluster: which server, user and node. */
  readonly printLine: (line: string) => void
  /** Asks the user at the terminal; true: yes. Absent: there is no terminal to ask at. */
  readonly askYes?: ((question: string) => Promise<boolean>) | undefined
  /** For kubeconfigs, their proxies and their credential plugins. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Text of a file that tells of this machine's use; undefined: it cannot be read. Default: the file's. */
  readonly readMachineFile?: ((path: string) => Promise<string | undefined>) | undefined
  /** The host's own dialog for files of this machine; none chosen: an empty list. Absent: the host has none. */
  readonly chooseFiles?: (() => Promise<readonly string[]>) | undefined
  /**
   * Saves a text where the user says in the host's own dialog. Undefined: the user has canceled. Error: a sentence. Absent: the
   * page saves it.
   */
  readonly saveFile?: SaveFile | undefined
}

/** What a cluster is opened with. */
export interface ClusterPorts extends SessionPorts {
  readonly recording: RecordingFile | undefined
}
