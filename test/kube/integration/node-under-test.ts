import type { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { NodeExitOptions } from '../../../src/main/kubelet/node/node-exit.ts'
import type { ConfigurationFields } from '../cri/kubelet-configuration.ts'
import type { NodeMemory } from '../cri/node-memory.ts'
import type { RecordedMachine } from '../cri/recorded-runtime.ts'
import type { Manifest } from './manifest-folder.ts'

/** Where a kubelet runs. */
export interface NodeOptions {
  readonly kubeconfig: string
  /** The API server's certificate authority. */
  readonly caFile: string
  readonly node: string
  readonly folder: string
  /** What it writes to its Node when it stops. */
  readonly exit?: NodeExitOptions | undefined
  /** A program's `--runtime`; absent: it simulates its containers itself. */
  readonly runtimeSocketPath?: string
  /** A program's `--kubelet-address`; absent: its kubelet has no server. */
  readonly kubeletAddress?: string
  /** That its recorded runtime has from the start. */
  readonly images?: readonly string[]
  /** What it reads of its machine's memory; absent: what is in use on this machine. */
  readonly memory?: NodeMemory | undefined
  /** Fields of its KubeletConfiguration, which a real kubelet and the program read from a file. */
  readonly configuration?: ConfigurationFields
}

/** A kubelet with its manifest folder: the program's or a real one. */
export interface NodeUnderTest {
  readonly log: FakeLog
  /** In the file of its name, or in that of another pod. */
  readonly putManifest: (manifest: Manifest, file?: string) => Promise<void>
  readonly removeManifest: (metadata: Manifest['metadata']) => Promise<void>
  /** Until it has nothing left to do or to write for the pods of a namespace. */
  readonly untilIdle: (namespace: string) => Promise<void>
  /** Until what has happened is told in events. */
  readonly untilEventsSent: () => Promise<void>
  /** Ends the kubelet's process; its containers run on. */
  readonly stopKubelet: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** A new process in the same folders. */
  readonly startKubelet: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly manifestsPath: string
  /** Its container runtime, where it has a recorded one. */
  readonly machine?: RecordedMachine
}
