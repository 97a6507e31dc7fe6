import { join } from 'node:path'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fileErrorText } from '../../files/file-error.ts'
import type { Log } from '../../kubelet/ports.ts'
import { stateFormat } from '../../state/kept-state.ts'
import { importState, resetState } from '../../state/replace-state.ts'
import type { StatePlaces } from '../../state/replace-state.ts'
import { readStateFile, stateFileText } from '../../state/state-file.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'
import { manifestFolderOf } from '../cluster/node-names.ts'
import type { SandboxConfig } from '../session-config.ts'

export interface StateCommandsDeps {
  readonly config: SandboxConfig
  readonly log: Log
  /** Opens the program's sandbox again, with the state that its folder has. */
  readonly open: (config: SandboxConfig) => Promise<Result<OpenCluster, string>>
  /** The sandbox as it is open now; undefined: it could not be opened again. */
  readonly own: { cluster: OpenCluster | undefined }
  readonly onOpen: (cluster: OpenCluster) => void
  readonly onClose: (id: string) => void
}

/** The program's own sandbox: exports it, and replaces it while the program runs. One command at a time. */
export class StateCommands {
  readonly #deps: StateCommandsDeps
  #isBusy = false

  constructor(deps: StateCommandsDeps) {
    this.#deps = deps
  }

  /** The text of a state file. Error: a sentence. */
  async export(): Promise<Result<string, string>> {
    const { own, config } = this.#deps
    if (own.cluster?.present === undefined) return err(noSandbox)
    try {
      const { objects, resourceVersion, now, seed, nodes, manifests } = await own.cluster.present()
      const names = nodes.map(({ name }) => name)
      const { version: program } = config
      // A start of another process counts it up.
      const meta = {
        format: stateFormat,
        program,
        seed,
        starts: 1,
        now,
        resourceVersion,
        nodes: names,
      }
      return ok(stateFileText({ meta, objects, manifests }))
    } catch (error) {
      return err(`The sandbox cannot be exported, ${fileErrorText(error)}.`)
    }
  }

  /** Starts a new sandbox. Returns a sentence. */
  reset(): Promise<Result<string, string>> {
    const { config } = this.#deps
    return this.#replace(config, async (places) => ok(await resetState(places)))
  }

  /** Replaces the sandbox by a state file. Returns a sentence. Error: a sentence, and nothing has changed. */
  async import(name: string, text: string): Promise<Result<string, string>> {
    const read = readStateFile(name, text)
    if (!read.ok) return read
    const { config } = this.#deps
    const { scenarioPath: _scenario, ...cluster } = config.cluster
    const state = { path: this.#path, hasKeptNodes: true }
    return this.#replace({ ...config, cluster: { ...cluster, state } }, (places) =>
      importState(places, name, text),
    )
  }

  /** A sandbox that ends with the program has its state in its data folder, which does too. */
  get #path(): string {
    const { cluster, dataFolder } = this.#deps.config
    return cluster.state?.path ?? join(dataFolder, 'state')
  }

  async #replace(
    config: SandboxConfig,
    change: (places: StatePlaces) => Promise<Result<string, string>>,
  ): Promise<Result<string, string>> {
    const refusal = this.#refusal()
    if (refusal !== '') return err(refusal)
    this.#isBusy = true
    try {
      await this.#close()
      const { version } = config
      const changed = await change({
        path: this.#path,
        version,
        log: this.#deps.log,
        manifestFolder: (node, index) => manifestFolderOf(config, node, index),
      }).catch((error: unknown) => err(`The state cannot be moved, ${fileErrorText(error)}.`))
      const opened = await this.#reopen(changed.ok ? config : this.#deps.config)
      return opened.ok ? changed : opened
    } finally {
      this.#isBusy = false
    }
  }

  #refusal(): string {
    const { readOnly, recordPath } = this.#deps.config
    if (readOnly) return 'Nodescope was started with --read-only.'
    if (recordPath !== null)
      return 'Nodescope records this sandbox. Start it without --record to replace the sandbox.'
    return this.#isBusy ? 'The sandbox is being replaced already.' : ''
  }

  async #close(): Promise<void> {
    const { own, onClose } = this.#deps
    const { cluster } = own
    if (cluster === undefined) return
    own.cluster = undefined
    onClose(cluster.session.id)
    await cluster.stop()
  }

  async #reopen(config: SandboxConfig): Promise<Result<undefined, string>> {
    const opened = await this.#deps.open(config)
    if (!opened.ok) return err(`The sandbox cannot be started again: ${opened.error}`)
    this.#deps.own.cluster = opened.value
    this.#deps.onOpen(opened.value)
    return ok(undefined)
  }
}

const noSandbox = 'There is no sandbox now. Start Nodescope again.'
