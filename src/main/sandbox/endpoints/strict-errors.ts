import { objectsAt } from '../../../shared/json.ts'
import type { KubeRequest } from '../../../shared/kubernetes/request.ts'

// The limit of sigs.k8s.io/json.
const maxErrors = 100

function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`
}

function duplicateField(path: string): string {
  return `duplicate field ${JSON.stringify(path)}`
}

/** Fields inside an unknown field are not checked. */
function isBelow(path: string, fields: ReadonlySet<string>): boolean {
  for (const field of fields) {
    if (path.startsWith(`${field}.`) || path.startsWith(`${field}[`)) return true
  }
  return false
}

function inOrder(unknown: ReadonlySet<string>, bodyFields: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  const texts = new Set<string>()
  for (const path of bodyFields) {
    if (texts.size >= maxErrors) break
    if (unknown.has(path)) texts.add(unknownField(path))
    else if (seen.has(path) && !isBelow(path, unknown)) texts.add(duplicateField(path))
    seen.add(path)
  }
  return [...texts]
}

/**
 * The strict field validation errors of a body, in the order of its text: unknown fields and repeated fields. `bodyFields` as in
 * `KubeRequest`.
 */
export function strictErrors(
  unknownFields: readonly string[],
  bodyFields: readonly string[] | undefined,
): readonly string[] {
  const unknown = unknownFields.slice(0, maxErrors)
  return bodyFields === undefined
    ? unknown.map(unknownField)
    : inOrder(new Set(unknown), bodyFields)
}

/** The same for a custom kind: first the repeated fields. */
export function customStrictErrors(
  unknownFields: readonly string[],
  bodyFields: readonly string[] = [],
): readonly string[] {
  return [...inOrder(new Set(), bodyFields), ...unknownFields.slice(0, maxErrors).map(unknownField)]
}

const operationFields = ['op', 'path', 'from', 'value']

function unknownOperationFields(operations: unknown): readonly string[] {
  return objectsAt({ operations }, 'operations').flatMap((operation, index) =>
    Object.keys(operation)
      .filter((field) => !operationFields.includes(field))
      .map((field) => `[${index}].${field}`),
  )
}

/**
 * The same for a patch: the errors of its own text, where only the operations of a JSON patch have a type, then the unknown
 * fields of the patched object. Source: apiserver endpoints/handlers/patch.go applyJSPatch.
 */
export function strictPatchErrors(
  unknownFields: readonly string[],
  patch: { readonly type: string } & Pick<KubeRequest, 'body' | 'bodyFields'>,
): readonly string[] {
  const unknown = unknownFields.toSorted().map(unknownField)
  const ofPatch =
    patch.type === 'json'
      ? strictErrors(unknownOperationFields(patch.body), patch.bodyFields).map(
          (text) => `json patch ${text}`,
        )
      : strictErrors([], patch.bodyFields)
  return [...ofPatch, ...unknown].slice(0, maxErrors)
}
