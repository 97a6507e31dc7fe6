import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'

/** What kubectl has applied on the client, as JSON. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

const sizeLimit = 256 * 1024

/** JSON as Go writes a map: sorted, with the characters of HTML escaped. */
function goJson(value: JsonObject): string {
  const text = JSON.stringify(value, (_, one: unknown) =>
    isJsonObject(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
  const escaped = text.replaceAll(
    /[<>&]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
  return `${escaped}\n`
}

/**
 * An object that kubectl has applied on the server, with the configuration in the annotation that it has from applies on the
 * client. Source: apimachinery managedfields lastAppliedUpdater.
 */
export function withLastApplied(object: JsonObject, configuration: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata')
  const annotations = objectAt(metadata, 'annotations')
  if (textAt(annotations, lastAppliedAnnotation) === '') return object
  const ofConfiguration = objectAt(configuration, 'metadata')
  const { [lastAppliedAnnotation]: _, ...own } = objectAt(ofConfiguration, 'annotations')
  const { annotations: __, ...rest } = ofConfiguration
  const kept = Object.keys(own).length === 0 ? {} : { annotations: own }
  const text = goJson({ ...configuration, metadata: { ...rest, ...kept } })
  const value = text.length > sizeLimit ? '' : text
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...annotations, [lastAppliedAnnotation]: value } },
  }
}
