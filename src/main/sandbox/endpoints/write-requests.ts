import { equalJson, isJsonObject, objectAt, textAt, withFields } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import {
  forbiddenField,
  invalidField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { KubeObject, KubeStatus, Pod } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Clock, Random } from '../../kubelet/ports.ts'
import { Admission } from '../admission/admission.ts'
import type { StoredWrite } from '../admission/stored-write.ts'
import {
  badRequest,
  deleted,
  forbidden,
  invalid,
  invalidOptions,
  notFound,
  serverError,
  success,
  uidConflict,
} from '../api-status.ts'
import type { ApiResult, DeletedStatus } from '../api-status.ts'
import { apiServerCaller } from '../auth/caller.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import type { Caller } from '../auth/caller.ts'
import { approvalRules } from '../registry/certificate/certificate-approval.ts'
import { escalationRefusal } from '../auth/rbac/escalation.ts'
import { signerRefusal } from '../auth/rbac/signer-rights.ts'
import { isFinalized, prepareForFinalize } from '../registry/namespace-strategy.ts'
import type { ObjectStore } from '../object-store.ts'
import { boundPod } from '../registry/pod/pod-binding.ts'
import { evictionOptions, PodEviction } from '../registry/pod/pod-eviction.ts'
import { asPod } from '../registry/pod/pod-strategy.ts'
import { bindingType } from '../review/review-types.ts'
import { typeOfKind } from '../registry/resource-types.ts'
import { podTemplateOf } from '../registry/workload/pod-template.ts'
import { customWarnings } from '../registry/custom/custom-warnings.ts'
import { objectWarnings, orphanedPods } from '../registry/warnings/object-warnings.ts'
import { CustomDefinitions } from '../registry/custom/custom-definitions.ts'
import type { ResourceRegistry } from '../registry/resource-registry.ts'
import { isBuiltIn } from '../registry/resource-type.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { appliedObject, fieldManagerOf } from './apply-request.ts'
import { appliedScale } from './apply-scale.ts'
import { decodeBody, decodeObject } from './body-decoder.ts'
import type { DecodedObject } from './body-decoder.ts'
import { deleteOptions } from './delete-options.ts'
import type { DeleteOptions } from './delete-options.ts'
import { listOptions, parseResourceVersion, writeOptions } from './list-options.ts'
import type { FieldValidation } from './list-options.ts'
import { ObjectDeletion } from './object-deletion.ts'
import type { ObjectReader } from './object-reader.ts'
import type { ObjectWriter, UpdateRules, WriteContext } from './object-writer.ts'
import { podEphemeralContainersRules } from '../registry/pod/pod-ephemeral-containers.ts'
import { podResizeRules } from '../registry/pod/pod-resize.ts'
import { patchedObject, patchTypeOf } from './patch-request.ts'
import { listOf } from './representation.ts'
import { exchangedType, scaleOf, scaleRefusal, withScale } from './scale.ts'
import { tokenRequests } from './token-request.ts'
import type { TokenRequests } from './token-request.ts'
import type { RequestInfo } from './request-info.ts'

/** The answer to a write: an object, a Status, or the list of a deleted collection. */
export interface WriteAnswer {
  readonly code: number
  readonly body: KubeObject | KubeStatus | DeletedStatus
  readonly warnings?: readonly string[]
}

type Answer = ApiResult<WriteAnswer>

/** Warnings about a pod for the client that wrote it. */
export type PodWarnings = (pod: Pod) => readonly string[]

/** Warnings about a kind for the client that creates an object of it. */
export type KindWarnings = (kind: string) => readonly string[]

/** The caller, and the trace events that caused the request. */
export interface WriteOrigin {
  readonly caller: Caller
  readonly causes: readonly number[]
}

/** The context of a request with a body. */
interface BodyContext extends WriteContext {
  readonly fieldValidation: FieldValidation
}

function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0) return answer
  // Errors carry warnings, too.
  if (!answer.ok) return ok({ code: answer.error.code, body: answer.error, warnings })
  return ok({ ...answer.value, warnings: [...warnings, ...(answer.value.warnings ?? [])] })
}

const ephemeral = 'ephemeralcontainers'

/** Those about the ephemeral containers that the old pod does not have. */
function ofAdded(warnings: readonly string[], next: KubeObject, old: KubeObject) {
  const list = (pod: KubeObject) => asPod(pod).spec.ephemeralContainers ?? []
  const known = new Set(list(old).map(({ name }) => name))
  const added = list(next).flatMap(({ name }, index) =>
    known.has(name) ? [] : [`spec.ephemeralContainers[${index}]`],
  )
  return warnings.filter((warning) => added.some((field) => warning.startsWith(field)))
}

/** Whether an update changed a pod, or the template of pods. */
function isNewPod(next: KubeObject, old: KubeObject): boolean {
  if (next.metadata.generation === old.metadata.generation) return false
  if (next.kind === 'Pod') return true
  return !equalJson(podTemplateOf(next).owner['template'], podTemplateOf(old).owner['template'])
}

function deletionWarnings(type: ResourceType, options: DeleteOptions): readonly string[] {
  const { propagationPolicy, orphanDependents } = options
  const isOpen = propagationPolicy === '' && orphanDependents === undefined
  return isBuiltIn(type, 'Job') && isOpen ? [orphanedPods] : []
}

const noRules: UpdateRules['problems'] = () => []

function rulesFor(type: ResourceType, subresource: string): UpdateRules {
  const strategy = type.strategy
  switch (subresource) {
    case 'status':
      return { prepare: strategy.prepareForStatusUpdate, problems: strategy.statusProblems }
    case 'resize':
      return podResizeRules
    case ephemeral:
      return podEphemeralContainersRules
    case 'approval':
      return approvalRules
    case 'finalize':
      return { prepare: prepareForFinalize, problems: noRules, removesObject: isFinalized }
    default:
      return {
        ...(strategy.allocate === undefined ? {} : { allocate: strategy.allocate }),
        prepare: strategy.prepareForUpdate,
        problems: strategy.updateProblems,
        ...(isBuiltIn(type, 'Namespace') ? { removesObject: isFinalized } : {}),
      }
  }
}

interface WriteRequestsDeps {
  readonly store: ObjectStore
  readonly registry: ResourceRegistry
  readonly writer: ObjectWriter
  readonly reader: ObjectReader
  readonly clock: Clock
  readonly authorizer: Authorizer
  readonly podWarnings: PodWarnings
  readonly kindWarnings: KindWarnings
  readonly tokens: TokenRequests
  /** For the volumes that admission adds to pods. */
  readonly volumeNames: Random
}

/** Requests that write, from their body to their answer. */
export class WriteRequests {
  readonly #deps: WriteRequestsDeps
  readonly #admission: Admission
  readonly #deletion: ObjectDeletion
  readonly #eviction: PodEviction
  readonly #definitions: CustomDefinitions

  constructor(deps: WriteRequestsDeps) {
    this.#deps = deps
    this.#admission = new Admission(deps)
    this.#deletion = new ObjectDeletion(deps)
    this.#eviction = new PodEviction({ ...deps, deletion: this.#deletion })
    this.#definitions = new CustomDefinitions({ ...deps, deletion: this.#deletion })
  }

  handle(info: RequestInfo, request: KubeRequest, origin: WriteOrigin): Answer {
    const answer = this.#written(info, request, origin)
    if (answer.ok) this.#definitions.afterWrite(info.type, origin.causes)
    if (answer.ok) this.#updateQuotas(info.namespace)
    return answer
  }

  /** What a real cluster's quota controller does, at once: each quota shows what its namespace uses. */
  #updateQuotas(namespace: string): void {
    const type = typeOfKind('ResourceQuota')
    const context = { caller: apiServerCaller, causes: [], dryRun: false, subresource: 'status' }
    for (const { quota, status } of this.#admission.outdatedQuotas(namespace)) {
      this.#deps.writer.modify(type, { ...quota, status }, quota, context)
    }
  }

  #written(info: RequestInfo, request: KubeRequest, origin: WriteOrigin): Answer {
    switch (info.verb) {
      case 'create':
        return this.#create(info, request, origin)
      case 'update':
        return this.#update(info, request, origin)
      case 'patch':
        return this.#patch(info, request, origin)
      case 'delete':
        return this.#delete(info, request, origin)
      case 'deletecollection':
        return this.#deleteCollection(info, request, origin)
      default:
        return err(badRequest(`${info.verb} is not a write`))
    }
  }

  #context(
    info: RequestInfo,
    request: KubeRequest,
    origin: WriteOrigin,
    kind: string,
  ): ApiResult<BodyContext> {
    const options = writeOptions(kind, request.query ?? {})
    if (!options.ok) return options
    const manager = fieldManagerOf(info, request, 'Update')
    return ok({ subresource: info.subresource, manager, ...origin, ...options.value })
  }

  #create(info: RequestInfo, request: KubeRequest, origin: WriteOrigin): Answer {
    const context = this.#context(info, request, origin, 'CreateOptions')
    if (!context.ok) return context
    if (info.type === bindingType) return this.#bindNamed(info, request, context.value)
    if (info.subresource === 'token') return this.#issueToken(info, request, context.value)
    if (info.subresource !== '') return this.#createSubresource(info, request, context.value)
    const decoded = this.#decode(info, request, context.value.fieldValidation)
    if (!decoded.ok) return decoded
    const { object, warnings } = decoded.value
    return withWarnings(this.#createObject(info, object, context.value), warnings)
  }

  #createSubresource(info: RequestInfo, request: KubeRequest, context: BodyContext): Answer {
    const subresource = info.type.subresources.find(({ name }) => name === info.subresource)
    if (subresource === undefined)
      return err(badRequest(`${info.subresource} is not a subresource`))
    const body = decodeBody(subresource, request, context.fieldValidation)
    if (!body.ok) return body
    const { object, warnings } = body.value
    const answer =
      subresource.kind === 'Eviction'
        ? this.#evict(info, object, context)
        : this.#bind(info, object, context)
    return withWarnings(answer, warnings)
  }

  #createObject(info: RequestInfo, object: KubeObject, context: WriteContext): Answer {
    const { type } = info
    const version = object.metadata.resourceVersion ?? ''
    // Like etcd3's store, which ignores a version that is not a number.
    const isVersion = /^\d+$/.test(version) && Number(version) > 0
    if (isVersion && !context.dryRun) {
      return err(serverError('resourceVersion should not be set on objects to be created'))
    }
    if (type.custom?.isTerminating === true) {
      const why = 'create not allowed while custom resource definition is terminating'
      return err(forbidden(type, object.metadata.name, why))
    }
    const admitted = this.#admission.admitCreate(type, object, context.caller)
    if (!admitted.ok) return admitted
    const warnings: string[] = []
    const refusal =
      this.#escalation(info, admitted.value, undefined, context.caller) ??
      this.#createRefusal(info, context.caller)
    if (refusal !== undefined) return err(refusal)
    const by: WriteContext = withFields(context, {
      validate: (next: KubeObject) =>
        this.#validated(type, { next, old: undefined, subresource: '' }, warnings),
    })
    const created = this.#deps.writer.create(type, admitted.value, by)
    if (!created.ok) return withWarnings(created, warnings)
    // About the pod as sent: fields that are dropped before it is stored have no effect either.
    const own =
      type.custom === undefined
        ? [...this.#podWarnings(type, admitted.value), ...this.#deps.kindWarnings(type.kind)]
        : []
    return withWarnings(ok({ code: 201, body: created.value }), [...warnings, ...own])
  }

  /** Why validating admission refuses a write. Its warnings come after those about the object. Source: rest.BeforeCreate, BeforeUpdate. */
  #validated(type: ResourceType, write: StoredWrite, warnings: string[]): KubeStatus | undefined {
    const { next, old, subresource } = write
    const isWhole = subresource === '' || subresource === 'scale'
    const validation = this.#admission.validate(type, write)
    const own =
      type.custom === undefined ? objectWarnings(next, old) : customWarnings(type.custom, next, old)
    warnings.push(...(isWhole ? own : []), ...validation.warnings)
    return validation.refusal
  }

  #escalation(
    info: RequestInfo,
    next: KubeObject,
    old: KubeObject | undefined,
    caller: Caller,
  ): KubeStatus | undefined {
    return escalationRefusal(this.#deps.authorizer, caller, { info, next, old })
  }

  /** A PUT or an apply that creates is authorized as a create too. Source: handlers/update.go withAuthorization. */
  #createRefusal(info: RequestInfo, caller: Caller): KubeStatus | undefined {
    const { type, namespace, name, verb, subresource } = info
    if (verb === 'create') return undefined
    const { group, plural: resource } = type
    const asked = { verb: 'create', group, resource, subresource, namespace, name }
    return this.#deps.authorizer.refusal(caller, { kind: 'resource', ...asked })
  }

  /** Those about a pod, or about the template of pods in another object. */
  #podWarnings(type: ResourceType, object: KubeObject): readonly string[] {
    const { podWarnings } = this.#deps
    if (type.kind === 'Pod') return podWarnings(asPod(object))
    const { owner, ownerPath } = podTemplateOf(object)
    const { template } = owner
    if (!isJsonObject(template)) return []
    const pod = { ...template, metadata: { name: '', uid: '', ...objectAt(template, 'metadata') } }
    // Decoding checked the types of its fields.
    return podWarnings(asPod(pod)).map((warning) => `${ownerPath}.template.${warning}`)
  }

  /** The body's object, in the namespace of the path. */
  #decode(
    info: RequestInfo,
    request: KubeRequest,
    validation: FieldValidation,
  ): ApiResult<DecodedObject> {
    const decoded = decodeObject(exchangedType(info.type, info.subresource), request, validation)
    if (!decoded.ok) return decoded
    const { object, warnings } = decoded.value
    const given = object.metadata.namespace ?? ''
    if (given !== '' && given !== info.namespace) {
      return err(namespaceMismatch())
    }
    if (info.namespace === '') return decoded
    const metadata = withFields(object.metadata, { namespace: info.namespace })
    return ok({ object: { ...object, metadata }, warnings })
  }

  #update(info: RequestInfo, request: KubeRequest, origin: WriteOrigin): Answer {
    const context = this.#context(info, request, origin, 'UpdateOptions')
    if (!context.ok) return context
    const decoded = this.#decode(info, request, context.value.fieldValidation)
    if (!decoded.ok) return decoded
    const { object, warnings } = decoded.value
    return withWarnings(this.#replace(info, object, context.value), warnings)
  }

  #replace(info: RequestInfo, next: KubeObject, context: WriteContext): Answer {
    const { type, name, subresource } = info
    const mismatch = nameMismatch(next, name)
    if (mismatch !== undefined) return err(mismatch)
    const strategy = type.strategy
    const old = this.#deps.store.of(type).get(info)
    if (old === undefined) {
      if (!strategy.createsOnUpdate || subresource !== '') return err(notFound(type, name))
      return this.#createObject(info, next, context)
    }
    if (subresource === 'scale') return this.#scale(info, next, old, context)
    const version = next.metadata.resourceVersion ?? ''
    if (version === '' && !strategy.updatesUnconditionally) {
      const problem = invalidField('metadata.resourceVersion', 0, 'must be specified for an update')
      // Upstream names the resource by its plural here.
      return err(invalid({ ...type, kind: type.plural }, name, [problem]))
    }
    const uid = next.metadata.uid || old.metadata.uid
    if (uid !== old.metadata.uid) {
      return err(uidConflict(type, info, { given: uid, stored: old.metadata.uid }))
    }
    return this.#write(info, next, old, context)
  }

  #patch(info: RequestInfo, request: KubeRequest, origin: WriteOrigin): Answer {
    const context = this.#context(info, request, origin, 'PatchOptions')
    if (!context.ok) return context
    // Before the lookup: clients send server-side apply for objects that do not exist, too.
    const patchType = patchTypeOf(request, exchangedType(info.type, info.subresource))
    if (!patchType.ok) return patchType
    if (patchType.value === 'apply') return this.#apply(info, request, context.value)
    if ((request.query?.['force'] ?? '') !== '') {
      const problem = forbiddenField('force', 'may not be specified for non-apply patch')
      return err(invalidOptions('PatchOptions', [problem]))
    }
    const { type, name } = info
    const old = this.#deps.store.of(type).get(info)
    if (old === undefined) return err(notFound(type, name))
    const patch = withFields(request, { type: patchType.value })
    const isScale = info.subresource === 'scale'
    const exchanged = exchangedType(type, info.subresource)
    const original = isScale ? scaleOf(type, old) : old
    const patched = patchedObject(exchanged, original, patch, context.value.fieldValidation)
    if (!patched.ok) return patched
    const { object: next, warnings } = patched.value
    const mismatch = nameMismatch(next, name)
    if (mismatch !== undefined) return err(mismatch)
    if ((next.metadata.namespace ?? '') !== info.namespace) return err(namespaceMismatch())
    const answer = isScale
      ? this.#scale(info, next, old, context.value)
      : this.#write(info, next, old, context.value)
    return withWarnings(answer, warnings)
  }

  #apply(info: RequestInfo, request: KubeRequest, context: BodyContext): Answer {
    const { type, name, subresource } = info
    const live = this.#deps.store.of(type).get(info)
    if (live === undefined && subresource !== '') return err(notFound(type, name))
    const time = toTimestamp(this.#deps.clock.now())
    if (live !== undefined && subresource === 'scale') {
      const scaled = appliedScale(info, request, live, time)
      if (!scaled.ok) return scaled
      const { object, managedFields } = scaled.value
      return this.#scale(info, object, live, { ...context, managedFields })
    }
    const applied = appliedObject(info, request, live, time)
    if (!applied.ok) return applied
    const { object, managedFields } = applied.value
    const decoded = decodeObject(type, { body: object }, 'Ignore')
    if (!decoded.ok) return decoded
    const next = decoded.value.object
    const by = { ...context, managedFields }
    return live === undefined
      ? this.#createObject(info, next, by)
      : this.#write(info, next, live, by)
  }

  #scale(info: RequestInfo, scale: KubeObject, old: KubeObject, context: WriteContext): Answer {
    const refusal = scaleRefusal(info.type, scale, old)
    if (refusal !== undefined) return err(refusal)
    return this.#write(info, withScale(info.type, old, scale), old, context)
  }

  #write(info: RequestInfo, next: KubeObject, old: KubeObject, context: WriteContext): Answer {
    const { type, subresource } = info
    const version = next.metadata.resourceVersion ?? ''
    const parsed = parseResourceVersion(version)
    // kube-apiserver answers 500, although it is the client's mistake.
    if (!parsed.ok) return err(serverError(parsed.error))
    const admitted = this.#admission.admitUpdate(type, { next, old, subresource }, context.caller)
    if (!admitted.ok) return admitted
    const refusal = this.#escalation(info, admitted.value, old, context.caller)
    if (refusal !== undefined) return err(refusal)
    const rules = rulesFor(type, subresource)
    const warnings: string[] = []
    const by: WriteContext = withFields(context, {
      validate: (stored: KubeObject) =>
        signerRefusal(this.#deps.authorizer, context.caller, {
          type,
          subresource,
          old,
          next: stored,
        }) ?? this.#validated(type, { next: stored, old, subresource }, warnings),
    })
    const updated = this.#deps.writer.update(type, admitted.value, old, rules, by)
    if (!updated.ok) return withWarnings(updated, warnings)
    // Like a real server for pod templates: only if the spec has changed (pkg/registry/apps/deployment).
    const isWarned =
      type.custom === undefined &&
      (subresource === '' || subresource === ephemeral) &&
      isNewPod(updated.value, old)
    const ofPod = isWarned ? this.#podWarnings(type, updated.value) : []
    const shown = subresource === ephemeral ? ofAdded(ofPod, updated.value, old) : ofPod
    const body = subresource === 'scale' ? scaleOf(type, updated.value) : updated.value
    return withWarnings(ok({ code: 200, body }), [...warnings, ...shown])
  }

  #delete(info: RequestInfo, request: KubeRequest, origin: WriteOrigin): Answer {
    const options = deleteOptions(request.body, request.query ?? {})
    if (!options.ok) return options
    const { type, name } = info
    const object = this.#deps.store.of(type).get(info)
    if (object === undefined) return err(notFound(type, name))
    const refusal = this.#admission.refuse(type, 'delete', object, origin.caller)
    if (refusal !== undefined) return err(refusal)
    const context = { dryRun: options.value.dryRun, subresource: '', ...origin }
    const deletion = this.#deletion.delete(type, object, options.value, context)
    if (!deletion.ok) return deletion
    const { isRemoved, object: last } = deletion.value
    const showsObject = !isRemoved || type.strategy.returnsDeletedObject
    const body = showsObject ? last : deleted(type, name, last.metadata.uid)
    return withWarnings(ok({ code: 200, body }), deletionWarnings(type, options.value))
  }

  #deleteCollection(info: RequestInfo, request: KubeRequest, origin: WriteOrigin): Answer {
    const options = deleteOptions(request.body, request.query ?? {})
    if (!options.ok) return options
    const selection = listOptions(info.type, request.query ?? {}, { isWatch: false })
    if (!selection.ok) return selection
    const list = this.#deps.reader.list(info, selection.value)
    if (!list.ok) return list
    const context = { dryRun: options.value.dryRun, subresource: '', ...origin }
    for (const object of list.value.objects) {
      const refusal = this.#admission.refuse(info.type, 'delete', object, origin.caller)
      if (refusal !== undefined) return err(refusal)
      const deletion = this.#deletion.delete(info.type, object, options.value, context)
      if (!deletion.ok) return deletion
    }
    // The objects before their deletion.
    const body = listOf(info.type, list.value.objects, list.value.meta)
    // A list is not an object of a resource: only its metadata differs.
    const answer = ok({ code: 200, body: body as unknown as KubeObject })
    return withWarnings(answer, deletionWarnings(info.type, options.value))
  }

  #evict(info: RequestInfo, eviction: JsonObject, context: WriteContext): Answer {
    const { type, name } = info
    const options = evictionOptions(eviction, name, { dryRun: context.dryRun })
    if (!options.ok) return options
    const pod = this.#deps.store.of(type).get(info)
    if (pod === undefined) return err(notFound(type, name))
    const refusal = this.#admission.refuse(type, 'eviction', pod, context.caller)
    if (refusal !== undefined) return err(refusal)
    const evicted = this.#eviction.evict(type, pod, options.value, {
      ...context,
      dryRun: options.value.dryRun,
    })
    return evicted.ok ? ok({ code: 201, body: success(201) }) : evicted
  }

  #issueToken(info: RequestInfo, request: KubeRequest, context: BodyContext): Answer {
    const { type, namespace, name } = info
    const requested = { ...info, type: tokenRequests }
    const decoded = this.#decode(requested, request, context.fieldValidation)
    if (!decoded.ok) return decoded
    const { object, warnings } = decoded.value
    const refusal = this.#admission.refuseToken(type, { namespace, name }, object, context.caller)
    if (refusal !== undefined) return err(refusal)
    const account = this.#deps.store.of(type).get(info)
    if (account === undefined) return err(notFound(type, name))
    const issued = this.#deps.tokens.create(account, object)
    return issued.ok ? withWarnings(ok({ code: 201, body: issued.value }), warnings) : issued
  }

  /** A Binding names its pod itself, and has no precondition. */
  #bindNamed(info: RequestInfo, request: KubeRequest, context: BodyContext): Answer {
    const decoded = this.#decode(info, request, context.fieldValidation)
    if (!decoded.ok) return decoded
    const { object, warnings } = decoded.value
    const { uid: _, ...metadata } = object.metadata
    const { name } = metadata
    const pod = { ...info, type: typeOfKind('Pod'), name, subresource: 'binding' }
    return withWarnings(this.#bind(pod, { ...object, metadata }, context), warnings)
  }

  #bind(info: RequestInfo, binding: JsonObject, context: WriteContext): Answer {
    const { type, name } = info
    const pod = this.#deps.store.of(type).get(info)
    if (pod === undefined) return err(notFound(type, name))
    const refusal = this.#admission.refuse(type, 'binding', pod, context.caller)
    if (refusal !== undefined) return err(refusal)
    const bound = boundPod(type, pod, binding, this.#deps.clock.now())
    if (!bound.ok) return bound
    this.#deps.writer.modify(type, bound.value, pod, context)
    return ok({ code: 201, body: success(201) })
  }
}

function namespaceMismatch(): KubeStatus {
  return badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  )
}

function nameMismatch(object: KubeObject, name: string): KubeStatus | undefined {
  const given = textAt({ ...object.metadata }, 'name')
  if (given === name) return undefined
  if (given === '') return badRequest('name must be provided')
  return badRequest(
    `the name of the object (${given}) does not match the name on the URL (${name})`,
  )
}
