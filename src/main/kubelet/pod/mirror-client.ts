import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses, TraceSubject } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ApiClient, Log, NodeLister, Trace } from '../ports.ts'
import {
  configMirrorAnnotation,
  parsePodFullName,
  podHash,
  podNamespace,
  podSubject,
  traceAbout,
  tracePod,
} from './identity.ts'
import type { PodFullName } from './identity.ts'

/** What a deletion is about. `uid` is the precondition; an orphan goes by name alone (mirror-pods#orphaned-mirrors). */
export interface DeleteMirrorOptions {
  readonly uid?: string
  readonly why: 'stale' | 'deleting' | 'orphan'
  /** The static pod whose mirror it is, for the trace; absent for an orphan. */
  readonly pod?: Pod
  readonly causes: TraceCauses
}

/** Creates and deletes mirror pods in the API server (mirror-pods#creation, mirror-pods#deletion). */
export interface MirrorClient {
  /** Error: a sentence. Nothing is created while the node's own object or its uid is unknown. */
  readonly createMirrorPod: (
    pod: Pod,
    options: { readonly why: 'missing' | 'replaced'; readonly causes: TraceCauses },
  ) => Promise<Result<undefined, string>>
  /** Whether something was deleted. Only an invalid full name is an error; a refusal counts as "no". */
  readonly deleteMirrorPod: (
    fullName: PodFullName,
    options: DeleteMirrorOptions,
  ) => Promise<Result<boolean, string>>
}

interface BasicMirrorClientDeps {
  readonly api: ApiClient | undefined
  readonly nodeName: string
  readonly nodeLister: NodeLister
  readonly trace: Trace
  readonly log: Log
}

/** The MirrorClient of a kubelet; without an API client both calls do nothing. */
export class BasicMirrorClient implements MirrorClient {
  readonly #deps: BasicMirrorClientDeps

  constructor(deps: BasicMirrorClientDeps) {
    this.#deps = deps
  }

  readonly createMirrorPod: MirrorClient['createMirrorPod'] = async (pod, options) => {
    const { api, nodeName, nodeLister } = this.#deps
    if (api === undefined) return ok(undefined)
    const nodeUid = nodeLister.get()?.metadata.uid
    if (!nodeUid) {
      const message = `failed to get the uid of node "${nodeName}" for the mirror's owner reference`
      this.#failed('create', podSubject(pod), message, options.causes)
      return err(message)
    }
    const created = await api.create(
      { resource: 'pods', namespace: podNamespace(pod) },
      this.#mirrorOf(pod, nodeUid),
      options.causes,
    )
    if (!created.ok) {
      // AlreadyExists too: the server does not hand back the object, so its hash cannot be compared
      // (mirror-pods#creation step 5); the next sync retries.
      this.#failed('create', podSubject(pod), created.error.message, options.causes)
      return err(created.error.message)
    }
    tracePod(this.#deps.trace, pod, 'mirror.created', options.causes, {
      mirrorUid: created.value.metadata.uid,
      why: options.why,
    })
    return ok(undefined)
  }

  readonly deleteMirrorPod: MirrorClient['deleteMirrorPod'] = async (fullName, options) => {
    const { api, log } = this.#deps
    if (api === undefined) return ok(false)
    const parsed = parsePodFullName(fullName)
    if (!parsed.ok) {
      log.error('mirror pod has no full name', { fullName })
      return parsed
    }
    const { name, namespace } = parsed.value
    const deleted = await api.delete(
      { resource: 'pods', namespace, name },
      {
        gracePeriodSeconds: 0,
        // Sent without a uid too, empty, as Go's client does.
        preconditions: options.uid === undefined ? {} : { uid: options.uid },
      },
      options.causes,
    )
    const mirrorUid = options.uid ?? ''
    const subject: TraceSubject =
      options.pod === undefined
        ? { kind: 'object', resource: 'pods', namespace, name, uid: mirrorUid }
        : podSubject(options.pod)
    if (!deleted.ok) {
      const { kind, message } = deleted.error
      if (kind === 'not-found' || kind === 'conflict')
        traceAbout(this.#deps.trace, subject, 'mirror.skipped', options.causes, {
          message: `not deleted: ${message}`,
        })
      else this.#failed('delete', subject, message, options.causes)
      return ok(false)
    }
    traceAbout(this.#deps.trace, subject, 'mirror.deleted', options.causes, {
      mirrorUid,
      why: options.why,
    })
    return ok(true)
  }

  #mirrorOf(pod: Pod, nodeUid: string): Pod {
    return {
      ...pod,
      metadata: {
        ...pod.metadata,
        annotations: { ...pod.metadata.annotations, [configMirrorAnnotation]: podHash(pod) },
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Node',
            name: this.#deps.nodeName,
            uid: nodeUid,
            controller: true,
          },
        ],
      },
    }
  }

  #failed(
    act: 'create' | 'delete',
    subject: TraceSubject,
    message: string,
    causes: TraceCauses,
  ): void {
    this.#deps.log.warn('mirror pod call failed', { act, message })
    this.#deps.trace.emit({ kind: 'mirror.failed', subject, causes, data: { act, message } })
  }
}
