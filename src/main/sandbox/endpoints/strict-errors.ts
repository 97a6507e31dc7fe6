// Source: sigs.k8s.io/json, which stops looking there.
const maxErrors = 100

function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`
}

function duplicateField(path: string): string {
  return `duplicate field ${JSON.stringify(path)}`
}

/** What is below an unknown field is not looked at. */
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
 * What strict field validation refuses of a body, in the order of its text: fields that its kind does not have, and fields that are
 * there twice. `bodyFields` as in `KubeRequest`.
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

/** What it refuses of a patch: a field that is there twice wherever it is, then what the patched object should not have. */
export function strictPatchErrors(
  unknownFields: readonly string[],
  { type, bodyFields = [] }: { readonly type: string; readonly bodyFields?: readonly string[] },
): readonly string[] {
  const unknown = unknownFields.toSorted().map(unknownField)
  const prefix = type === 'json' ? 'json patch ' : ''
  const duplicate = inOrder(new Set(), bodyFields).map((text) => prefix + text)
  return [...duplicate, ...unknown].slice(0, maxErrors)
}
