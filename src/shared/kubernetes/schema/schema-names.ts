const prefixes = [
  ['io.k8s.apimachinery.pkg.apis.meta.', 'meta.'],
  ['io.k8s.apimachinery.pkg.', 'mach.'],
  ['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.', 'apiextensions.'],
  ['io.k8s.api.', ''],
] as const

const component = '#/components/schemas/'

/** `core.v1.Pod` of `io.k8s.api.core.v1.Pod`, or of a reference to it. */
export function shortName(name: string): string {
  const bare = name.startsWith(component) ? name.slice(component.length) : name
  const prefix = prefixes.find(([long]) => bare.startsWith(long))
  return prefix === undefined ? bare : prefix[1] + bare.slice(prefix[0].length)
}

/** `io.k8s.api.core.v1.Pod` of `core.v1.Pod`: the name in an OpenAPI document. */
export function fullName(name: string): string {
  const [long, short] = prefixes.find(([, own]) => name.startsWith(own)) ?? ['', '']
  return long + name.slice(short.length)
}

/** A reference to a schema by its short name. */
export function referenceTo(name: string): object {
  return { $ref: component + fullName(name) }
}
