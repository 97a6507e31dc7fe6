import type { ActError, Receipt } from '../../../shared/ipc/contract.ts'
import { forecastBehavior } from '../../../shared/model/behavior-act.ts'
import type { BehaviorChange } from '../../../shared/model/behavior-act.ts'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { behaviorKey } from '../../../shared/simulated-behavior.ts'
import type { ApiClient } from '../../kubelet/ports.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import { annotatedManifest } from '../../parsing/annotated-manifest.ts'
import type { ManifestEditor } from '../manifests/manifest-editor.ts'
import type { ActTarget, ClusterSession } from './cluster-session.ts'
import { refusedWords } from './refused-words.ts'

type Answer = Result<Receipt, ActError>

interface BehaviorCommandsDeps {
  readonly session: ClusterSession
  readonly trace: ClusterTrace
  /** Answers at once, even while the cluster's clock is paused. */
  readonly api: ApiClient
  readonly manifests: ReadonlyMap<string, Pick<ManifestEditor, 'list' | 'read' | 'write'>>
}

/** Changes what simulated containers do: by the annotations of their pod, in the API server or in the manifest. */
export class BehaviorCommands {
  readonly #deps: BehaviorCommandsDeps

  constructor(deps: BehaviorCommandsDeps) {
    this.#deps = deps
  }

  async set(key: PodKey, change: BehaviorChange): Promise<Answer> {
    const detail = this.#deps.session.detail(key)
    const target = this.#deps.session.actTarget(key)
    if (detail === undefined || target === undefined)
      return err({ kind: 'not-found', message: 'This pod is no longer on the node.' })
    const causes = this.#received(target)
    const forecast = forecastBehavior(
      { pod: detail.facts, source: detail.row.source, behavior: detail.behavior },
      change,
    )
    if (!forecast.isAllowed) {
      this.#refused(target, forecast.refusal, causes)
      const kind = detail.facts.readOnly !== '' ? 'read-only' : 'refused'
      return err({ kind, message: forecast.refusal })
    }
    return detail.row.kind === 'static'
      ? this.#inManifest(detail, change)
      : this.#inApi(detail, change, causes)
  }

  async #inApi(
    { facts, row }: PodDetail,
    { name, container, value }: BehaviorChange,
    causes: TraceCauses,
  ): Promise<Answer> {
    const annotation = behaviorKey(name, container)
    const body = { metadata: { uid: row.uid, annotations: { [annotation]: value } } }
    const answer = await this.#deps.api.patch(
      { resource: 'pods', namespace: facts.namespace, name: facts.name },
      { type: 'merge', body },
      causes,
    )
    if (!answer.ok)
      return err({ kind: 'failed', message: refusedWords('Annotation', answer.error) })
    return ok({ message: `${value === null ? 'Removed' : 'Set'} ${annotation}` })
  }

  async #inManifest({ row }: PodDetail, change: BehaviorChange): Promise<Answer> {
    const editor = this.#deps.manifests.get(row.node)
    const listed = await editor?.list()
    const file = listed?.files.find(({ uid }) => uid === row.uid)
    if (editor === undefined || file === undefined)
      return err({ kind: 'refused', message: 'No manifest in the folder defines this pod now.' })
    const read = await editor.read(file.name)
    if (!read.ok) return read
    const key = behaviorKey(change.name, change.container)
    const text = annotatedManifest(read.value.text, key, change.value)
    if (!text.ok) return err({ kind: 'refused', message: text.error })
    return editor.write(file.name, text.value, { create: false })
  }

  #received(target: ActTarget): TraceCauses {
    const data = { act: 'setBehavior', gracePeriodSeconds: null } as const
    const event = {
      kind: 'command.received',
      subject: subjectOf(target),
      causes: [],
      data,
    } as const
    return [this.#deps.trace.emit(target.node, event)]
  }

  #refused(target: ActTarget, message: string, causes: TraceCauses): void {
    const data = { act: 'setBehavior', message }
    const event = { kind: 'command.refused', subject: subjectOf(target), causes, data } as const
    this.#deps.trace.emit(target.node, event)
  }
}

function subjectOf({ uid, facts: { namespace, name } }: ActTarget) {
  return { kind: 'pod', uid, namespace, name } as const
}
