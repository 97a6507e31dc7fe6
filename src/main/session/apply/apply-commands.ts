import { stringify } from 'yaml'
import type { ActError } from '../../../shared/ipc/contract.ts'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeResponse, Transport } from '../../../shared/kubernetes/request.ts'
import type {
  AppliedObject,
  ApplyArgs,
  ApplyCheck,
  ApplyObject,
  ApplyProblem,
  ApplyReport,
} from '../../../shared/model/apply/apply-yaml.ts'
import { schemaOfKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import { lineDiff } from '../../../shared/model/apply/line-diff.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { apiErrorOfResponse, apiErrorOfThrown } from '../../cluster/client/api-errors.ts'
import { resourcePath } from '../../cluster/client/resource-paths.ts'
import type { ApiError } from '../../kubelet/ports.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import { refusedWords } from '../cluster/refused-words.ts'
import { readApplyText } from './apply-text.ts'
import type { TextObject } from './apply-text.ts'
import { comparable } from './comparable.ts'
import { ResourceMapper } from './resource-mapper.ts'
import type { MappedResource } from './resource-mapper.ts'
import { serverProblems } from './server-problems.ts'
import { warningTexts } from './warning-texts.ts'

interface ApplyCommandsDeps {
  readonly transport: Transport
  readonly parse: ParseText
  /** Why nothing may be changed, in one sentence; empty if it may. */
  readonly readOnly: () => string
  /** Of objects that name none. */
  readonly namespace: string
}

/** The name under which the page applies; `kubectl apply --server-side --field-manager` takes the same. */
const fieldManager = 'nodescope'

/** An answer, or why there is none. */
type Answer = Result<Extract<KubeResponse, { kind: 'object' }>, Refused>

interface Refused {
  readonly error: ApiError
  readonly status: JsonObject
}

type Options = Pick<ApplyArgs, 'dryRun' | 'force'>

interface Done {
  readonly object: AppliedObject
  readonly problems: readonly ApplyProblem[]
}

function kubectlName({ value, type }: TextObject): string {
  const kind = type.kind.toLowerCase()
  const name = textAt(objectAt(value, 'metadata'), 'name')
  return `${kind}${type.group === '' ? '' : `.${type.group}`}/${name}`
}

function named(object: TextObject): ApplyObject {
  const namespace = textAt(objectAt(object.value, 'metadata'), 'namespace')
  return { line: object.line, name: kubectlName(object), namespace }
}

/** Applies texts of YAML as `kubectl apply --server-side`, first as a dry run. */
export class ApplyCommands {
  readonly #deps: ApplyCommandsDeps

  constructor(deps: ApplyCommandsDeps) {
    this.#deps = deps
  }

  /** Asks the server only whether it has the kinds that Nodescope does not know. */
  async check(text: string): Promise<ApplyCheck> {
    const { objects, problems } = await readApplyText(text, this.#deps.parse)
    const mapper = new ResourceMapper(this.#deps.transport)
    const unknown = await Promise.all(
      objects.map(async (object) => {
        const { type, problemAt } = object
        if (schemaOfKind(type) !== undefined) return []
        const mapped = await mapper.find(type)
        if (mapped.ok || !mapped.error.isUnknown) return []
        return definedBefore(object, objects) === undefined
          ? [problemAt('kind', mapped.error.message)]
          : []
      }),
    )
    return { objects: objects.map(named), problems: [...problems, ...unknown.flat()] }
  }

  /** One object after the other, in the order of the text; as in kubectl, the others follow one that is refused. */
  async apply({
    text,
    ...options
  }: Omit<ApplyArgs, 'cluster'>): Promise<Result<ApplyReport, ActError>> {
    const refusal = this.#deps.readOnly()
    if (refusal !== '') return err({ kind: 'read-only', message: refusal })
    const read = await readApplyText(text, this.#deps.parse)
    // A text with mistakes is not applied in part.
    if (read.problems.length > 0) return ok({ objects: [], problems: read.problems })
    const mapper = new ResourceMapper(this.#deps.transport)
    const done: Done[] = []
    for (const object of read.objects)
      done.push(await this.#one(object, mapper, options, read.objects))
    return ok({
      objects: done.map(({ object }) => object),
      problems: done.flatMap(({ problems }) => problems),
    })
  }

  async #one(
    object: TextObject,
    mapper: ResourceMapper,
    options: Options,
    all: readonly TextObject[],
  ): Promise<Done> {
    const mapped = await mapper.find(object.type)
    if (!mapped.ok) {
      const definition = options.dryRun ? definedBefore(object, all) : undefined
      if (definition === undefined)
        return failed(named(object), [object.problemAt('kind', mapped.error.message)])
      const note = `Not checked by the server: the kind ${object.type.kind} is defined in line ${definition.line}, and a dry run creates nothing.`
      return {
        object: { ...named(object), outcome: 'created', diff: [], notes: [note] },
        problems: [],
      }
    }
    const given = named(object)
    const namespace = mapped.value.isNamespaced ? given.namespace || this.#deps.namespace : ''
    const about = { ...given, namespace }
    const created = options.dryRun ? createdBefore(object, namespace, all) : undefined
    const live = await this.#live(mapped.value, object, namespace)
    if (!live.ok) return failed(about, [object.problemAt('', refusedWords('Read', live.error))])
    const answer = await this.#send(mapped.value, object, namespace, options)
    if (!answer.ok) {
      const { status, error } = answer.error
      if (created !== undefined && error.code === 404)
        return {
          object: { ...about, outcome: 'created', diff: [], notes: [created] },
          problems: [],
        }
      const said = refusedWords('Apply', error)
      return failed(about, serverProblems(status, object.value, object.problemAt, said))
    }
    return { object: applied(about, live.value, answer.value), problems: [] }
  }

  /** The stored object; `undefined`: there is none. */
  async #live(
    mapped: MappedResource,
    object: TextObject,
    namespace: string,
  ): Promise<Result<JsonObject | undefined, ApiError>> {
    const answer = await this.#answer({ method: 'GET', path: pathOf(mapped, object, namespace) })
    if (answer.ok) return ok(objectAt(answer.value, 'body'))
    return answer.error.error.code === 404 ? ok(undefined) : err(answer.error.error)
  }

  #send(
    mapped: MappedResource,
    object: TextObject,
    namespace: string,
    { dryRun, force }: Options,
  ): Promise<Answer> {
    const metadata = objectAt(object.value, 'metadata')
    const body =
      namespace === '' ? object.value : { ...object.value, metadata: { ...metadata, namespace } }
    return this.#answer({
      method: 'PATCH',
      path: pathOf(mapped, object, namespace),
      query: {
        fieldManager,
        fieldValidation: 'Strict',
        force: String(force),
        ...(dryRun ? { dryRun: 'All' } : {}),
      },
      // JSON is YAML.
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body,
    })
  }

  async #answer(request: Parameters<Transport['send']>[0]): Promise<Answer> {
    let response: KubeResponse
    try {
      const headers = { accept: 'application/json', ...request.headers }
      response = await this.#deps.transport.send({ ...request, headers })
    } catch (error) {
      return err({ error: apiErrorOfThrown(error), status: {} })
    }
    const error = apiErrorOfResponse(response)
    const body = response.kind === 'object' && isJsonObject(response.body) ? response.body : {}
    if (error !== undefined) return err({ error, status: body })
    if (response.kind === 'object') return ok(response)
    if (response.kind === 'watch') response.stream.stop()
    const message = 'The server answered with something other than an object.'
    return err({ error: { kind: 'unknown', message }, status: {} })
  }
}

function pathOf({ resource }: MappedResource, { value }: TextObject, namespace: string): string {
  const name = textAt(objectAt(value, 'metadata'), 'name')
  return resourcePath({ resource, name, ...(namespace === '' ? {} : { namespace }) })
}

function failed(about: ApplyObject, problems: readonly ApplyProblem[]): Done {
  return { object: { ...about, outcome: 'failed', diff: [], notes: [] }, problems }
}

/** A dry run stores nothing, so it refuses objects in a namespace that the same text creates. */
function createdBefore(
  object: TextObject,
  namespace: string,
  all: readonly TextObject[],
): string | undefined {
  const creator = all
    .slice(0, all.indexOf(object))
    .find(
      ({ value, type }) =>
        type.kind === 'Namespace' &&
        type.group === '' &&
        textAt(objectAt(value, 'metadata'), 'name') === namespace,
    )
  if (creator === undefined || namespace === '') return undefined
  return `Not checked by the server: the namespace ${namespace} is created in line ${creator.line}, and a dry run creates nothing.`
}

/** The CustomResourceDefinition before an object that defines its kind. */
function definedBefore(object: TextObject, all: readonly TextObject[]): TextObject | undefined {
  return all.slice(0, all.indexOf(object)).find(({ value, type }) => {
    const spec = objectAt(value, 'spec')
    return (
      type.kind === 'CustomResourceDefinition' &&
      textAt(spec, 'group') === object.type.group &&
      textAt(objectAt(spec, 'names'), 'kind') === object.type.kind
    )
  })
}

function applied(
  about: ApplyObject,
  before: JsonObject | undefined,
  { body, headers }: Extract<KubeResponse, { kind: 'object' }>,
): AppliedObject {
  const after = isJsonObject(body) ? body : {}
  const [one, other] = comparable(before, after)
  const written = (object: JsonObject | undefined): string =>
    object === undefined ? '' : stringify(object, { lineWidth: 0, sortMapEntries: true })
  const diff = lineDiff(written(one), written(other))
  const outcome = before === undefined ? 'created' : diff.length === 0 ? 'unchanged' : 'configured'
  return { ...about, outcome, diff, notes: warningTexts(headers?.['warning'] ?? '') }
}

/** What was applied, for a toast: `deployment.apps/web created, service/web unchanged`. */
export function applyReceipt({ objects }: ApplyReport): string {
  const shown = objects.slice(0, 3).map(({ name, outcome }) => `${name} ${outcome}`)
  const rest = objects.length - shown.length
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}
