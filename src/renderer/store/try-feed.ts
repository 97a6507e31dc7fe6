import type { StoreApi } from 'zustand/vanilla'
import type { ActError, ActReceipt, Bridge } from '../../shared/ipc/contract.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { GraceView, PodKey } from '../../shared/model/pod-row.ts'
import type { Result } from '../../shared/result.ts'
import type { RowTable } from './row-table.ts'
import type { State } from './state.ts'

/** A mirror that was deleted from the start page, and what came of it. */
export interface MirrorTry {
  readonly key: PodKey
  readonly oldUid: string
  /** Null until the kubelet has made it anew. */
  readonly newUid: string | null
  /** When the first container started, as its status has it, before and after; null while it is not known. */
  readonly startedBefore: string | null
  readonly startedAfter: string | null
  /** Why it was not done; else empty. */
  readonly error: string
}

/** A pod that was deleted with a short grace from the start page, and what came of it. */
export interface GraceTry {
  readonly key: PodKey
  readonly name: string
  readonly namespace: string
  readonly grace: GraceView | null
  readonly exitCode: number | null
  readonly isGone: boolean
  readonly error: string
}

export interface TrySlice {
  readonly mirrorTry: MirrorTry | null
  readonly graceTry: GraceTry | null
}

export function trySlice(): TrySlice {
  return { mirrorTry: null, graceTry: null }
}

/** Short enough to be watched to its end. */
export const tryGraceSeconds = 5

function startOf(detail: PodDetail | null): string | null {
  return detail?.containers[0]?.startedAt ?? null
}

/** The newest exit of one of its containers; null while none has exited. */
function exitCodeOf(detail: PodDetail): number | null {
  const exit = detail.trace.find(({ kind }) => kind === 'container.exited')
  return exit?.kind === 'container.exited' ? exit.data.exitCode : null
}

const unanswered = 'The connection to Nodescope was lost before it responded.'

function errorOf(result: Result<ActReceipt, ActError>): string {
  return result.ok ? '' : result.error.message
}

/** Does the things to try at once, and follows them in rows and detail until they are over. */
export class TryFeed {
  readonly #bridge: Bridge
  readonly #rows: RowTable
  readonly #state: StoreApi<State>
  readonly #unsubscribe: (() => void)[] = []

  constructor(deps: {
    readonly bridge: Bridge
    readonly rows: RowTable
    readonly state: StoreApi<State>
  }) {
    this.#bridge = deps.bridge
    this.#rows = deps.rows
    this.#state = deps.state
  }

  start(): void {
    this.#unsubscribe.push(
      this.#rows.subscribe(() => {
        this.#followMirror()
        this.#followGrace()
      }),
      this.#state.subscribe(({ detail }, before) => {
        if (detail !== before.detail && detail !== null) this.#readExit(detail)
      }),
    )
  }

  stop(): void {
    for (const leave of this.#unsubscribe.splice(0)) leave()
  }

  /** Deletes the mirror of a static pod; its containers run on. */
  async deleteMirror(key: PodKey): Promise<void> {
    const oldUid = this.#rows.get(key)?.mirrorUid ?? null
    if (oldUid === null) return
    const base = { key, oldUid, newUid: null, startedBefore: null, startedAfter: null, error: '' }
    this.#state.setState({ mirrorTry: base })
    const startedBefore = startOf(await this.#describe(key))
    this.#changeMirror({ startedBefore })
    const error = await this.#bridge
      .request('pod.deleteMirror', { key, force: false })
      .then(errorOf, () => unanswered)
    if (error !== '') this.#changeMirror({ error })
  }

  /** Deletes a pod through the API with a short grace. */
  async deleteWithGrace(key: PodKey): Promise<void> {
    const row = this.#rows.get(key)
    if (row === undefined) return
    const { name, namespace } = row
    const base = { key, name, namespace, grace: null, exitCode: null, isGone: false, error: '' }
    this.#state.setState({ graceTry: base })
    const error = await this.#bridge
      .request('pod.delete', { key, gracePeriodSeconds: tryGraceSeconds })
      .then(errorOf, () => unanswered)
    if (error !== '') this.#changeGrace({ error })
  }

  #describe(key: PodKey): Promise<PodDetail | null> {
    return this.#bridge.request('pod.describe', { key }).catch(() => null)
  }

  #changeMirror(part: Partial<MirrorTry>): void {
    const { mirrorTry } = this.#state.getState()
    if (mirrorTry !== null) this.#state.setState({ mirrorTry: { ...mirrorTry, ...part } })
  }

  #changeGrace(part: Partial<GraceTry>): void {
    const { graceTry } = this.#state.getState()
    if (graceTry !== null) this.#state.setState({ graceTry: { ...graceTry, ...part } })
  }

  #followMirror(): void {
    const { mirrorTry } = this.#state.getState()
    if (mirrorTry === null || mirrorTry.newUid !== null) return
    const newUid = this.#rows.get(mirrorTry.key)?.mirrorUid ?? null
    if (newUid === null || newUid === mirrorTry.oldUid) return
    this.#changeMirror({ newUid })
    void this.#describe(mirrorTry.key).then((detail) => {
      if (this.#state.getState().mirrorTry?.newUid === newUid)
        this.#changeMirror({ startedAfter: startOf(detail) })
    })
  }

  #followGrace(): void {
    const { graceTry } = this.#state.getState()
    if (graceTry === null || graceTry.isGone || graceTry.error !== '') return
    const row = this.#rows.get(graceTry.key)
    if (row === undefined) this.#changeGrace({ isGone: true })
    else if (row.grace !== null && row.grace !== graceTry.grace)
      this.#changeGrace({ grace: row.grace })
  }

  #readExit(detail: PodDetail): void {
    const { graceTry } = this.#state.getState()
    if (graceTry === null || detail.row.key !== graceTry.key || graceTry.grace === null) return
    const exitCode = exitCodeOf(detail)
    if (exitCode !== null && exitCode !== graceTry.exitCode) this.#changeGrace({ exitCode })
  }
}
