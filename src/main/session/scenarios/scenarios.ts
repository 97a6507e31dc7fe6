import { join } from 'node:path'
import type { Requests } from '../../../shared/ipc/contract.ts'
import type { GotchaView } from '../../../shared/model/scenarios/gotcha.ts'
import type { ScenarioLists, ScenarioSource } from '../../../shared/model/scenarios/scenario.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Log } from '../../kubelet/ports.ts'
import type { Assets } from '../assets.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'
import { OpenScenarios } from './open-scenarios.ts'
import { readScenario } from './read-scenario.ts'
import type { ReadScenario } from './read-scenario.ts'
import { keepRecent, recentScenarios } from './recent-scenarios.ts'
import { openScenarioCluster } from './scenario-cluster.ts'
import { gotchasOf, listingOf, readShippedScenarios } from './shipped-scenarios.ts'

export interface ScenariosDeps {
  readonly assets: Assets
  /** Open scenarios and copies of the last ones are in here. */
  readonly dataFolder: string
  readonly version: string
  readonly recordingsPath?: string | undefined
  readonly log: Log
  readonly onOpen: (cluster: OpenCluster) => void
  readonly onClose: (id: string) => void
}

/** The scenarios of a session: lists them, opens them as clusters of their own, and keeps copies of the last ones. */
export class Scenarios {
  readonly #deps: ScenariosDeps
  readonly #open: OpenScenarios
  readonly #recentFolder: string
  /** By the cluster's id: what was opened there last. */
  readonly #openTexts = new Map<string, string>()
  #shipped: Promise<readonly ReadScenario[]> | undefined

  constructor(deps: ScenariosDeps) {
    this.#deps = deps
    this.#open = new OpenScenarios(deps)
    this.#recentFolder = join(deps.dataFolder, 'recent-scenarios')
  }

  async list(): Promise<ScenarioLists> {
    const [shipped, recent] = [await this.#readShipped(), await this.#recent()]
    return {
      shipped: shipped.map(({ scenario }) => listingOf(scenario)),
      recent: recent.map(({ scenario }) => listingOf(scenario)),
    }
  }

  async gotchas(): Promise<readonly GotchaView[]> {
    return gotchasOf(await this.#readShipped())
  }

  async open(source: ScenarioSource): Promise<Requests['scenario.open']['reply']> {
    const read = await this.#read(source)
    if (!read.ok) return err({ kind: 'refused', message: read.error })
    const text = JSON.stringify(read.value.scenario)
    const id = this.#idFor(read.value.scenario.metadata.name, text)
    this.#openTexts.set(id, text)
    const { version, log, dataFolder, recordingsPath } = this.#deps
    const folder = join(dataFolder, 'scenarios')
    const opened = await this.#open.open(id, () =>
      openScenarioCluster(id, read.value, { folder, version, recordingsPath, log }),
    )
    if (opened.ok && source.kind === 'text') await this.keep(source.text)
    return opened
  }

  readonly close: OpenScenarios['close'] = (cluster) => this.#open.close(cluster)

  /** Keeps a copy of a scenario for the list of the last ones. */
  async keep(text: string): Promise<void> {
    const read = readScenario('', text)
    if (!read.ok) return
    await keepRecent(this.#recentFolder, read.value.scenario.metadata.name, text).catch(
      (error: unknown) => {
        this.#deps.log.warn('the scenario is not kept', { error: String(error) })
      },
    )
  }

  stop(): Promise<void> {
    return this.#open.stop()
  }

  /** Another scenario of the same name, which is open, is not closed for this one. */
  #idFor(name: string, text: string): string {
    for (let number = 1; ; number++) {
      const id = `scenario-${name}${number === 1 ? '' : `-${number}`}`
      if (!this.#open.isTaken(id) || this.#openTexts.get(id) === text) return id
    }
  }

  #readShipped(): Promise<readonly ReadScenario[]> {
    this.#shipped ??= readShippedScenarios(this.#deps.assets)
    return this.#shipped
  }

  #recent(): Promise<readonly ReadScenario[]> {
    return recentScenarios(this.#recentFolder).catch((error: unknown) => {
      this.#deps.log.warn('the last scenarios cannot be read', { error: String(error) })
      return []
    })
  }

  async #read(source: ScenarioSource): Promise<Result<ReadScenario, string>> {
    if (source.kind === 'text') return readScenario(source.name, source.text)
    const scenarios = source.kind === 'shipped' ? await this.#readShipped() : await this.#recent()
    const found = scenarios.find(({ scenario }) => scenario.metadata.name === source.name)
    return found === undefined ? err(`No scenario is named ${source.name}.`) : ok(found)
  }
}
