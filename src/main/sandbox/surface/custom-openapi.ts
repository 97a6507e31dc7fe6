import { isJsonObject, listAt, objectAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { referenceTo } from '../../../shared/kubernetes/schema/schema-names.ts'
import {
  embedsResource,
  itemsOf,
  otherFieldsOf,
  takesIntOrString,
} from '../registry/custom/structural-schema.ts'
import type { ResourceType } from '../registry/resource-type.ts'

/** `com.example.stable.v1.CronTab`. Source: kube-openapi util.ToRESTFriendlyName. */
export function customSchemaName({ group, version, kind }: ResourceType): string {
  return [...group.split('.').toReversed(), version, kind].join('.')
}

const typeMeta = {
  apiVersion: {
    type: 'string',
    description:
      'APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources',
  },
  kind: {
    type: 'string',
    description:
      'Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds',
  },
}

const metadata = {
  allOf: [referenceTo('meta.v1.ObjectMeta')],
  description:
    "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
}

/** With the fields of embedded objects that every object has. Source: addEmbeddedProperties. */
function withEmbedded(schema: JsonObject): JsonObject {
  const items = itemsOf(schema)
  const others = otherFieldsOf(schema)
  const properties = Object.entries(objectAt(schema, 'properties')).map(([name, one]) => [
    name,
    isJsonObject(one) ? withEmbedded(one) : one,
  ])
  const isEmbedded = schema[embedsResource] === true
  const required = listAt(schema, 'required')
  const needed = ['kind', 'apiVersion'].filter((name) => !required.includes(name))
  const ofMeta = isEmbedded ? { ...typeMeta, metadata } : {}
  const all = { ...Object.fromEntries(properties), ...ofMeta }
  return {
    ...schema,
    ...(schema[takesIntOrString] === true
      ? { anyOf: [{ type: 'integer' }, { type: 'string' }] }
      : {}),
    ...(Object.keys(all).length === 0 ? {} : { properties: all }),
    ...(items === undefined ? {} : { items: withEmbedded(items) }),
    ...(isJsonObject(others) ? { additionalProperties: withEmbedded(others) } : {}),
    ...(isEmbedded ? { required: [...required, ...needed] } : {}),
  }
}

/** The schema of a version of a custom kind in an OpenAPI document. Source: apiextensions controller/openapi/builder (v1.34). */
export function customOpenApiSchema({ group, version, kind, custom }: ResourceType): JsonObject {
  const schema = withEmbedded(custom?.schema ?? {})
  return {
    ...schema,
    properties: { ...objectAt(schema, 'properties'), ...typeMeta, metadata },
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
  }
}
