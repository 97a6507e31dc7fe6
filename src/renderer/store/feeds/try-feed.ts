import type { ActError, ActReceipt } from '../../../shared/ipc/contract.ts'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { Result } from '../../../shared/result.ts'
import { requestResult } from '../request-result.ts'
import type { GraceTry, MirrorTry } from '../slices/try-slice.ts'
import type { RowFeedDeps } from './feed-deps.ts'

/** Short enough to watch. */
export const tryGraceSeconds = 5

function startOf(detail: PodDetail | null): string | null {
  return detail?.containers[0]?.startedAt ?? null
}

/** The newest exit of one of its containers; null while none has exited. */
function exitCodeOf(detail: PodDetail): number | null {
  const exit = detail.trace.find(({ kind }) => kind === 'container.exited')
  return exit?.kind === 'container.exited' ? exit.data.exitCode : null
}

function errorOf(result: Result<ActReceipt, ActError>): string {
  return result.ok ? '' : result.error.message
}

/** Runs the things to try on the start page, and follows them in rows and detail until they are over. */
export class TryFeed {
  readonly #deps: Omit<RowFeedDeps, 'requests'>

  constructor(deps: Omit<RowFeedDeps, 'requests'>) {
    this.#deps = deps
  }

  /** Returns a function that stops it. */
  start(): () => void {
    const stops = [
      this.#deps.rows.subscribe(() => {
        this.#followMirror()
        this.#followGrace()
      }),
      this.#deps.state.subscribe(({ detail }, before) => {
        if (detail !== before.detail && detail !== null) this.#readExit(detail)
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }

  /** Deletes the mirror of a static pod; its containers keep running. */
  async deleteMirror(key: PodKey): Promise<void> {
    const oldUid = this.#deps.rows.get(key)?.mirrorUid ?? null
    if (oldUid === null) return
    const base = { key, oldUid, newUid: null, startedBefore: null, startedAfter: null, error: '' }
    this.#deps.state.setState({ mirrorTry: base })
    const startedBefore = startOf(await this.#describe(key))
    this.#changeMirror({ startedBefore })
    const error = errorOf(
      await requestResult(this.#deps.bridge.request('pod.deleteMirror', { key, force: false })),
    )
    if (error !== '') this.#changeMirror({ error })
  }

  /** Deletes a pod through the API with a short grace period. */
  async deleteWithGrace(key: PodKey): Promise<void> {
    const row = this.#deps.rows.get(key)
    if (row === undefined) return
    const { name, namespace } = row
    const base = { key, name, namespace, grace: null, exitCode: null, isGone: false, error: '' }
    this.#deps.state.setState({ graceTry: base })
    const error = errorOf(
      await requestResult(
        this.#deps.bridge.request('pod.delete', { key, gracePeriodSeconds: tryGraceSeconds }),
      ),
    )
    if (error !== '') this.#changeGrace({ error })
  }

  #describe(key: PodKey): Promise<PodDetail | null> {
    return this.#deps.bridge.request('pod.describe', { key }).catch(() => null)
  }

  #changeMirror(part: Partial<MirrorTry>): void {
    const { mirrorTry } = this.#deps.state.getState()
    if (mirrorTry !== null) this.#deps.state.setState({ mirrorTry: { ...mirrorTry, ...part } })
  }

  #changeGrace(part: Partial<GraceTry>): void {
    const { graceTry } = this.#deps.state.getState()
    if (graceTry !== null) this.#deps.state.setState({ graceTry: { ...graceTry, ...part } })
  }

  #followMirror(): void {
    const { mirrorTry } = this.#deps.state.getState()
    if (mirrorTry === null || mirrorTry.newUid !== null) return
    const newUid = this.#deps.rows.get(mirrorTry.key)?.mirrorUid ?? null
    if (newUid === null || newUid === mirrorTry.oldUid) return
    this.#changeMirror({ newUid })
    void this.#describe(mirrorTry.key).then((detail) => {
      if (this.#deps.state.getState().mirrorTry?.newUid === newUid)
        this.#changeMirror({ startedAfter: startOf(detail) })
    })
  }

  #followGrace(): void {
    const { graceTry } = this.#deps.state.getState()
    if (graceTry === null || graceTry.isGone || graceTry.error !== '') return
    const row = this.#deps.rows.get(graceTry.key)
    if (row === undefined) this.#changeGrace({ isGone: true })
    else if (row.grace !== null && row.grace !== graceTry.grace)
      this.#changeGrace({ grace: row.grace })
  }

  #readExit(detail: PodDetail): void {
    const { graceTry } = this.#deps.state.getState()
    if (graceTry === null || detail.row.key !== graceTry.key || graceTry.grace === null) return
    const exitCode = exitCodeOf(detail)
    if (exitCode !== null && exitCode !== graceTry.exitCode) this.#changeGrace({ exitCode })
  }
}
